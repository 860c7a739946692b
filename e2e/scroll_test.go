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
	box := harness.NewBox(t)
	f := long("e2e-long", turns)
	path := box.Put(f)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(path))
	p.Has(row(f.Last))
	live(p)
	p.Exec(`document.querySelector("#tree [tabindex='0']").focus()`)
	few := func(where string) {
		t.Helper()
		if n := p.Count("#tree *"); n > 1500 {
			t.Errorf("%s: %d elements in the tree, want at most 1,500", where, n)
		}
	}
	few("at the leaf")

	p.Key(harness.Home)
	focused(p, `#tree [data-i="0"]`)
	p.Wait(filled)
	few("at the start")
	p.Key(harness.End)
	focused(p, fmt.Sprintf(`#tree [data-i="%d"]`, 2*turns-1))
	p.Wait(filled)
	for at := range 20 {
		p.Exec(fmt.Sprintf(`document.querySelector("#tree").scrollTop = document.querySelector("#tree").scrollHeight * %d / 20`, at))
		p.Wait(filled)
		few(fmt.Sprintf("at %d/20", at))
		// The row with the focus stays on the page, wherever the list stands.
		focused(p, fmt.Sprintf(`#tree [data-i="%d"]`, 2*turns-1))
	}

	// The path comes in pages, both ways, and what is read does not jump.
	p.Open(server.SessionURL(path) + "?entry=" + entryAt(p, server, path, turns))
	p.Has("#path-before:not([hidden])")
	p.Has("#path-after:not([hidden])")
	if n := p.Count("#path-pages li"); n > 200 {
		t.Errorf("%d entries in the path at once", n)
	}
}

// filled is true when rows cover the visible part of the tree.
const filled = `(() => {
  const tree = document.querySelector("#tree").getBoundingClientRect()
  for (let y = tree.top + 14; y < tree.bottom - 30; y += 24) {
    const at = document.elementFromPoint(tree.left + 120, y)
    if (!at?.closest(".row")) return false
  }
  return true
})()`

// entryAt answers the id of the row at an index.
func entryAt(p *harness.Page, server *harness.Server, path string, index int) string {
	url := fmt.Sprintf("/sessions/%s/rows?at=%d&n=1", server.Key(path), index)
	return harness.Eval[string](p, fmt.Sprintf(`fetch(%q).then(r => r.text()).then(h => new DOMParser().parseFromString(h, "text/html").querySelector(".row").dataset.entry)`, url))
}
