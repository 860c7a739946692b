//go:build e2e

package e2e

import (
	"os"
	"testing"

	"sessiontree/e2e/harness"
)

// Pictures of every state, to be looked at beside the design: make shots.
func TestShots(t *testing.T) {
	if os.Getenv("SHOTS") == "" {
		t.Skip("only with SHOTS set (make shots)")
	}
	dir := demo(t)
	server := harness.Start(t, dir)
	main := server.SessionURL(showcase(t, dir))
	views := []struct {
		name, url string
		ready     string
		act       func(p *harness.Page)
	}{
		{"index", server.URL, "a.srow", nil},
		{"session", main, ".leaf-tag", nil},
		{"open-branch", main + "?open=" + branchHead(t, server, showcase(t, dir)), "#tree .ln--elbow.ln--start", nil},
		{"branch", main + "?entry=" + branchHead(t, server, showcase(t, dir)), "#away:not([hidden])", nil},
		{"search", main + "?q=cache", "#tree mark", nil},
		{"all", main + "?filter=all", ".leaf-tag", nil},
		{"outline", main + "?layout=outline", "#tree .row", nil},
		{"start", main, ".leaf-tag", func(p *harness.Page) { toTop(p) }},
		{"tools-open", main, ".leaf-tag", func(p *harness.Page) {
			p.Exec(`document.querySelectorAll("details.tool").forEach(d => { d.open = true })`)
		}},
		{"images", server.SessionURL(sample(t, dir, `"name":"Rain chart"`)), "#path img", func(p *harness.Page) { toTop(p) }},
		{"errors", server.SessionURL(sample(t, dir, `"name":"Flaky range test"`)), "#path .failed", func(p *harness.Page) { toTop(p) }},
		{"long", server.SessionURL(sample(t, dir, `"name":"Bank importer"`)), ".leaf-tag", nil},
		{"notes", server.SessionURL(sample(t, dir, `Segmentation fault`)), "#notes", func(p *harness.Page) { p.Exec(`document.querySelector("#notes").open = true`) }},
		{"system", server.SessionURL(sample(t, dir, `"name":"One cent off"`)) + "?filter=all", ".leaf-tag", func(p *harness.Page) { toTop(p) }},
		{"omp", server.SessionURL(sample(t, dir, `"type":"reset_boundary"`)), ".leaf-tag", nil},
		{"claude", server.SessionURL(sample(t, dir, `"aiTitle":"Tide table as SVG"`)), ".entry--join", nil},
		{"continued", server.SessionURL(sample(t, dir, "Add the other harbours.")), "#tree .row--head", nil},
		{"keys", main, ".leaf-tag", func(p *harness.Page) { live(p); p.Key("?"); p.Has("#keys[open]") }},
		{"commands", main, ".leaf-tag", func(p *harness.Page) { live(p); p.Key("k", harness.Control); p.Has("#palette[open]") }},
		{"missing", server.URL + "/sessions/0000000000000000", ".page--error", nil},
	}
	for _, v := range views {
		for _, theme := range []string{"light", "dark"} {
			p := chromium(t).Page(t)
			p.Expect("404")
			p.Theme(theme)
			p.Open(v.url)
			p.Has(v.ready)
			if v.act != nil {
				v.act(p)
			}
			settle(p)
			p.Shot(v.name + "-" + theme)
		}
	}
	for _, v := range []struct{ name, url, click string }{
		{"index", server.URL, ""}, {"session", main, ""}, {"drawer", main, `.botbar [data-do="drawer"]`},
	} {
		p := chromium(t).Page(t)
		p.Phone()
		p.Theme("light")
		p.Open(v.url)
		p.Has("a.srow, .leaf-tag")
		if v.click != "" {
			live(p)
			p.Click(v.click)
		}
		settle(p)
		p.Shot("phone-" + v.name)
	}
}

// settle waits for fonts, for the pictures in sight, and for the highlight of what
// was scrolled to.
func settle(p *harness.Page) {
	p.Wait(`document.fonts.status === "loaded" && [...document.images].every(i => i.complete || i.getBoundingClientRect().top > innerHeight || i.getBoundingClientRect().bottom < 0) &&
		document.getAnimations().every(a => a.playState !== "running" || a.effect.getComputedTiming().iterations === Infinity)`)
}

func toTop(p *harness.Page) {
	p.Exec(`document.querySelector("#main").scrollTop = 0`)
}

func branchHead(t *testing.T, server *harness.Server, path string) string {
	t.Helper()
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(path))
	p.Has("#tree .row--stub")
	return harness.Eval[string](p, `document.querySelector("#tree .row--stub").dataset.entry`)
}
