//go:build e2e

package e2e

import (
	"testing"

	"sessiontree/e2e/harness"
)

// Without script the pages are plain links: find, open, look, go back to the
// leaf, filter, search.
func TestWithoutScript(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.WithoutScript()
	ready := func() {
		harness.Until(t, "the list", func() bool { p.Open(server.URL); return p.Count("a.srow") == 1 })
	}
	ready()
	p.Click("a.srow")
	p.Has(row(f.leaf))
	p.Says("#path", "The cache works")
	if n := p.Count(".needs-js"); n > 0 {
		if shown := harness.Eval[int](p, `[...document.querySelectorAll(".needs-js")].filter(e => e.checkVisibility()).length`); shown > 0 {
			t.Errorf("%d controls that need script are shown", shown)
		}
	}

	p.Click(stub(f.two) + " .nd--tog")
	p.Has(row(f.twoTip))
	p.Click(row(f.twoTip) + " .row-link")
	p.Says("#path", "Then it stays as slow as it is")
	p.Click(`.switch a[data-switch="prev"]`)
	p.Says("#path", "The library is wired in")
	p.Click(`#away a[data-do="leaf"]`)
	p.Says("#path", "The cache works")
	p.Click(`#filters a[data-filter="user-only"]`)
	p.Lacks("#tree .row--asst")
	p.Click(`#search input[type="search"]`)
	p.Type("library")
	p.Key(harness.Enter)
	p.Has("#tree mark")
	inURL(p, "filter=user-only")
}
