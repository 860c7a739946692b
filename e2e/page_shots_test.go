//go:build e2e

package e2e

import (
	"os"
	"testing"
)

// Pictures of an exported page: make shots.
func TestPageShots(t *testing.T) {
	if os.Getenv("SHOTS") == "" {
		t.Skip("only with SHOTS set (make shots)")
	}
	dir := demo(t)
	address := exported(t, showcase(t, dir))
	for _, theme := range []string{"light", "dark"} {
		for _, phone := range []bool{false, true} {
			name := "page-" + theme
			p := chromium(t).Page(t)
			if phone {
				p.Phone()
				name = "page-phone-" + theme
			}
			p.Theme(theme)
			openFile(p, address)
			settle(p)
			p.Shot(name)
			if phone {
				p.Click(`.topbar [data-do="drawer"]`)
				settle(p)
				p.Shot(name + "-drawer")
				continue
			}
			p.Exec(`document.querySelector("#tree .row--stub .nd--tog").click()`)
			p.Has(`#tree .row--stub[aria-expanded="true"]`)
			p.Exec(`document.querySelector("#tree .row--stub[aria-expanded='true'] .row-link").click()`)
			p.Has(`#away:not([hidden])`)
			p.Wait(`!document.querySelector(".is-flash")`)
			settle(p)
			p.Shot(name + "-branch")
			p.Exec(`document.documentElement.dataset.theme = "` + theme + `"`)
			p.Size(794, 1123) // A4
			p.Paper(true)
			p.Shot(name + "-print")
			p.Paper(false)
			p.Size(1440, 900)
			p.Key("l")
			p.Has(`#path .entry--leaf`)
			p.Wait(`!document.querySelector(".is-flash")`)
			settle(p)
			p.Shot(name + "-leaf")
		}
	}
}
