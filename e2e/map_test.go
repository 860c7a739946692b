//go:build e2e

package e2e

import (
	"path"
	"strings"
	"testing"

	"sessiontree/e2e/harness"
)

// The map shows every branch. A click on one shows its details, from which it is opened.
func TestMap(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	server := harness.StartServer(t, box.Dir)
	url := server.SessionURL(box.WriteSession(f.File))
	runInEachLook(t, func(t *testing.T, p *harness.Page, size string) {
		look := path.Base(t.Name())
		p.Open(url)
		waitForLive(p)
		if size == "phone" {
			p.Click(`.bottom-bar [data-do="actions"]`)
			p.Click(`#actions [data-action="map"]`)
		} else {
			p.Click(`.topbar a[aria-label="Map"]`)
			p.Click(`#map-panel [data-map-page]`)
		}
		waitForLive(p)
		p.WaitUntil(`document.querySelectorAll(".map-branch").length === 4`)
		p.WaitForText(".map-facts", "3 branches")
		p.WaitUntil(`document.querySelectorAll(".map-failure").length === 1`)
		p.WaitUntil(`document.documentElement.scrollWidth <= innerWidth`)
		p.CheckAccessibility("map")
		p.SaveScreenshot("map-" + strings.ReplaceAll(look, " ", "-"))
		if size == "desktop" {
			checkDownloadedMap(p)
		}
		name := `.map-name[data-branch="` + f.one + `"] text`
		p.RunScript(`document.querySelector('` + name + `').scrollIntoView({ inline: "center", block: "nearest" })`)
		p.Click(name)
		p.WaitForText(".map-details h2", "Use a library for it")
		waitForURL(p, "branch="+f.one)
		p.WaitUntil(`document.querySelectorAll(".map-entry").length === 4`)
		p.CheckAccessibility("map with the details of a branch")
		p.SaveScreenshot("map-details-" + strings.ReplaceAll(look, " ", "-"))
		p.Click(`.map-details-actions .btn--line`)
		waitForURL(p, "/compare?a="+f.leaf)
		p.WaitForElement("main")
		p.GoBack()
		waitForLive(p)
		p.Click(`.map-details-actions .btn--solid`)
		p.WaitForElement(pathItemSelector(f.oneTip))
	})
}

// checkDownloadedMap checks the SVG file of a map: its colors are written in it, and it has
// no link to this server.
func checkDownloadedMap(p *harness.Page) {
	p.RunScript(`
		window.saved = new Promise(saved => { URL.createObjectURL = blob => { blob.text().then(saved); return "blob:map" } })
		HTMLAnchorElement.prototype.click = function () { window.savedName = this.download }`)
	p.Click(`[data-do="map-download"]`)
	p.WaitUntil(`window.savedName === "Where-does-the-time-go-map.svg"`)
	p.WaitUntil(`window.saved.then(text => {
		const picture = new DOMParser().parseFromString(text, "image/svg+xml").documentElement
		return picture.tagName === "svg" && !picture.querySelector("a") && [...picture.querySelectorAll("path")].every(path => path.getAttribute("stroke").startsWith("rgb") || path.getAttribute("fill").startsWith("rgb"))
	})`)
}

// All of the map is reached by keys: M opens it next to the path, a link opens it as a page,
// the arrow keys move between branches, Enter shows one, plus and minus zoom, Escape goes back.
func TestMap_Keyboard(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	server := harness.StartServer(t, box.Dir)
	url := server.SessionURL(box.WriteSession(f.File))
	p := sharedBrowser(t).NewPage(t)
	p.Open(url)
	waitForLive(p)
	p.PressKey("m")
	p.WaitUntil(`document.activeElement.id === "map-panel"`)
	p.RunScript(`document.querySelector("[data-map-page]").focus()`)
	p.PressKey(harness.Enter)
	p.WaitForElement("#mappage")
	waitForLive(p)
	p.RunScript(`document.querySelector(".map-branch").focus()`)
	p.PressKey(harness.Down)
	p.WaitUntil(`document.activeElement.matches(".map-branch[data-branch]:not([data-branch=''])")`)
	p.PressKey(harness.Enter)
	p.WaitForElement(".map-details")
	p.WaitUntil(`document.activeElement.matches(".is-picked .map-branch")`)
	p.PressKey("+")
	waitForURL(p, "zoom=2")
	p.WaitUntil(`document.getElementById("mapscroll").scrollWidth > document.getElementById("mapscroll").clientWidth`)
	p.RunScript(`document.getElementById("mapbrush").focus()`)
	p.PressKey(harness.Home)
	p.WaitUntil(`document.getElementById("mapscroll").scrollLeft === 0`)
	p.PressKey(harness.End)
	p.WaitUntil(`document.getElementById("mapscroll").scrollLeft > 100 && document.getElementById("mapbrush").getAttribute("aria-valuenow") === "100"`)
	p.PressKey("0")
	p.WaitUntil(`!location.search.includes("zoom")`)
	p.PressKey(harness.Escape)
	p.WaitForNone(".map-details")
	p.PressKey(harness.Escape)
	p.WaitForElement("#app")
}

// The map follows the session.
func TestMap_Live(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	file := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(file) + "/map")
	waitForLive(p)
	p.WaitUntil(`document.querySelectorAll(".map-branch").length === 4`)
	f.BranchFrom(f.first)
	f.AddPrompt("Buy a faster machine")
	f.AddReply("It is three times as fast.")
	box.WriteFile(file, f.Bytes())
	p.WaitUntil(`document.querySelectorAll(".map-branch").length === 5`)
}
