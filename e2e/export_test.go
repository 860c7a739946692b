//go:build e2e

package e2e

import (
	"strings"
	"testing"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

const exportKey = "ghp_1aB2cD3eF4gH5iJ6kL7mN8oP9qR0sT1uV2wX"

// The menu opens a dialog that lists sensitive values; those unchecked there remain in
// the file. The exported file is an ordinary session.
func TestExport(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := transcript.New(transcript.Pi, "e2e-export", "/home/dev/project", harness.SessionStart)
	first := f.AddPrompt("The key is " + exportKey + ", <b>mind</b> it")
	f.AddReply("Then it is not safe any more.")
	f.AddPrompt("Whom do we tell?")
	leaf := f.AddReply("Nobody.")
	f.BranchFrom(first)
	other := f.AddReply("Another answer.")
	f.BranchFrom(leaf)
	f.AddPrompt("All right")
	path := box.WriteSession(f)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	waitForLive(p)

	p.Click(`.topbar [data-change-kind="export"]`)
	p.WaitForText("#change", "Whole tree, 6 entries")
	p.WaitForText("#change", "This path, 5 entries")
	p.Click(`#change a[href*="scope=tree"][href*="as=jsonl"]`)
	p.WaitForElement("#change .change--export")
	p.WaitForText("#change .found", "github")
	p.WaitForText("#change .found", "The key is")
	asked := `document.querySelector("#change form").getAttribute("action") + "?" + new URLSearchParams(new FormData(document.querySelector("#change form")))`
	a, body := server.GetPage(harness.EvalScript[string](p, asked))
	if strings.Contains(body, exportKey) || !strings.Contains(body, other) || !strings.Contains(a.Header.Get("Content-Disposition"), ".jsonl") {
		t.Errorf("exported %s\n%s", a.Header.Get("Content-Disposition"), body)
	}
	p.Click(`#change [name="redact"][value="keys"]`)
	if _, body := server.GetPage(harness.EvalScript[string](p, asked)); !strings.Contains(body, exportKey) {
		t.Errorf("the key was to stay:\n%s", body)
	}
	p.Click(`#change [data-do="change-submit"]`)
	p.WaitForNone("#change[open]")
	p.WaitForText("#toast", "download has started")
	p.WaitForText("#path", "All right")

	// The path as Markdown, from the menu and from the command palette.
	p.RunScript(`navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }`)
	p.Click(`.topbar [data-change-kind="export"]`)
	p.Click(`#change [data-do="copy-export"]`)
	p.WaitUntil(`window.copied?.includes("Whom do we tell?")`)
	p.WaitForText("#toast", "copied")
	if text := harness.EvalScript[string](p, "window.copied"); strings.Contains(text, exportKey) || strings.Contains(text, "<b>") {
		t.Errorf("copied %s", text)
	}
	p.PressKey(harness.Escape)
	p.WaitForNone("#change[open]")
	p.PressKey("k", harness.Control)
	p.TypeText("export")
	p.PressKey(harness.Enter)
	p.WaitForText("#palette-list", "This path")
	p.PressKey(harness.Enter)
	p.WaitForText("#palette-list", "Markdown")
	p.PressKey(harness.Enter)
	p.TypeText("check")
	p.PressKey(harness.Enter)
	p.WaitForText("#change", "Export as Markdown")
	p.PressKey(harness.Escape)
	p.WaitForNone("#change[open]")

	// The same menu for an entry.
	openDialogFor(p, "export", other)
	p.WaitForText("#change", "This path, 2 entries")
}

// Without script the menu, the dialog and the download are links and a form.
func TestExport_WithoutScript(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	url := server.SessionURL(path)
	p := sharedBrowser(t).NewPage(t)
	p.DisableScript()
	harness.Until(t, "the page", func() bool { p.Open(url); return p.CountElements(rowSelector(f.leaf)) == 1 })
	p.Click(`.topbar [data-change-kind="export"]`)
	p.WaitForText(".change", "Whole tree")
	p.Click(`.change a[href*="scope=path"][href*="as=md"]`)
	p.WaitForText(".change", "Export as Markdown")
	p.WaitForElement(`.change [type="submit"]`)
}
