//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"sessiontree/e2e/harness"
)

// pageOf exports a session and opens it from disk.
func pageOf(t *testing.T, f interface {
	Bytes() []byte
}, more string) *harness.Page {
	t.Helper()
	path := t.TempDir() + "/s.jsonl"
	if err := os.WriteFile(path, f.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	p := chromium(t).Page(t)
	openFile(p, exported(t, path)+more)
	return p
}

// A page from disk is walked like a session: filters, folds, branches, back to the
// leaf, links into it, Back and Forward.
func TestPage_Walk(t *testing.T) {
	f := newForked()
	p := pageOf(t, f, "")
	p.Says("h1", "Where does the time go?")
	p.Says("#path", "The cache works")
	p.Axe("exported page")

	p.Click(`#filters [data-filter="user-only"]`)
	inURL(p, "#?filter=user-only")
	p.Lacks(row(f.leaf))
	p.Click(`#path .stamp`) // made before the filter was chosen
	inURL(p, "entry=")
	inURL(p, "filter=user-only")
	p.Click(`#filters [data-filter="all"]`)
	p.Has(`#tree .row--note`)
	p.Click(`#filters [data-filter="default"]`)
	p.Wait(`!location.hash.includes("filter")`)

	p.Click(stub(f.one) + ` .nd--tog`)
	inURL(p, "open="+f.one)
	p.Has(row(f.mid))
	p.Click(row(f.oneTip) + ` .row-link`)
	inURL(p, "entry="+f.oneTip)
	p.Says("#path", "The library is wired in.")
	p.Says("#path", "End of this branch")
	p.Has(`#away:not([hidden])`)
	p.Click(stub(f.one) + ` .nd--tog`)
	p.Lacks(row(f.mid))

	p.Key("[")
	p.Says("#path", "We could, it has 40 lines.")
	p.Key("]")
	p.Says("#path", "The library is wired in.")
	p.Back()
	p.Says("#path", "We could, it has 40 lines.")
	p.Exec(`history.forward()`)
	p.Says("#path", "The library is wired in.")

	p.Key("l")
	p.Has(`#away[hidden]`)
	p.Says("#path", "The cache works")
	p.Wait(`location.hash === "#" || !location.hash.includes("leaf=")`)

	p.Key("j")
	p.Wait(`document.activeElement.matches("#tree .row")`)
	p.Key(harness.Home)
	p.Key(harness.Down)
	p.Key(harness.Enter)
	inURL(p, "entry="+f.first)

	p.Key("t")
	p.Has(`#path details.think[open]`)
	p.Key("o")
	p.Wait(`[...document.querySelectorAll("#path details.tool")].every(d => d.open)`)
	p.Key("k", harness.Control)
	p.Says("#palette", "Print this path")
	p.Wait(`!document.querySelector("#palette").innerText.includes("Label this")`)
	p.Key(harness.Escape)
	if n := p.Count(`[data-change], [href^="/"], [data-raw]`); n != 0 {
		t.Errorf("%d links ask a server", n)
	}
}

// Search finds what is shown of entries, marks it and walks it.
func TestPage_Search(t *testing.T) {
	f := newForked()
	p := pageOf(t, f, "")
	p.Key("/")
	p.Type("LIBRARY it")
	p.Says("#hits", "2")
	p.Wait(`document.querySelectorAll("#tree .row.is-hit").length === 1`) // both stand in the closed branch
	p.Key(harness.Enter)
	p.Says("#hits", "1 / 2")
	p.Wait(`document.querySelector("#away").hidden === false`)
	p.Has(`#tree .row mark`)
	p.Key(harness.Escape)
	p.Lacks("#tree mark")
	p.Type("go test ./cache")
	p.Says("#hits", "1")
	p.Key(harness.Escape)
	p.Type("nobody said this")
	p.Says("#no-hits", "nobody said this")
}

// A link leads to an entry, also one that is typed into a page that is open; a link
// to nothing says so.
func TestPage_DeepLink(t *testing.T) {
	f := newForked()
	p := pageOf(t, f, "#?entry="+f.mid)
	p.Has(item(f.mid) + ".is-target")
	p.Has(row(f.mid) + `[aria-selected="true"]`)
	p.Has(`#away:not([hidden])`)
	p.Exec(fmt.Sprintf(`location.hash = "#?entry=%s&leaf=%[1]s"`, f.two))
	p.Says("#path", "Do nothing about it")
	p.Wait(`!document.querySelector("#path").innerText.includes("Then it stays")`)

	p = pageOf(t, f, "#?entry=nothing")
	p.Says("#path", "Where does the time go?")
	p.Has(`#away[hidden]`)
}

// On a phone the tree is a drawer; in the dark the page is dark. Both are readable.
func TestPage_Phone(t *testing.T) {
	f := newForked()
	path := t.TempDir() + "/s.jsonl"
	if err := os.WriteFile(path, f.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	address := exported(t, path)
	for _, theme := range []string{"light", "dark"} {
		p := chromium(t).Page(t)
		p.Phone()
		p.Theme(theme)
		openFile(p, address)
		p.Axe("phone, " + theme)
		p.Click(`.topbar [data-do="drawer"]`)
		p.Has(`[data-drawer="open"]`)
		settle(p)
		p.Axe("drawer, " + theme)
		p.Click(row(f.leaf) + ` .row-link`)
		p.Lacks(`[data-drawer="open"]`)
		p.Has(item(f.leaf))
		if w := harness.Eval[int](p, `document.documentElement.scrollWidth`); w > harness.PhoneWidth {
			t.Errorf("%s: the page is %d wide", theme, w)
		}
	}
}

// Printing loads the path as far as it is printed, and says what is not.
func TestPage_Print(t *testing.T) {
	p := pageOf(t, long("e2e-print", 1100), "")
	p.Exec(`dispatchEvent(new Event("beforeprint"))`) // from the browser's menu
	p.Says("#print-note", "Only the part")
	p.Exec(`dispatchEvent(new Event("afterprint"))`)
	p.Lacks("#print-note")
	p.Exec(`window.print = () => { window.printed = document.querySelectorAll("#path .entry").length }`)
	p.Key("p", harness.Control)
	p.Wait(`window.printed > 1900`)
	p.Says("#print-note", "not printed")
	if pdf := p.PDF(); len(pdf) < 100_000 {
		t.Errorf("printed %d bytes", len(pdf))
	}
	p.Exec(`history.replaceState(null, ""); dispatchEvent(new Event("afterprint"))`) // before a place was noted
	p.Lacks("#print-note")
	p.Wait(`document.querySelectorAll("#path .entry").length < 1000`)
}

// Nothing of a transcript runs in a page, also not where no server forbids it.
func TestPage_Hostile(t *testing.T) {
	f := hostile()
	path := t.TempDir() + "/s.jsonl"
	if err := os.WriteFile(path, f.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	p := chromium(t).Page(t)
	w := spyOn(t, p)
	address := exported(t, path, "--redact", "none")
	openFile(p, address)
	p.Has("#tree .row")
	for _, filter := range []string{"all", "user-only", "labeled-only", "default"} {
		p.Exec(`location.hash = "#?filter=` + filter + `"`)
		p.Has(`#facts[data-filter="` + filter + `"]`)
		harmless(t, p, filter)
	}
	p.Exec(`document.querySelectorAll("details").forEach(d => { d.open = true })`)
	p.Exec(`window.print = () => { window.printed = true }`)
	p.Key("p", harness.Control)
	p.Wait("window.printed") // all of the path is here
	harmless(t, p, "path")
	p.Key("/")
	p.Type("pwned")
	p.Wait(`!document.querySelector("#hits").hidden`)
	harmless(t, p, "search")
	w.check(address)
}

// The session file in the page is had from it too.
func TestPage_SessionFile(t *testing.T) {
	f := newForked()
	p := pageOf(t, f, "")
	p.Exec(`URL.createObjectURL = (blob) => { blob.text().then((text) => { window.had = text }); return "#had" };
		HTMLAnchorElement.prototype.click = function () { window.name_ = this.download }`)
	p.Click(`.topbar a[href="#session-file"]`)
	p.Wait(`window.had`)
	p.Says("#toast", "downloads")
	text, name := harness.Eval[string](p, "window.had"), harness.Eval[string](p, "window.name_")
	if !strings.HasSuffix(name, ".jsonl") || !strings.HasPrefix(text, `{"type":"session"`) || !strings.Contains(text, f.leaf) {
		t.Errorf("%s: %.200s", name, text)
	}
}

// Without script the beginning of the path is there to be read.
func TestPage_WithoutScript(t *testing.T) {
	f := newForked()
	path := t.TempDir() + "/s.jsonl"
	if err := os.WriteFile(path, f.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	p := chromium(t).Page(t)
	p.WithoutScript()
	p.Open(exported(t, path))
	p.Says("#path", "The cache works")
	p.Says("#tree", "Use a library for it")
	if strings.Contains(p.Text("body"), "part-") {
		t.Error("data is shown")
	}
}
