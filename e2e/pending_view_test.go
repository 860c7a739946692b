//go:build e2e

package e2e

import (
	"fmt"
	"testing"

	"sessiontree/e2e/harness"
)

// withholdScript delays fetches of a page: those whose address matches window.withhold
// wait for window.release().
const withholdScript = `{
  const { fetch } = window;
  let held = [];
  window.release = () => {
    window.withhold = null;
    for (const go of held) go();
    held = [];
  };
  window.fetch = async (url, options) => {
    if (window.withhold?.test(String(url))) await new Promise((go) => { window.heldCount = held.push(go); });
    return fetch(url, options);
  };
}`

// openWithholding opens a view of the session in a file, in a page that can withhold its fetches.
func openWithholding(t *testing.T, box *harness.SessionDir, path, query string) *harness.Page {
	t.Helper()
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.AddInitScript(withholdScript)
	p.Open(server.SessionURL(path) + query)
	waitForLive(p)
	return p
}

// The command palette is opened while a view is loading. It changes to the commands of
// the new view and keeps the input and the selection.
func TestPalette_PendingView(t *testing.T) {
	server := harness.StartServer(t, copyClaudeProject(t))
	p := sharedBrowser(t).NewPage(t)
	p.AddInitScript(withholdScript)
	p.Open(server.URL)
	openFromIndex(p, "A wren that sings softly")
	p.Open(p.Location() + "?entry=g1") // an agent's path, which has no compaction
	waitForLive(p)
	p.WaitForElement(pathItemSelector("g1"))
	p.RunScript(`window.withhold = /\/facts/`)
	p.Click(`#away a[data-do="leaf"]`)
	p.WaitForElement(pathItemSelector("b1"))
	p.PressKey("k", harness.Control)
	p.WaitForText("#palette-list", "Reset to leaf")
	p.TypeText("to")
	p.PressKey(harness.Down)
	p.WaitForText(`#palette-list [aria-selected="true"]`, "Branch to new file")
	p.WaitForNone(`#palette-list .icon--pack`)
	p.RunScript(`window.release()`)
	p.WaitForText("#palette-list", "Go to compaction, 115k tokens, manual")
	p.WaitForElement(`#away[hidden]`)
	if text := p.Text("#palette-list"); harness.EvalScript[string](p, `document.querySelector("#palette-input").value`) != "to" ||
		p.Text(`#palette-list [aria-selected="true"] span`) != "Branch to new file" {
		t.Errorf("what was typed or selected is lost: %q", text)
	}
	p.TypeText(" compaction")
	p.PressKey(harness.Enter)
	waitForURL(p, "entry=b1")
	p.WaitForElement("#e-b1.is-target")
}

// G opens its box before the labels are loaded, and input typed meanwhile goes into it.
func TestPalette_PendingLabels(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	f.AddLabel(f.first, "diagnosis")
	f.AddLabel(f.main, "way out")
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.AddInitScript(withholdScript)
	p.Open(server.SessionURL(path))
	waitForLive(p)
	p.RunScript(`window.withhold = /labeled-only/`)
	p.PressKey("g")
	p.TypeText("diag")
	p.WaitForText("#palette-none", "Loading")
	p.RunScript(`window.release()`)
	p.WaitForElement("#palette-list mark")
	if n := p.CountElements("#palette-list [role=option]"); n != 1 {
		t.Errorf("%d labels fit what was typed, want 1", n)
	}
	p.PressKey(harness.Enter)
	waitForURL(p, "entry="+f.first)
	p.WaitForElement(pathItemSelector(f.first) + ".is-target")
}

// B uses the entry of the new view, even while that is loading.
func TestBranch_PendingView(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	p := openWithholding(t, box, box.WriteSession(f.File), "?entry="+f.two)
	p.RunScript(`window.withhold = /\/facts/`)
	p.Click(`#away a[data-do="leaf"]`)
	p.RunScript(`document.querySelector("#main").focus()`)
	p.PressKey("b")
	p.RunScript(`window.release()`)
	p.WaitForText("#change", "is already here")
}

// A move in the tree while a view is loading keeps its row.
func TestTree_PendingView(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	p := openWithholding(t, box, box.WriteSession(f.File), "?entry="+f.two)
	focusRow(p, f.first)
	p.RunScript(`window.withhold = /\/rows/`)
	p.PressKey("l")
	p.WaitForElement(pathItemSelector(f.leaf))
	p.PressKey(harness.Up)
	p.WaitForElement("#tree [data-row='0']:focus")
	p.RunScript(`window.release()`)
	p.WaitForElement(rowSelector(f.leaf) + `[aria-selected="true"]`)
	waitForFocus(p, "#tree [data-row='0']")
}

// Facts about an appended entry are shown, although an entry of the shown path is clicked while they
// are on their way.
func TestRowClick_PendingFacts(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	p := openWithholding(t, box, path, "")
	p.RunScript(`window.withhold = /\/facts/`)
	added := f.AddPrompt("And across restarts?")
	box.AppendFile(path, f.LastLines(1))
	p.WaitForElement(rowSelector(added))
	p.WaitUntil(`window.heldCount`)
	p.Click(rowSelector(f.first) + " .row-link")
	p.WaitForElement(pathItemSelector(f.first) + ".is-target")
	p.RunScript(`window.release()`)
	p.WaitForElement(fmt.Sprintf(`#facts[data-session-leaf=%q][data-entry=%q]`, added, f.first))
}

// A viewer who scrolls the tree while a view is loading stays there.
func TestTree_PendingViewScrolled(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := longSession("e2e-scrolled", 60)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.AddInitScript(withholdScript)
	path := box.WriteSession(f)
	p.Open(server.SessionURL(path))
	waitForLive(p)
	p.PressKey(harness.Home)
	const scrolled, rowsRead = `document.querySelector("#tree").scrollTop`, `performance.getEntriesByType("resource").filter((e) => e.name.includes("/rows?") && e.responseEnd > 0).length`
	p.RunScript(`document.querySelector("#tree").scrollTop = 0`)
	p.RunScript(`window.withhold = /\/rows/`)
	p.Click(`#tree [data-row="0"] .row-link`)
	waitForURL(p, "entry=")
	p.PressKey("l")
	p.TurnWheel(180, 450, 600, 1)
	p.WaitUntil(scrolled + ` > 400`)
	read := harness.EvalScript[int](p, rowsRead)
	p.WaitUntil(fmt.Sprintf(`(window.release(), %s > %d)`, rowsRead, read))
	p.WaitForElement("#away[hidden]")
	harness.EvalScript[bool](p, twoFrames)
	if at := harness.EvalScript[float64](p, scrolled); at > 700 {
		t.Errorf("the tree was scrolled on to %.0f", at)
	}
}
