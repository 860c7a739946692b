//go:build e2e

package e2e

import (
	"fmt"
	"testing"

	"sessiontree/e2e/harness"
)

// On a phone the tree is a drawer, and the bar at the bottom navigates the session.
func TestPhone(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.EmulatePhone()
	p.Open(server.URL)
	p.WaitForElement("a.session-link")
	checkWidth(t, p, "index")
	p.Open(server.SessionURL(path))
	p.WaitForText("#path", "The cache works")
	checkWidth(t, p, "session")

	inView := `(() => { const r = document.querySelector("#side").getBoundingClientRect(); return r.left >= 0 && r.right > 200 && r.right <= innerWidth })()`
	p.WaitUntil("!(" + inView + ")")
	p.Click(`.bottom-bar [data-do="drawer"]`)
	p.WaitUntil(inView)
	p.WaitUntil(`document.querySelector('.bottom-bar [data-do="drawer"]').ariaExpanded === "true"`)
	for _, selector := range []string{".bottom-bar button", "#tree .row"} {
		if h := harness.EvalScript[float64](p, fmt.Sprintf(`Math.min(...[...document.querySelectorAll(%q)].map(e => e.getBoundingClientRect().height))`, selector)); h < 43.5 {
			t.Errorf("%s is %v high, want 44 to touch", selector, h)
		}
	}
	p.Click(branchRowSelector(f.two) + " .row-link")
	p.WaitForText("#path", "Then it stays as slow as it is")
	p.WaitUntil("!(" + inView + ")")
	p.Click(`#bar-leaf`)
	p.WaitForText("#path", "The cache works")

	// The scrim and Escape close the drawer.
	p.Click(`.bottom-bar [data-do="drawer"]`)
	p.WaitUntil(inView)
	p.PressKey(harness.Escape)
	p.WaitUntil("!(" + inView + ")")

	// Its field searches above the path.
	p.Click(`.bottom-bar [data-do="drawer"]`)
	p.WaitUntil(inView)
	p.Click(`.side [data-do="find"]`)
	p.WaitUntil("!(" + inView + ")")
	p.WaitUntil(`document.activeElement.id === "search-input"`)
}

// The text of a toast and its button are in one line, which is as wide as the window.
func TestPhone_Toast(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.EmulatePhone()
	p.Open(server.SessionURL(path))
	waitForLive(p)
	openDialogFor(p, "label", f.main)
	p.Click("#change-label")
	p.TypeText("fast")
	p.PressKey(harness.Enter)
	p.WaitForText("#toast", "Labeled fast")
	size := harness.EvalScript[[]float64](p, `(({width, height}) => [width, height])(document.querySelector("#toast").getBoundingClientRect())`)
	if size[0] < harness.PhoneWidth-20 || size[1] > 60 {
		t.Errorf("the toast is %v wide and %v high", size[0], size[1])
	}
}

// checkWidth checks that nothing is wider than the window.
func checkWidth(t *testing.T, p *harness.Page, what string) {
	t.Helper()
	checkWidthIn(t, p, what, harness.PhoneWidth)
}

// checkWidthIn checks that a page is not wider than a window. The browser's own width of a touch
// device grows with the page.
func checkWidthIn(t *testing.T, p *harness.Page, what string, window int) {
	t.Helper()
	if w := harness.EvalScript[int](p, `document.documentElement.scrollWidth`); w > window {
		t.Errorf("%s is %d wide on a window of %d", what, w, window)
	}
}

// checkBars checks that no bar is lower than what is in it, and that the navigation fits.
func checkBars(t *testing.T, p *harness.Page, what string) {
	t.Helper()
	low := `[...document.querySelectorAll(".topbar, .map-bar")].filter((e) => e.scrollHeight > e.clientHeight + 1).map((e) => e.className)`
	if bars := harness.EvalScript[[]string](p, low); len(bars) > 0 {
		t.Errorf("%s: bars are clipped: %q", what, bars)
	}
	if harness.EvalScript[bool](p, `[...document.querySelectorAll(".site-nav")].some((e) => e.scrollWidth > e.clientWidth)`) {
		t.Errorf("%s: a link of the navigation is outside of the screen", what)
	}
}
