//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"sessiontree/e2e/harness"
)

// openExported exports a session and opens it from disk.
func openExported(t *testing.T, f interface {
	Bytes() []byte
}, more string) *harness.Page {
	t.Helper()
	path := t.TempDir() + "/s.jsonl"
	if err := os.WriteFile(path, f.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	p := sharedBrowser(t).NewPage(t)
	openOffline(p, exportHTML(t, path)+more)
	return p
}

// Navigation in an HTML export works like on the server: filters, folding, branches, the
// leaf, links, Back and Forward.
func TestHTMLExport_Browse(t *testing.T) {
	f := newForkedSession()
	p := openExported(t, f, "")
	p.WaitForText("h1", "Where does the time go?")
	p.WaitForText("#path", "The cache works")
	p.CheckAccessibility("exported page")

	p.Click(`#filters [data-filter="user-only"]`)
	waitForURL(p, "#?filter=user-only")
	p.WaitForNone(rowSelector(f.leaf))
	p.Click(`#path .entry-time`) // rendered before the filter was set
	waitForURL(p, "entry=")
	waitForURL(p, "filter=user-only")
	p.Click(`#filters [data-filter="all"]`)
	p.WaitForElement(`#tree .row--note`)
	p.Click(`#filters [data-filter="default"]`)
	p.WaitUntil(`!location.hash.includes("filter")`)

	p.Click(branchRowSelector(f.one) + ` .node--toggle`)
	waitForURL(p, "open="+f.one)
	p.WaitForElement(rowSelector(f.mid))
	p.Click(rowSelector(f.oneTip) + ` .row-link`)
	waitForURL(p, "entry="+f.oneTip)
	p.WaitForText("#path", "The library is wired in.")
	p.WaitForText("#path", "End of this branch")
	p.WaitForElement(`#away:not([hidden])`)
	p.Click(branchRowSelector(f.one) + ` .node--toggle`)
	p.WaitForNone(rowSelector(f.mid))

	p.PressKey("[")
	p.WaitForText("#path", "We could, it has 40 lines.")
	p.PressKey("]")
	p.WaitForText("#path", "The library is wired in.")
	p.GoBack()
	p.WaitForText("#path", "We could, it has 40 lines.")
	p.RunScript(`history.forward()`)
	p.WaitForText("#path", "The library is wired in.")

	p.PressKey("l")
	p.WaitForElement(`#away[hidden]`)
	p.WaitForText("#path", "The cache works")
	p.WaitUntil(`location.hash === "#" || !location.hash.includes("leaf=")`)

	p.PressKey("j")
	p.WaitUntil(`document.activeElement.matches("#tree .row")`)
	p.PressKey(harness.Home)
	p.PressKey(harness.Down)
	p.PressKey(harness.Enter)
	waitForURL(p, "entry="+f.first)

	p.PressKey("t")
	p.WaitForElement(`#path details.thinking[open]`)
	p.PressKey("o")
	p.WaitUntil(`[...document.querySelectorAll("#path details.tool")].every(d => d.open)`)
	p.PressKey("k", harness.Control)
	p.WaitForText("#palette", "Print this path")
	p.WaitUntil(`!document.querySelector("#palette").innerText.includes("Label this")`)
	p.PressKey(harness.Escape)
	if n := p.CountElements(`[data-change], [href^="/"], [data-raw]`); n != 0 {
		t.Errorf("%d links ask a server", n)
	}
}

// Search finds the visible text of entries, marks the hits and steps through them.
func TestHTMLExport_Search(t *testing.T) {
	f := newForkedSession()
	p := openExported(t, f, "")
	p.PressKey("/")
	p.TypeText("LIBRARY it")
	p.WaitForText("#hits", "2")
	p.WaitUntil(`document.querySelectorAll("#tree .row.is-hit").length === 1`) // both are in the closed branch
	p.PressKey(harness.Enter)
	p.WaitForText("#hits", "1 of 2")
	p.WaitForText("#finder .search-hit mark", "library")
	p.WaitForText("#finder h3", "Use a library for it")
	p.WaitUntil(`document.querySelector("#away").hidden === false`)
	p.WaitForElement(`#tree .row mark`)
	p.PressKey(harness.Escape)
	p.WaitForElement("#finder[hidden]")
	p.PressKey(harness.Escape)
	p.WaitForNone("#tree mark")
	p.TypeText("go test ./cache")
	p.WaitForText("#hits", "1")
	p.PressKey(harness.Escape)
	p.PressKey(harness.Escape)
	p.TypeText("nobody said this")
	p.WaitForText("#no-hits", "nobody said this")
}

// A link opens an entry, also when it is typed into an open page. A link to a missing
// entry shows a message.
func TestHTMLExport_DeepLink(t *testing.T) {
	f := newForkedSession()
	p := openExported(t, f, "#?entry="+f.mid)
	p.WaitForElement(pathItemSelector(f.mid) + ".is-target")
	p.WaitForElement(rowSelector(f.mid) + `[aria-selected="true"]`)
	p.WaitForElement(`#away:not([hidden])`)
	p.RunScript(fmt.Sprintf(`location.hash = "#?entry=%s&leaf=%[1]s"`, f.two))
	p.WaitForText("#path", "Do nothing about it")
	p.WaitUntil(`!document.querySelector("#path").innerText.includes("Then it stays")`)

	p = openExported(t, f, "#?entry=nothing")
	p.WaitForText("#path", "Where does the time go?")
	p.WaitForElement(`#away[hidden]`)
}

// On a phone the tree is a drawer, readable in both themes.
func TestHTMLExport_Phone(t *testing.T) {
	f := newForkedSession()
	path := t.TempDir() + "/s.jsonl"
	if err := os.WriteFile(path, f.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	address := exportHTML(t, path)
	for _, theme := range themes() {
		p := sharedBrowser(t).NewPage(t)
		p.EmulatePhone()
		p.EmulateTheme(theme)
		openOffline(p, address)
		p.CheckAccessibility("phone, " + theme)
		p.Click(`.topbar [data-do="drawer"]`)
		p.WaitForElement(`[data-drawer="open"]`)
		p.WaitForRendering()
		p.CheckAccessibility("drawer, " + theme)
		p.Click(rowSelector(f.leaf) + ` .row-link`)
		p.WaitForNone(`[data-drawer="open"]`)
		p.WaitForElement(pathItemSelector(f.leaf))
		if w := harness.EvalScript[int](p, `document.documentElement.scrollWidth`); w > harness.PhoneWidth {
			t.Errorf("%s: the page is %d wide", theme, w)
		}
	}
}

// Printing loads the path up to a limit and reports what it omits.
func TestHTMLExport_Print(t *testing.T) {
	skipOutsideCI(t)
	p := openExported(t, longSession("e2e-print", 1100), "")
	p.RunScript(`dispatchEvent(new Event("beforeprint"))`) // from the browser's menu
	p.WaitForText("#print-note", "Only the loaded part")
	p.RunScript(`dispatchEvent(new Event("afterprint"))`)
	p.WaitForNone("#print-note")
	p.RunScript(`window.print = () => { window.printed = document.querySelectorAll("#path .entry").length }`)
	p.PressKey("p", harness.Control)
	p.WaitUntil(`window.printed > 1900`)
	p.WaitForText("#print-note", "not printed")
	if pdf := p.PrintPDF("1-20"); len(pdf) < 50_000 {
		t.Errorf("printed %d bytes", len(pdf))
	}
	p.RunScript(`history.replaceState(null, ""); dispatchEvent(new Event("afterprint"))`) // before a scroll position was stored
	p.WaitForNone("#print-note")
	p.WaitUntil(`document.querySelectorAll("#path .entry").length < 1000`)
}

// An HTML export runs nothing from a transcript, even without a server's policy.
func TestHTMLExport_Hostile(t *testing.T) {
	f := hostileSession()
	path := t.TempDir() + "/s.jsonl"
	if err := os.WriteFile(path, f.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	p := sharedBrowser(t).NewPage(t)
	w := newRequestSpy(t, p)
	address := exportHTML(t, path, "--redact", "none")
	openOffline(p, address)
	p.WaitForElement("#tree .row")
	for _, filter := range []string{"all", "user-only", "labeled-only", "default"} {
		p.RunScript(`location.hash = "#?filter=` + filter + `"`)
		p.WaitForElement(`#facts[data-filter="` + filter + `"]`)
		checkHarmless(t, p, filter)
	}
	p.RunScript(`document.querySelectorAll("details").forEach(d => { d.open = true })`)
	p.RunScript(`window.print = () => { window.printed = true }`)
	p.PressKey("p", harness.Control)
	p.WaitUntil("window.printed") // the whole path is loaded
	checkHarmless(t, p, "path")
	p.PressKey("/")
	p.TypeText("pwned")
	p.WaitUntil(`!document.querySelector("#hits").hidden`)
	checkHarmless(t, p, "search")
	w.checkRequests(address)
}

// The page offers the embedded session file as a download.
func TestHTMLExport_SessionFile(t *testing.T) {
	f := newForkedSession()
	p := openExported(t, f, "")
	p.RunScript(`URL.createObjectURL = (blob) => { blob.text().then((text) => { window.had = text }); return "#had" };
		HTMLAnchorElement.prototype.click = function () { window.name_ = this.download }`)
	p.Click(`.topbar a[href="#session-file"]`)
	p.WaitUntil(`window.had`)
	p.WaitForText("#toast", "download")
	text, name := harness.EvalScript[string](p, "window.had"), harness.EvalScript[string](p, "window.name_")
	if !strings.HasSuffix(name, ".jsonl") || !strings.HasPrefix(text, `{"type":"session"`) || !strings.Contains(text, f.leaf) {
		t.Errorf("%s: %.200s", name, text)
	}
}

// Without script the beginning of the path is readable.
func TestHTMLExport_WithoutScript(t *testing.T) {
	f := newForkedSession()
	path := t.TempDir() + "/s.jsonl"
	if err := os.WriteFile(path, f.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	p := sharedBrowser(t).NewPage(t)
	p.DisableScript()
	p.Open(exportHTML(t, path))
	p.WaitForText("#path", "The cache works")
	p.WaitForText("#tree", "Use a library for it")
	if strings.Contains(p.Text("body"), "part-") {
		t.Error("data is shown")
	}
}
