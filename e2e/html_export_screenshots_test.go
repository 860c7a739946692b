//go:build e2e

package e2e

import (
	"testing"
)

// Screenshots of an HTML export: make shots.
func TestShots_HTMLExport(t *testing.T) {
	skipUnlessShots(t)
	dir := copyDemo(t)
	address := exportHTML(t, tileCacheSample(t, dir))
	for _, theme := range []string{"light", "dark"} {
		for _, phone := range []bool{false, true} {
			name := "page-" + theme
			p := sharedBrowser(t).NewPage(t)
			if phone {
				p.EmulatePhone()
				name = "page-phone-" + theme
			}
			p.EmulateTheme(theme)
			openOffline(p, address)
			p.SaveScreenshot(name)
			if phone {
				p.Click(`.topbar [data-do="drawer"]`)
				p.SaveScreenshot(name + "-drawer")
				continue
			}
			p.RunScript(`document.querySelector("#tree .row--branch .node--toggle").click()`)
			p.WaitForElement(`#tree .row--branch[aria-expanded="true"]`)
			p.RunScript(`document.querySelector("#tree .row--branch[aria-expanded='true'] .row-link").click()`)
			p.WaitForElement(`#away:not([hidden])`)
			p.WaitUntil(`!document.querySelector(".is-flash")`)
			p.SaveScreenshot(name + "-branch")
			p.RunScript(`document.documentElement.dataset.theme = "` + theme + `"`)
			p.SetWindowSize(794, 1123) // A4
			p.EmulatePrint(true)
			p.SaveScreenshot(name + "-print")
			p.EmulatePrint(false)
			p.SetWindowSize(1440, 900)
			p.PressKey("l")
			p.WaitForElement(`#path .entry--leaf`)
			p.WaitUntil(`!document.querySelector(".is-flash")`)
			p.SaveScreenshot(name + "-leaf")
		}
	}
}
