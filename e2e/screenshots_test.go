//go:build e2e

package e2e

import (
	"testing"

	"sessiontree/e2e/harness"
)

// Screenshots of every state, for comparison with the design: make shots.
func TestShots(t *testing.T) {
	skipUnlessShots(t)
	dir := copyDemo(t)
	server := harness.StartServer(t, dir)
	main := server.SessionURL(tileCacheSample(t, dir))
	views := []struct {
		name, url string
		ready     string
		act       func(p *harness.Page)
	}{
		{"index", server.URL, "a.session-link", nil},
		{"session", main, ".leaf-tag", nil},
		{"open-branch", main + "?open=" + firstBranchHead(t, server, tileCacheSample(t, dir)), "#tree .lane--elbow.lane--start", nil},
		{"branch", main + "?entry=" + firstBranchHead(t, server, tileCacheSample(t, dir)), "#away:not([hidden])", nil},
		{"search", main + "?q=cache", "#tree mark", nil},
		{"all", main + "?filter=all", ".leaf-tag", nil},
		{"outline", main + "?layout=outline", "#tree .row", nil},
		{"start", main, ".leaf-tag", func(p *harness.Page) { scrollToTop(p) }},
		{"tools-open", main, ".leaf-tag", func(p *harness.Page) {
			p.RunScript(`document.querySelectorAll("details.tool").forEach(d => { d.open = true })`)
		}},
		{"images", server.SessionURL(findSample(t, dir, `"name":"Rain chart"`)), "#path img", func(p *harness.Page) { scrollToTop(p) }},
		{"errors", server.SessionURL(findSample(t, dir, `"name":"Flaky range test"`)), "#path .failed", func(p *harness.Page) { scrollToTop(p) }},
		{"long", server.SessionURL(findSample(t, dir, `"name":"Bank importer"`)), ".leaf-tag", nil},
		{"notes", server.SessionURL(findSample(t, dir, `Segmentation fault`)), "#notes", func(p *harness.Page) { p.RunScript(`document.querySelector("#notes").open = true`) }},
		{"system", server.SessionURL(findSample(t, dir, `"name":"One cent off"`)) + "?filter=all", ".leaf-tag", func(p *harness.Page) { scrollToTop(p) }},
		{"omp", server.SessionURL(findSample(t, dir, `"type":"reset_boundary"`)), ".leaf-tag", nil},
		{"claude", server.SessionURL(findSample(t, dir, `"aiTitle":"Tide table as SVG"`)), ".entry--join", nil},
		{"continued", server.SessionURL(findSample(t, dir, "Add the other harbours.")), "#tree .row--head", nil},
		{"keys", main, ".leaf-tag", func(p *harness.Page) { waitForLive(p); p.PressKey("?"); p.WaitForElement("#keys[open]") }},
		{"commands", main, ".leaf-tag", func(p *harness.Page) {
			waitForLive(p)
			p.PressKey("k", harness.Control)
			p.WaitForElement("#palette[open]")
		}},
		{"missing", server.URL + "/sessions/0000000000000000", ".page--error", nil},
	}
	for _, v := range views {
		for _, theme := range []string{"light", "dark"} {
			p := sharedBrowser(t).NewPage(t)
			p.AllowConsole("404")
			p.EmulateTheme(theme)
			p.Open(v.url)
			p.WaitForElement(v.ready)
			if v.act != nil {
				v.act(p)
			}
			p.SaveScreenshot(v.name + "-" + theme)
		}
	}
	for _, v := range []struct{ name, url, click string }{
		{"index", server.URL, ""}, {"session", main, ""}, {"drawer", main, `.bottom-bar [data-do="drawer"]`},
	} {
		p := sharedBrowser(t).NewPage(t)
		p.EmulatePhone()
		p.EmulateTheme("light")
		p.Open(v.url)
		p.WaitForElement("a.session-link, .leaf-tag")
		if v.click != "" {
			waitForLive(p)
			p.Click(v.click)
		}
		p.SaveScreenshot("phone-" + v.name)
	}
}

func scrollToTop(p *harness.Page) {
	p.RunScript(`document.querySelector("#main").scrollTop = 0`)
}

func firstBranchHead(t *testing.T, server *harness.Server, path string) string {
	t.Helper()
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	p.WaitForElement("#tree .row--branch")
	return harness.EvalScript[string](p, `document.querySelector("#tree .row--branch").dataset.entry`)
}
