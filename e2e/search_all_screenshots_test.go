//go:build e2e

package e2e

import (
	"testing"

	"sessiontree/e2e/harness"
)

// Screenshots of each state of the search over all sessions: make shots.
func TestSearchAllShots(t *testing.T) {
	skipUnlessShots(t)
	server := harness.StartServer(t, copyDemo(t))
	states := []struct {
		name, query, ready string
		act                func(p *harness.Page)
	}{
		{"start", "", "#search-start", nil},
		{"results", "after:2025-10-01 cache", `#search-status[data-state="done"]`, nil},
		{"none", "after:2025-10-01 tool:nothing cache", ".state-actions button", nil},
		{"error", `re:fs\.watch(File`, ".query-error", nil},
		{"typing", "cache", `#search-status[data-state="done"]`, func(p *harness.Page) {
			p.Click("#query")
			p.TypeText(" tool:")
			p.WaitForElement("#suggestions:not([hidden])")
		}},
	}
	for _, size := range []string{"desktop", "phone"} {
		for _, theme := range []string{"light", "dark"} {
			for _, s := range states {
				p := newPageWithLook(t, size, theme)
				p.Open(searchAllURL(server, s.query))
				p.WaitForElement(s.ready)
				if s.act != nil {
					s.act(p)
				}
				p.SaveScreenshot("search-all-" + s.name + "-" + size + "-" + theme)
				if size == "desktop" && s.name == "none" {
					saveRunningShots(t, server, theme)
				}
				if size == "phone" && s.name == "results" {
					p.Click("#open-facets")
					p.WaitForElement("#facet-sheet[open]")
					p.SaveScreenshot("search-all-filters-" + size + "-" + theme)
				}
			}
		}
	}
}

// saveRunningShots saves a search that runs and one that was cut off.
func saveRunningShots(t *testing.T, server *harness.Server, theme string) {
	t.Helper()
	p := startHeldSearch(t, server, "the", func(p *harness.Page) { p.EmulateTheme(theme) })
	p.RunScript(`emitLine(0), emitLine(1), emitLine(2)`)
	p.WaitForText("#search-count", "so far")
	p.PressKey(harness.Down)
	p.SaveScreenshot("search-all-running-desktop-" + theme)
	p.RunScript(`breakStream()`)
	p.WaitForElement(`#search-message [role="alert"]`)
	p.SaveScreenshot("search-all-lost-desktop-" + theme)
}
