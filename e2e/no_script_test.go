//go:build e2e

package e2e

import (
	"testing"

	"sessiontree/e2e/harness"
)

// Without script all navigation is plain links: find, open, select, reset to the leaf,
// filter, search.
func TestWithoutScript(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.DisableScript()
	ready := func() {
		harness.Until(t, "the list", func() bool { p.Open(server.URL); return p.CountElements("a.session-link") == 1 })
	}
	ready()
	p.Click("a.session-link")
	p.WaitForElement(rowSelector(f.leaf))
	p.WaitForText("#path", "The cache works")
	if n := p.CountElements(".needs-js"); n > 0 {
		if shown := harness.EvalScript[int](p, `[...document.querySelectorAll(".needs-js")].filter(e => e.checkVisibility()).length`); shown > 0 {
			t.Errorf("%d controls that need script are shown", shown)
		}
	}

	p.Click(branchRowSelector(f.two) + " .node--toggle")
	p.WaitForElement(rowSelector(f.twoTip))
	p.Click(rowSelector(f.twoTip) + " .row-link")
	p.WaitForText("#path", "Then it stays as slow as it is")
	p.Click(`.switch a[data-switch="prev"]`)
	p.WaitForText("#path", "The library is wired in")
	p.Click(`#away a[data-do="leaf"]`)
	p.WaitForText("#path", "The cache works")
	p.Click(`#filters a[data-filter="user-only"]`)
	p.WaitForNone("#tree .row--answer")
	p.Click(`#search input[type="search"]`)
	p.TypeText("library")
	p.PressKey(harness.Enter)
	p.WaitForElement("#tree mark")
	waitForURL(p, "filter=user-only")
}
