//go:build e2e

package e2e

import (
	"testing"

	"sessiontree/e2e/harness"
)

// Lines of settings and labels beside the talk open in place, by keys and pointer.
func TestFold(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	f.Back(f.first)
	label := f.Label(f.first, "slow part")
	f.SetThinking("high")
	f.Back(f.leaf)
	last := f.User("And now?")
	path := box.Put(f.File) // before the server starts, so that it is listed
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(path))
	p.Has(row(last))
	live(p)
	const fold = "#tree .row--fold"
	p.Lacks(row(label))
	p.Has(fold + `[aria-expanded="false"]`)

	tabTo(t, p, `[role="treeitem"]`)
	p.Key(harness.Home)
	p.Keys(harness.Down, 2)
	focused(p, fold)
	p.Key(harness.Enter)
	p.Has(fold + `[aria-expanded="true"]`)
	p.Has(row(label) + `[aria-level="2"][aria-posinset="1"][aria-setsize="2"]`)
	inURL(p, "open="+label)
	focused(p, fold)
	p.Key(harness.Right)
	focused(p, row(label))
	p.Key(harness.Left)
	focused(p, fold)
	p.Key(harness.Left)
	p.Has(fold + `[aria-expanded="false"]`)
	p.Lacks(row(label))
	p.Key(harness.Right)
	p.Has(row(label))

	p.Click(fold + " .row-link")
	p.Has(fold + `[aria-expanded="false"]`)
	p.Wait(`!location.search.includes("open=")`)
}
