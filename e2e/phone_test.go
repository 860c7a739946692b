//go:build e2e

package e2e

import (
	"fmt"
	"testing"

	"sessiontree/e2e/harness"
)

// On a phone the tree is a drawer and the bar at the bottom walks the session.
func TestPhone(t *testing.T) {
	box := harness.NewBox(t)
	f := newForked()
	path := box.Put(f.File)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Phone()
	p.Open(server.URL)
	p.Has("a.srow")
	fits(t, p, "index")
	p.Open(server.SessionURL(path))
	p.Says("#path", "The cache works")
	fits(t, p, "session")

	inView := `(() => { const r = document.querySelector("#side").getBoundingClientRect(); return r.left >= 0 && r.right > 200 && r.right <= innerWidth })()`
	p.Wait("!(" + inView + ")")
	p.Click(`.botbar [data-do="drawer"]`)
	p.Wait(inView)
	p.Wait(`document.querySelector('.botbar [data-do="drawer"]').ariaExpanded === "true"`)
	for _, selector := range []string{".botbar button", "#tree .row"} {
		if h := harness.Eval[float64](p, fmt.Sprintf(`Math.min(...[...document.querySelectorAll(%q)].map(e => e.getBoundingClientRect().height))`, selector)); h < 43.5 {
			t.Errorf("%s is %v high, want 44 to touch", selector, h)
		}
	}
	p.Click(stub(f.two) + " .row-link")
	p.Says("#path", "Then it stays as slow as it is")
	p.Wait("!(" + inView + ")")
	p.Click(`#bar-leaf`)
	p.Says("#path", "The cache works")

	// The drawer closes by its scrim and by Escape.
	p.Click(`.botbar [data-do="drawer"]`)
	p.Wait(inView)
	p.Key(harness.Escape)
	p.Wait("!(" + inView + ")")
}

// fits checks that nothing is wider than the window.
func fits(t *testing.T, p *harness.Page, what string) {
	t.Helper()
	if w := harness.Eval[int](p, `document.documentElement.scrollWidth`); w > harness.PhoneWidth {
		t.Errorf("%s is %d wide on a window of %d", what, w, harness.PhoneWidth)
	}
}
