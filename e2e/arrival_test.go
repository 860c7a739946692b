//go:build e2e

package e2e

import (
	"testing"

	"sessiontree/e2e/harness"
)

// withheld lets a test hold back what a page fetches: the addresses that match
// window.withhold wait for window.release().
const withheld = `{
  const { fetch } = window;
  let held = [];
  window.release = () => {
    window.withhold = null;
    for (const go of held) go();
    held = [];
  };
  window.fetch = async (url, options) => {
    if (window.withhold?.test(String(url))) await new Promise((go) => held.push(go));
    return fetch(url, options);
  };
}`

// The list of commands is opened while the view is on its way: it becomes that of
// the view that arrives, with what was typed and selected.
func TestPalette_ViewOnItsWay(t *testing.T) {
	server := harness.Start(t, birds(t))
	p := chromium(t).Page(t)
	p.OnEveryPage(withheld)
	p.Open(server.URL)
	choose(p, "A wren that sings softly")
	p.Open(p.Location() + "?entry=g1") // an agent's path, on which nothing was compacted
	live(p)
	p.Has(item("g1"))
	p.Exec(`window.withhold = /\/facts/`)
	p.Click(`#away a[data-do="leaf"]`)
	p.Has(item("b1"))
	p.Key("k", harness.Control)
	p.Says("#palette-list", "Reset to leaf")
	p.Type("to")
	p.Key(harness.Down)
	p.Says(`#palette-list [aria-selected="true"]`, "Branch to new file")
	p.Lacks(`#palette-list .i--pack`)
	p.Exec(`window.release()`)
	p.Says("#palette-list", "Go to compaction, 115k tokens, manual")
	p.Has(`#away[hidden]`)
	if text := p.Text("#palette-list"); harness.Eval[string](p, `document.querySelector("#palette-input").value`) != "to" ||
		p.Text(`#palette-list [aria-selected="true"] span`) != "Branch to new file" {
		t.Errorf("what was typed or selected is lost: %q", text)
	}
	p.Type(" compaction")
	p.Key(harness.Enter)
	inURL(p, "entry=b1")
	p.Has("#e-b1.is-target")
}

// G opens its box before the labels are here; what is typed meanwhile is typed into
// it.
func TestPalette_LabelsOnTheirWay(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	f.Label(f.first, "diagnosis")
	f.Label(f.main, "way out")
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.OnEveryPage(withheld)
	p.Open(server.SessionURL(path))
	live(p)
	p.Exec(`window.withhold = /labeled-only/`)
	p.Key("g")
	p.Type("diag")
	p.Says("#palette-none", "Loading")
	p.Exec(`window.release()`)
	p.Has("#palette-list mark")
	if n := p.Count("#palette-list [role=option]"); n != 1 {
		t.Errorf("%d labels fit what was typed, want 1", n)
	}
	p.Key(harness.Enter)
	inURL(p, "entry="+f.first)
	p.Has(item(f.first) + ".is-target")
}

// B is about the entry that will be viewed, also while its view is on its way.
func TestBranch_ViewOnItsWay(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.OnEveryPage(withheld)
	p.Open(server.SessionURL(path) + "?entry=" + f.two)
	live(p)
	p.Exec(`window.withhold = /\/facts/`)
	p.Click(`#away a[data-do="leaf"]`)
	p.Exec(`document.querySelector("#main").focus()`)
	p.Key("b")
	p.Exec(`window.release()`)
	p.Says("#change", "stands here already")
}

// Who moves in the tree while a view is on its way stays on the row they moved to.
func TestTree_ViewOnItsWay(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.OnEveryPage(withheld)
	p.Open(server.SessionURL(path) + "?entry=" + f.two)
	live(p)
	focusRow(p, f.first)
	p.Exec(`window.withhold = /\/rows/`)
	p.Key("l")
	p.Has(item(f.leaf))
	p.Key(harness.Up)
	p.Has("#tree [data-i='0']:focus")
	p.Exec(`window.release()`)
	p.Has(row(f.leaf) + `[aria-selected="true"]`)
	focused(p, "#tree [data-i='0']")
}
