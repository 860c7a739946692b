//go:build e2e

package e2e

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sessiontree/e2e/harness"
)

// smallTargets is a script that returns the targets that are too low for a finger. Links in
// running text are not: they have as much space as a line. Some targets are as high as the row
// that they are in.
const smallTargets = `[...document.querySelectorAll("a[href], button, summary, input, select, [role=treeitem], [role=option]")]
	.filter(e => e.checkVisibility({visibilityProperty: true, opacityProperty: true}) && !e.closest(".visually-hidden, .markdown, .message-body, .skip-link, .ruler, .blame, svg, [inert]"))
	.filter(e => getComputedStyle(e).display !== "inline" || ![...e.parentElement.childNodes].some(n => n.nodeType === Node.TEXT_NODE && n.data.trim()))
	.filter(e => {
		const box = e.getBoundingClientRect()
		const after = getComputedStyle(e, "::after")
		const spare = after.content !== "none" && after.position === "absolute" ? -2 * (parseFloat(after.top) || 0) : 0
		const around = e.closest("[role=treeitem], label, .field, .session-row:not(.session-columns), .context-row, .history-row, .now-row, .map-entry, .team-row, .branch-row:not(.branches-head *), .pick") ?? e
		return box.width > 0 && Math.max(box.height + Math.max(spare, 0), around.getBoundingClientRect().height) < 43.5
	})
	.map(e => e.outerHTML.slice(0, 140))`

// touchLooks are devices without a mouse.
var touchLooks = []struct {
	name    string
	emulate func(*harness.Page)
	width   int
}{{"tablet", (*harness.Page).EmulateTablet, 1024}, {"phone", (*harness.Page).EmulatePhone, harness.PhoneWidth}}

// checkTargets checks that everything in a page is high enough for a finger.
func checkTargets(t *testing.T, p *harness.Page, what string) {
	t.Helper()
	for _, e := range harness.EvalScript[[]string](p, smallTargets) {
		t.Errorf("%s: too small to touch: %s", what, e)
	}
}

// On a tablet and a phone, everything can be touched, and no page is wider than the screen.
func TestTouchTargets(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	session := server.SessionURL(path)
	compared := session + "/compare?a=" + f.one + "&b=" + f.two
	for _, look := range touchLooks {
		t.Run(look.name, func(t *testing.T) {
			p := sharedBrowser(t).NewPage(t)
			look.emulate(p)
			for _, c := range someCases([]struct{ name, address, ready string }{
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
			}) {
				p.Open(c.address)
				p.WaitForElement(c.ready)
				checkTargets(t, p, c.name)
				checkWidthIn(t, p, c.name, look.width)
				checkBars(t, p, c.name)
				p.SaveScreenshot(look.name + "-" + c.name)
			}
		})
	}
}

// Neither have the components with canned data a target that is too low, in any of their states.
func TestTouchTargets_Components(t *testing.T) {
	goldens, err := filepath.Glob("../web/components/testdata/*.html")
	if err != nil || len(goldens) < 50 {
		t.Fatalf("%d components: %v", len(goldens), err)
	}
	goldens = slices.DeleteFunc(goldens, func(path string) bool { return filepath.Base(path) == "facts.html" }) // with a part of the top bar, without the bar
	server := httptest.NewServer(http.HandlerFunc(serveGolden))
	t.Cleanup(server.Close)
	for _, look := range touchLooks {
		t.Run(look.name, func(t *testing.T) {
			p := sharedBrowser(t).NewPage(t)
			look.emulate(p)
			p.Open(server.URL)
			for _, path := range someCases(goldens) {
				if !harness.EvalScript[bool](p, fmt.Sprintf(showGolden, filepath.Base(path))) {
					t.Errorf("%s is not shown", path)
				}
				checkTargets(t, p, filepath.Base(path))
			}
		})
	}
}

// showGolden is a script that shows a golden file without running its scripts, and returns whether it
// is shown.
const showGolden = `fetch(%q).then(r => r.text()).then(text => {
	const shown = new DOMParser().parseFromString(text, "text/html").body
	document.body.replaceWith(shown)
	return document.body === shown && shown.childElementCount > 0
})`

// serveGolden serves the golden files of components, what they name, and a page to show them in.
func serveGolden(w http.ResponseWriter, r *http.Request) {
	if name, ok := strings.CutPrefix(r.URL.Path, "/static/x/"); ok {
		if strings.HasPrefix(name, "css/") {
			name = "bundle/" + name
		}
		http.ServeFile(w, r, filepath.Join("../web/static", filepath.FromSlash(name)))
		return
	}
	if r.URL.Path != "/" {
		http.ServeFile(w, r, filepath.Join("../web/components/testdata", filepath.Base(r.URL.Path)))
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, `<!doctype html><html lang="en" class="js"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><link rel="stylesheet" href="/static/x/css/pages/all.css"><body></body></html>`)
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
	checkTargets(t, p, "actions")
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
