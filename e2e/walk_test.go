//go:build e2e

package e2e

import (
	"fmt"
	"testing"

	"sessiontree/e2e/harness"
)

// The main walk of a reader with a mouse, from the index and back.
func TestWalk(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	box.Put(f.File)
	box.Put(long("e2e-other", 3))
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)

	p.Open(server.URL)
	p.Wait(`document.querySelectorAll("a.srow").length === 2`)
	p.Exec(`[...document.querySelectorAll("a.srow")].find(a => a.innerText.includes("Where does the time go")).click()`)
	p.Has(row(f.leaf))
	p.Says("#path", "The cache works")
	p.Has(`#away[hidden]`)
	if n := p.Count("#tree .row--stub"); n != 2 {
		t.Fatalf("%d branches beside the path, want 2", n)
	}

	// Open a branch: its rows come, the path stays.
	p.Lacks(row(f.oneTip))
	p.Click(stub(f.one) + " .nd--tog")
	p.Has(row(f.oneTip))
	p.Has(stub(f.one) + `[aria-expanded="true"]`)
	p.Says("#path", "The cache works")
	inURL(p, "open="+f.one)

	// Select an entry of it: the path goes on to the newest leaf below.
	p.Click(stub(f.one) + " .row-link")
	p.Says("#path", "The library is wired in")
	p.Has(stub(f.one) + `[aria-selected="true"]`)
	inURL(p, "entry="+f.one)
	inURL(p, "leaf="+f.oneTip)
	p.Has(`#away:not([hidden])`)

	// Switch to the next branch at the fork.
	p.Click(fmt.Sprintf(`.switch[data-head=%q] a[data-switch="next"]`, f.one))
	p.Says("#path", "Then it stays as slow as it is")
	p.Has(item(f.two))
	p.Lacks(item(f.one))

	// Reset to the leaf.
	p.Click(`#away a[data-do="leaf"]`)
	p.Says("#path", "The cache works")
	p.Has(`#away[hidden]`)

	// Filter.
	p.Click(`#filters a[data-filter="user-only"]`)
	p.Lacks(`#tree .row--asst`)
	p.Has(row(f.main))
	inURL(p, "filter=user-only")
	p.Click(`#filters a[data-filter="default"]`)
	p.Has(`#tree .row--asst`)

	// Search: hits are marked, Enter goes to the next.
	p.Click(`#search input[type="search"]`)
	p.Type("library")
	p.Has(`#tree mark`)
	p.Wait(`/\d/.test(document.querySelector("#hits").innerText)`)
	inURL(p, "q=library")
	p.Key(harness.Enter)
	p.Wait(`document.querySelector("#tree .row.is-selected mark, #tree .row.is-selected.is-hit")`)
	p.Key(harness.Escape)
	p.Lacks(`#tree mark`)
}

// A link to an entry of a closed branch opens its path, its row is there and
// selected; Back and Forward walk the views.
func TestDeepLinkAndBack(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	url := server.SessionURL(path)

	p.Open(url + "?entry=" + f.inner)
	p.Has(stub(f.inner) + `[aria-selected="true"]`)
	p.Says("#path", "We could, it has 40 lines")
	p.Has(`#away:not([hidden])`)
	p.Wait(fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight })()`, stub(f.inner)))
	p.Wait(fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return r.bottom > 0 && r.top < innerHeight })()`, item(f.inner)))

	p.Click(`#away a[data-do="leaf"]`)
	p.Says("#path", "The cache works")
	p.Click(row(f.first) + " .row-link")
	p.Has(row(f.first) + `[aria-selected="true"]`)
	p.Back()
	p.Has(row(f.first) + `[aria-selected="false"]`)
	p.Says("#path", "The cache works")
	p.Back()
	p.Has(stub(f.inner) + `[aria-selected="true"]`)
	p.Says("#path", "We could, it has 40 lines")
	p.Exec(`history.forward()`)
	p.Says("#path", "The cache works")
	p.Has(`#away[hidden]`)
}

// The outline is a layout of its own with its own address.
func TestOutlineLayout(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(path))
	p.Click(`#side-foot a[data-layout="outline"]`)
	inURL(p, "layout=outline")
	p.Has(row(f.oneTip)) // nothing is folded in pi's own order
	p.Has(row(f.twoTip))
	p.Click(`#side-foot a[data-layout="spine"]`)
	p.Lacks(row(f.twoTip))
}
