//go:build e2e

package e2e

import (
	"strings"
	"testing"

	"sessiontree/e2e/harness"
	"sessiontree/internal/bench/transcript"
)

const exportKey = "ghp_1aB2cD3eF4gH5iJ6kL7mN8oP9qR0sT1uV2wX"

// The menu leads to a dialog that lists what should not be told; what is unchecked
// there stays in the file. The exported file is a session like any other.
func TestExport(t *testing.T) {
	box := harness.NewBox(t)
	f := transcript.New(transcript.Pi, "e2e-export", "/home/dev/project", harness.Start0)
	first := f.User("The key is " + exportKey + ", <b>mind</b> it")
	f.Say("Then it is not safe any more.")
	f.User("Whom do we tell?")
	leaf := f.Say("Nobody.")
	f.Back(first)
	other := f.Say("Another answer.")
	f.Back(leaf)
	f.User("All right")
	path := box.Put(f)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(path))
	live(p)

	p.Click(`.topbar [data-act="export"]`)
	p.Says("#change", "Whole tree, 6 entries")
	p.Says("#change", "This path, 5 entries")
	p.Click(`#change a[href*="scope=tree"][href*="as=jsonl"]`)
	p.Has("#change .change--export")
	p.Says("#change .found", "github")
	p.Says("#change .found", "The key is")
	asked := `document.querySelector("#change form").getAttribute("action") + "?" + new URLSearchParams(new FormData(document.querySelector("#change form")))`
	a, body := server.Get(harness.Eval[string](p, asked))
	if strings.Contains(body, exportKey) || !strings.Contains(body, other) || !strings.Contains(a.Header.Get("Content-Disposition"), ".jsonl") {
		t.Errorf("exported %s\n%s", a.Header.Get("Content-Disposition"), body)
	}
	p.Click(`#change [name="redact"][value="keys"]`)
	if _, body := server.Get(harness.Eval[string](p, asked)); !strings.Contains(body, exportKey) {
		t.Errorf("the key was to stay:\n%s", body)
	}
	p.Click(`#change [data-do="change-submit"]`)
	p.Lacks("#change[open]")
	p.Says("#toast", "downloads")
	p.Says("#path", "All right")

	// The path as Markdown, from the menu and from the list of commands.
	p.Exec(`navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }`)
	p.Click(`.topbar [data-act="export"]`)
	p.Click(`#change [data-do="copy-export"]`)
	p.Wait(`window.copied?.includes("Whom do we tell?")`)
	p.Says("#toast", "copied")
	if text := harness.Eval[string](p, "window.copied"); strings.Contains(text, exportKey) || strings.Contains(text, "<b>") {
		t.Errorf("copied %s", text)
	}
	p.Key(harness.Escape)
	p.Lacks("#change[open]")
	p.Key("k", harness.Control)
	p.Type("export this path as markdown")
	p.Key(harness.Enter)
	p.Says("#change", "Export as Markdown")
	p.Key(harness.Escape)
	p.Lacks("#change[open]")

	// From an entry: the same menu about that one.
	openFor(p, "export", other)
	p.Says("#change", "This path, 2 entries")
}

// Without script the menu, the dialog and the download are links and a form.
func TestExport_WithoutScript(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	url := server.SessionURL(path)
	p := chromium(t).Page(t)
	p.WithoutScript()
	harness.Until(t, "the page", func() bool { p.Open(url); return p.Count(row(f.leaf)) == 1 })
	p.Click(`.topbar [data-act="export"]`)
	p.Says(".change", "Whole tree")
	p.Click(`.change a[href*="scope=path"][href*="as=md"]`)
	p.Says(".change", "Export as Markdown")
	p.Has(`.change [type="submit"]`)
}
