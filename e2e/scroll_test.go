//go:build e2e

package e2e

import (
	"fmt"
	"testing"

	"sessiontree/e2e/harness"
)

// A session of thousands of rows is walked without ever having many of them on
// the page.
func TestLongSession(t *testing.T) {
	const turns = 4000
	box := harness.NewSessionDir(t)
	f := longSession("e2e-long", turns)
	path := box.WriteSession(f)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	p.WaitForElement(rowSelector(f.LastID))
	waitForLive(p)
	p.RunScript(`document.querySelector("#tree [tabindex='0']").focus()`)
	few := func(where string) {
		t.Helper()
		if n := p.CountElements("#tree *"); n > 1500 {
			t.Errorf("%s: %d elements in the tree, want at most 1,500", where, n)
		}
	}
	few("at the leaf")

	p.PressKey(harness.Home)
	waitForFocus(p, `#tree [data-row="0"]`)
	p.WaitUntil(rowsCoverTree)
	few("at the start")
	p.PressKey(harness.End)
	waitForFocus(p, fmt.Sprintf(`#tree [data-row="%d"]`, 2*turns-1))
	p.WaitUntil(rowsCoverTree)
	for at := range 20 {
		p.RunScript(fmt.Sprintf(`document.querySelector("#tree").scrollTop = document.querySelector("#tree").scrollHeight * %d / 20`, at))
		p.WaitUntil(rowsCoverTree)
		few(fmt.Sprintf("at %d/20", at))
		// The focused row stays in the document, wherever the list is scrolled.
		waitForFocus(p, fmt.Sprintf(`#tree [data-row="%d"]`, 2*turns-1))
	}

	// The path loads pages in both directions without moving the visible text.
	p.Open(server.SessionURL(path) + "?entry=" + entryAt(p, server, path, turns))
	p.WaitForElement("#path-before:not([hidden])")
	p.WaitForElement("#path-after:not([hidden])")
	if n := p.CountElements("#path-pages li"); n > 200 {
		t.Errorf("%d entries in the path at once", n)
	}
}

// rowsCoverTree is true when rows cover the visible part of the tree.
const rowsCoverTree = `(() => {
  const tree = document.querySelector("#tree").getBoundingClientRect()
  for (let y = tree.top + 14; y < tree.bottom - 30; y += 24) {
    const at = document.elementFromPoint(tree.left + 120, y)
    if (!at?.closest(".row")) return false
  }
  return true
})()`

// entryAt returns the id of the row at an index.
func entryAt(p *harness.Page, server *harness.Server, path string, index int) string {
	url := fmt.Sprintf("/sessions/%s/rows?at=%d&n=1", server.SessionKey(path), index)
	return harness.EvalScript[string](p, fmt.Sprintf(`fetch(%q).then(r => r.text()).then(h => new DOMParser().parseFromString(h, "text/html").querySelector(".row").dataset.entry)`, url))
}

// The first paint of a session is its end, before the script of the page runs.
func TestLongSession_FirstPaint(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := longSession("e2e-first-paint", 400)
	path := box.WriteSession(f)
	server := harness.StartServer(t, box.Dir)
	for _, phone := range []bool{false, true} {
		p := sharedBrowser(t).NewPage(t)
		if phone {
			p.EmulatePhone()
		}
		p.AddInitScript(`addEventListener("DOMContentLoaded", () => requestAnimationFrame(() => {
			const isSeen = (el) => { const box = el.getBoundingClientRect(), pane = el.closest("#main, #tree").getBoundingClientRect(); return box.top >= pane.top && box.top < pane.bottom }
			const answers = document.querySelectorAll("#path .entry--answer");
			window.firstPaint = { ready: "ready" in document.documentElement.dataset, path: isSeen(answers[answers.length - 1]), row: isSeen(document.querySelector("#tree .is-selected")) }
		}))`)
		p.Open(server.SessionURL(path))
		got := harness.EvalScript[struct{ Ready, Path, Row bool }](p, `firstPaint`)
		if got.Ready || !got.Path || !got.Row {
			t.Errorf("phone %v: at the first paint the script had run: %v; the last answer is visible: %v; its row: %v", phone, got.Ready, got.Path, got.Row)
		}
	}
}

// The ruler marks the visible part of a path that scrolls.
func TestRuler_VisiblePart(t *testing.T) {
	box := harness.NewSessionDir(t)
	short, long := box.WriteSession(longSession("e2e-short-path", 1)), box.WriteSession(longSession("e2e-long-path", 40))
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	const height = `parseFloat(document.querySelector("#ruler-view").getAttribute("height"))`
	p.Open(server.SessionURL(long))
	p.WaitUntil(height + " > 1 && " + height + " < 50")
	p.Open(server.SessionURL(short))
	p.WaitForElement(`#ruler-view[y$="%"]`)
	if h := harness.EvalScript[float64](p, height); h != 0 {
		t.Errorf("the visible part is %v %% high though nothing scrolls", h)
	}
}
