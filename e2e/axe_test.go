//go:build e2e

package e2e

import (
	"testing"

	"sessiontree/e2e/harness"
)

// axe-core finds nothing on any page, wide and narrow, light and dark.
func TestAxe(t *testing.T) {
	dir := demo(t)
	server := harness.Start(t, dir)
	showcase := server.SessionURL(showcase(t, dir))
	joined := server.SessionURL(sample(t, dir, "Add the other harbours."))
	for _, size := range []string{"desktop", "phone"} {
		for _, theme := range []string{"light", "dark"} {
			t.Run(size+" "+theme, func(t *testing.T) {
				p := chromium(t).Page(t)
				p.Expect("Content Security Policy.*eval|unsafe-eval") // axe itself
				if size == "phone" {
					p.Phone()
				}
				p.Theme(theme)
				p.Open(server.URL)
				p.Has("a.srow")
				p.Axe("index")
				p.Open(showcase)
				p.Has("#tree .row .leaf-tag")
				live(p)
				p.Axe("session")
				p.Exec(`document.querySelectorAll("details").forEach(d => { d.open = true })`)
				p.Axe("session, everything open")
				p.Exec(`document.querySelectorAll("details").forEach(d => { d.open = false })`)
				if size == "phone" {
					p.Click(`.botbar [data-do="drawer"]`)
				}
				p.Click(`#search input`)
				p.Type("tile")
				p.Has("#tree mark")
				p.Axe("session with hits")
				p.Open(joined)
				p.Has(".entry--join")
				live(p)
				p.Exec(`document.querySelectorAll("details").forEach(d => { d.open = true })`)
				p.Axe("sessions that hang together")
				p.Open(showcase + "?filter=labeled-only&q=nothing-like-this")
				p.Has(".state")
				p.Axe("session without hits")
				p.Expect("404")
				p.Open(server.URL + "/sessions/0000000000000000")
				p.Has(".page--error")
				p.Axe("error page")
			})
		}
	}
}

// The dialogs are checked once; they look alike everywhere.
func TestAxe_Dialogs(t *testing.T) {
	dir := demo(t)
	server := harness.Start(t, dir)
	p := chromium(t).Page(t)
	p.Expect("Content Security Policy.*eval|unsafe-eval")
	p.Open(server.SessionURL(showcase(t, dir)))
	live(p)
	p.Exec(`document.querySelector("#tree [tabindex='0']").focus()`)
	p.Key("?")
	p.Has("#keys[open]")
	p.Axe("keys")
	p.Key(harness.Escape)
	p.Lacks("#keys[open]")
	p.Key("k", harness.Control)
	p.Has("#palette[open]")
	p.Axe("commands")
}
