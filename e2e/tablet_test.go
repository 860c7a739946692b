//go:build e2e

package e2e

import (
	"testing"

	"sessiontree/e2e/harness"
)

// smallTargets is a script that returns the targets that are too small for a finger. Links in
// running text are not: they have as much space as a line.
const smallTargets = `[...document.querySelectorAll("a[href], button, summary, input, select, [role=treeitem], [role=option]")]
	.filter(e => e.checkVisibility({visibilityProperty: true, opacityProperty: true}) && !e.closest(".visually-hidden, .markdown, .message-body, .skip-link, .ruler, svg, [inert]"))
	.filter(e => {
		const box = e.getBoundingClientRect()
		const after = getComputedStyle(e, "::after")
		const spare = after.content !== "none" && after.position === "absolute" ? -2 * (parseFloat(after.top) || 0) : 0
		const around = e.closest("[role=treeitem], label, .field, .session-row:not(.session-columns), .branch-row:not(.branches-head *), .pick") ?? e
		return box.width > 0 && Math.max(box.height + Math.max(spare, 0), around.getBoundingClientRect().height) < 43.5
	})
	.map(e => e.outerHTML.slice(0, 140))`

// On a tablet, everything can be touched, and each entry shows its actions.
func TestTablet(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.EmulateTablet()
	for _, c := range []struct{ name, address, ready string }{
		{"list", server.URL, "a.session-link"},
		{"session", server.SessionURL(path), "#path .entry"},
		{"branches", server.SessionURL(path) + "/branches", ".branch-row"},
		{"search", server.URL + "/search?q=cache", ".result"},
		{"spend", server.URL + "/spend", ".page"},
		{"map", server.SessionURL(path) + "/map", "svg"},
	} {
		p.Open(c.address)
		p.WaitForElement(c.ready)
		for _, e := range harness.EvalScript[[]string](p, smallTargets) {
			t.Errorf("%s: too small to touch: %s", c.name, e)
		}
		if w := harness.EvalScript[int](p, `document.documentElement.scrollWidth`); w > 1024 {
			t.Errorf("%s is %d wide", c.name, w)
		}
		checkBars(t, p, c.name)
		p.SaveScreenshot("tablet-" + c.name)
	}
	p.Open(server.SessionURL(path))
	p.WaitForText("#path", "The cache works")
	p.WaitUntil(`[...document.querySelectorAll(".message-user .action-more")].every(e => e.checkVisibility({opacityProperty: true}))`)
	p.Click(".message-user .action-more")
	p.WaitForElement("dialog[open]")
	for _, e := range harness.EvalScript[[]string](p, smallTargets) {
		t.Errorf("actions: too small to touch: %s", e)
	}
}
