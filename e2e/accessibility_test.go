//go:build e2e

package e2e

import (
	"testing"

	"sessiontree/e2e/harness"
)

// axe-core finds no violation on any page, wide and narrow, light and dark.
func TestAxe(t *testing.T) {
	dir := copyDemo(t)
	server := harness.StartServer(t, dir)
	showcase := server.SessionURL(tileCacheSample(t, dir))
	joined := server.SessionURL(findSample(t, dir, "Add the other harbours."))
	runInEachLook(t, func(t *testing.T, p *harness.Page, size string) {
		p.Open(server.URL)
		p.WaitForElement("a.session-link")
		p.CheckAccessibility("index")
		p.Open(showcase)
		p.WaitForElement("#tree .row .leaf-tag")
		waitForLive(p)
		p.CheckAccessibility("session")
		p.RunScript(`document.querySelectorAll("details").forEach(d => { d.open = true })`)
		p.CheckAccessibility("session, everything open")
		p.RunScript(`document.querySelectorAll("details").forEach(d => { d.open = false })`)
		if size == "phone" {
			p.Click(`.bottom-bar [data-do="actions"]`)
			p.Click(`#actions [data-action="search"]`)
			waitForFocus(p, "#search-input")
		} else {
			p.Click(`#search input`)
		}
		p.TypeText("tile")
		p.WaitForElement("#tree mark")
		p.CheckAccessibility("session with hits")
		p.Open(joined)
		p.WaitForElement(".entry--join")
		waitForLive(p)
		p.RunScript(`document.querySelectorAll("details").forEach(d => { d.open = true })`)
		p.CheckAccessibility("sessions that hang together")
		p.Open(showcase + "?filter=labeled-only&q=nothing-like-this")
		p.WaitForElement(".state")
		p.CheckAccessibility("session without hits")
		p.AllowConsole("404")
		p.Open(server.URL + "/sessions/0000000000000000")
		p.WaitForElement(".page--error")
		p.CheckAccessibility("error page")
	})
}

// The dialogs are checked in one theme only, because they look alike everywhere.
func TestAxe_Dialogs(t *testing.T) {
	skipOutsideCI(t)
	dir := copyDemo(t)
	server := harness.StartServer(t, dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(tileCacheSample(t, dir)))
	waitForLive(p)
	p.RunScript(`document.querySelector("#tree [tabindex='0']").focus()`)
	p.PressKey("?")
	p.WaitForElement("#keys[open]")
	p.CheckAccessibility("keys")
	p.PressKey(harness.Escape)
	p.WaitForNone("#keys[open]")
	p.PressKey("k", harness.Control)
	p.WaitForElement("#palette[open]")
	p.CheckAccessibility("commands")
}
