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
		const around = e.closest("[role=treeitem], label, .field, .session-row:not(.session-columns), .context-row, .history-row, .now-row, .branch-row:not(.branches-head *), .pick") ?? e
		return box.width > 0 && Math.max(box.height + Math.max(spare, 0), around.getBoundingClientRect().height) < 43.5
	})
	.map(e => e.outerHTML.slice(0, 140))`

// On a tablet and a phone, everything can be touched, and no page is wider than the screen.
func TestTouchTargets(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	session := server.SessionURL(path)
	compared := session + "/compare?a=" + f.one + "&b=" + f.two
	for look, emulate := range map[string]func(*harness.Page){"tablet": (*harness.Page).EmulateTablet, "phone": (*harness.Page).EmulatePhone} {
		t.Run(look, func(t *testing.T) {
			p := sharedBrowser(t).NewPage(t)
			emulate(p)
			for _, c := range []struct{ name, address, ready string }{
				{"list", server.URL, "a.session-link"},
				{"session", session, "#path .entry"},
				{"branches", session + "/branches", ".branch-row"},
				{"search", server.URL + "/search?q=cache", ".result"},
				{"spend", server.URL + "/spend", ".page"},
				{"map", session + "/map", "svg"},
				{"compare", compared, ".compare-answer"},
				{"compare-files", compared + "&tab=files", ".compare"},
				{"compare-table", compared + "&b=" + f.leaf, ".compare-prompts"},
				{"context", session + "/context?entry=" + f.leaf, ".context-row"},
				{"files", session + "/files", ".file-edit"},
				{"file-history", server.URL + "/files?path=/home/dev/project/cache.go", ".history-row"},
				{"file-search", server.URL + "/files?path=cache", ".history-found a"},
				{"now", server.URL + "/now", ".now-row"},
				{"export", session + "/export", ".dialog"},
				{"share", session + "/shares", ".expiry"},
				{"label", session + "/label?entry=" + f.main, ".dialog"},
				{"shares", server.URL + "/shares", ".page"},
			} {
				p.Open(c.address)
				p.WaitForElement(c.ready)
				for _, e := range harness.EvalScript[[]string](p, smallTargets) {
					t.Errorf("%s: too small to touch: %s", c.name, e)
				}
				if harness.EvalScript[bool](p, `document.documentElement.scrollWidth > innerWidth`) {
					t.Errorf("%s is wider than the screen", c.name)
				}
				checkBars(t, p, c.name)
				p.SaveScreenshot(look + "-" + c.name)
			}
		})
	}
}

// On a tablet, each entry shows its actions.
func TestTablet_Actions(t *testing.T) {
	box := harness.NewSessionDir(t)
	path := box.WriteSession(newForkedSession().File)
	p := sharedBrowser(t).NewPage(t)
	p.EmulateTablet()
	p.Open(harness.StartServer(t, box.Dir).SessionURL(path))
	p.WaitForText("#path", "The cache works")
	p.WaitUntil(`[...document.querySelectorAll(".message-user .action-more")].every(e => e.checkVisibility({opacityProperty: true}))`)
	p.Click(".message-user .action-more")
	p.WaitForElement("dialog[open]")
	for _, e := range harness.EvalScript[[]string](p, smallTargets) {
		t.Errorf("too small to touch: %s", e)
	}
}

// On a phone on its side, the bar has room for the title, and all filters and the list of branches
// from its first row on are visible.
func TestLandscapePhone(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	f.BranchFrom(f.first)
	f.AddPrompt("Ask somebody else")
	f.AddName("The picture is encoded again and again")
	path := box.WriteSession(f.File)
	p := sharedBrowser(t).NewPage(t)
	p.EmulateLandscapePhone()
	p.Open(harness.StartServer(t, box.Dir).SessionURL(path) + "/branches")
	p.WaitForElement("#branch-scroll .branch-row")
	p.WaitUntil(`document.querySelector(".branches-panel header [data-do=close-panel]").getBoundingClientRect().right <= innerWidth`)
	p.WaitUntil(`document.querySelector(".crumb-title, .crumbs b").clientWidth >= 120`)
	p.WaitUntil(`document.querySelector("#filters").scrollWidth <= document.querySelector("#filters").clientWidth`)
	if top := harness.EvalScript[float64](p, `document.querySelector("#branch-scroll").scrollTop`); top != 0 {
		t.Errorf("the list of branches begins %v pixels below its start", top)
	}
}
