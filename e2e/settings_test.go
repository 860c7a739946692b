//go:build e2e

package e2e

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

// chooseSetting clicks a value in the open dialog of settings.
func chooseSetting(p *harness.Page, name, value string) {
	p.Click(fmt.Sprintf(`#settings label:has([data-setting=%q][value=%q])`, name, value))
	p.WaitForElement(fmt.Sprintf(`#settings [data-setting=%q][value=%q]:checked`, name, value))
}

// settingsSession is a long session that ends with thinking and a tool call.
func settingsSession() *transcript.File {
	f := longSession("e2e-settings", 60)
	f.AddPrompt("Write a small cache")
	f.AddBashCall("Tests first.", "go test ./cache", "ok", false)
	f.AddThinkingReply("The order is wrong: count before the check.", "The limit was checked too early.")
	return f
}

const (
	rowHeight    = `document.querySelector("#tree .row").getBoundingClientRect().height`
	bodyFontSize = `parseFloat(getComputedStyle(document.body).fontSize)`
)

// Settings apply at once, in other tabs and after a reload, and are reset.
func TestSettings(t *testing.T) {
	box := harness.NewSessionDir(t)
	path := box.WriteSession(settingsSession())
	server := harness.StartServer(t, box.Dir)
	profile := sharedBrowser(t).NewProfile(t)
	p, other := profile.NewPage(), profile.NewPage()
	for _, page := range []*harness.Page{p, other} {
		page.Open(server.SessionURL(path))
		waitForLive(page)
	}
	p.Click(`.topbar [data-do="settings"]`)
	p.WaitForElement("#settings[open]")
	p.CheckAccessibility("settings")

	for _, step := range []struct{ name, value, shows string }{
		{"theme", "dark", `matchMedia && getComputedStyle(document.body).backgroundColor === "rgb(16, 17, 20)" && document.querySelector(".topbar [data-do=theme]").title.includes("dark")`},
		{"text-size", "large", bodyFontSize + " > 14.5 && " + rowHeight + " === 27"},
		{"density", "compact", rowHeight + " === 23 && document.querySelector('#tree .row:last-of-type').getBoundingClientRect().bottom <= innerHeight"},
		{"thinking", "open", `document.querySelector("#path details.thinking[open]") && document.querySelector("[data-do=thinking]").ariaPressed === "true"`},
		{"tools", "open", `document.querySelector("#path details.tool[open]") && document.querySelector("[data-do=tools]").ariaPressed === "true"`},
	} {
		chooseSetting(p, step.name, step.value)
		p.WaitUntil(step.shows)
		other.WaitUntil(step.shows)
	}
	p.CheckAccessibility("settings, dark and large")

	// Without waiting for the script: boot.js applies them before the first paint.
	p.AddInitScript(`addEventListener("DOMContentLoaded", () => requestAnimationFrame(() => { window.atFirst = [document.documentElement.dataset.theme, document.querySelector("#tree .row")?.getBoundingClientRect().height, document.querySelectorAll("#path details.thinking:not([open])").length] }))`)
	p.Open(server.SessionURL(path))
	waitForLive(p)
	if got := harness.EvalScript[string](p, `JSON.stringify(atFirst)`); got != `["dark",23,0]` {
		t.Errorf("at first: %s", got)
	}
	p.Open(server.URL)
	p.WaitForElement("html[data-ready] .session-row")
	p.WaitUntil(`document.querySelector(".session-row:has(.session-link)").getBoundingClientRect().height === 32`)
	p.PressKey(",")
	p.WaitForElement(`#settings[open] [data-setting="density"][value="compact"]:checked`)
	p.Click(`[data-do="reset-settings"]`)
	p.WaitUntil(bodyFontSize + ` === 13 && localStorage.getItem("density") === null`)
	other.WaitUntil(rowHeight + ` === 24 && document.querySelector("#path details.thinking:not([open])")`)
}

// Compact rows apply to the pages Now and Files too.
func TestSettings_CompactPages(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := transcript.New(transcript.Pi, "e2e-compact", "/home/dev/atlas", time.Now().Add(-time.Minute))
	f.AddPrompt("Write a file")
	f.AddToolCall("", "write", transcript.Object{"path", "a.go", "content", "package a\n"})
	f.AddResult("Wrote it")
	f.AddReply("Done.")
	path := box.WriteSession(f)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	heights := func(address, selector string) (height float64) {
		p.Open(address)
		p.WaitForElement("html[data-ready] " + selector)
		return harness.EvalScript[float64](p, `document.querySelector("`+selector+`").getBoundingClientRect().height`)
	}
	pages := map[string]string{server.URL + "/now": ".now-row", server.SessionURL(path) + "/files": ".file-row", server.URL + "/files?path=/home/dev/atlas/a.go": ".history-row"}
	for address, selector := range pages {
		p.Open(server.URL)
		p.WaitForElement("html[data-ready]")
		p.RunScript(`localStorage.removeItem("density")`)
		before := heights(address, selector)
		p.RunScript(`localStorage.setItem("density", "compact")`)
		if after := heights(address, selector); after >= before {
			t.Errorf("%s: rows of %g px, compact %g px", address, before, after)
		}
	}
}

// The dialog works with keys alone. With single keys off, letters do nothing, other keys work.
func TestSettings_Keys(t *testing.T) {
	p := openSession(t, settingsSession(), "")
	p.PressKey(",")
	p.WaitForElement("#settings[open]")
	tabTo(t, p, `#settings [data-setting="theme"][value="system"]`)
	p.PressKey(harness.Right)
	p.WaitForElement(`html[data-theme="light"]`)
	tabTo(t, p, `#settings [data-setting="single-keys"]`)
	p.PressKey(harness.Right)
	p.PressKey(harness.Escape)
	p.WaitForNone("#settings[open]")
	p.PressKey("?")
	p.PressKey(",")
	p.PressKey("o")
	p.PressKey("k", harness.Control)
	p.WaitForElement("#palette[open]")
	p.TypeText("Settings")
	p.PressKey(harness.Enter)
	p.WaitForElement(`#settings[open] [data-setting="single-keys"][value="off"]:checked`)
	if p.CountElements("#keys[open], #path .tool[open]") > 0 {
		t.Error("a letter works although single keys are off")
	}
	p.PressKey(harness.Escape)
	p.Click(`.topbar [data-do="key-help"]`)
	p.Click("#keys label")
	p.WaitForElement("#single-keys:checked")
	p.PressKey(harness.Escape)
	p.PressKey("o")
	p.WaitForElement(`#path .tool[open]`)
}

// The first visible row stays where it is when the height of the rows changes.
func TestSettings_ScrolledTree(t *testing.T) {
	p := openSession(t, longSession("e2e-settings-scrolled", 300), "")
	p.RunScript(`document.getElementById("tree").scrollTop = 2400`)
	const firstRow = `[...document.querySelectorAll("#tree .row")].find(r => r.getBoundingClientRect().bottom > document.getElementById("tree").getBoundingClientRect().top + 2).textContent`
	p.WaitUntil(firstRow + `.includes("50")`)
	p.PressKey(",")
	before := harness.EvalScript[string](p, firstRow)
	chooseSetting(p, "density", "compact")
	p.WaitUntil(rowHeight + " === 20")
	p.WaitUntil(fmt.Sprintf(`%s === %q`, firstRow, before))
}

// At the largest text no page is wider than a phone, and the dialog fits.
func TestSettings_Phone(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.EmulatePhone()
	p.Open(server.URL)
	p.Click(`.topbar [data-do="settings"]`)
	p.WaitForElement("#settings[open]")
	chooseSetting(p, "text-size", "largest")
	p.CheckAccessibility("settings on a phone")
	p.SaveScreenshot("settings-phone")
	p.Click(`#settings [data-do="close-dialog"]`)
	for _, address := range []string{"/", "/now", "/search", "/spend", "/files", "/shares", server.SessionURL(path), server.SessionURL(path) + "/branches",
		server.SessionURL(path) + "/map", server.SessionURL(path) + "/files", server.SessionURL(path) + "/compare?a=" + f.leaf, server.SessionURL(path) + "/context?entry=" + f.leaf} {
		if address[0] == '/' {
			address = server.URL + address
		}
		p.Open(address)
		p.WaitForElement("html[data-ready]")
		checkWidth(t, p, address)
		checkBars(t, p, address)
		p.SaveScreenshot("settings-largest-phone-" + fmt.Sprint(len(address)))
	}
	p.Open(server.SessionURL(path))
	waitForLive(p)
	p.Click(`.bottom-bar [data-do="actions"]`)
	p.Click(`#actions [data-action="settings"]`)
	p.WaitForElement("#settings[open]")
}

// At the largest text the texts of columns do not overlap.
func TestSettings_LargestColumns(t *testing.T) {
	skipOutsideCI(t)
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.URL)
	p.Click(`.topbar [data-do="settings"]`)
	p.WaitForElement("#settings[open]")
	chooseSetting(p, "text-size", "largest")
	p.Click(`#settings [data-do="close-dialog"]`)
	for address, columns := range map[string]string{
		server.URL: ".session-columns > *", server.URL + "/?by=date": ".session-columns > *", server.SessionURL(path) + "/files": ".file-edit > *:not(.truncate)",
		server.SessionURL(path) + "/branches": ".branches-head .branch-row > *", server.URL + "/now": ".now-numbers > *", server.SessionURL(path) + "/context?entry=" + f.leaf: ".context-part > .number, .context-tokens",
	} {
		p.Open(address)
		p.WaitForElement(columns)
		wide := `[...document.querySelectorAll(` + strconv.Quote(columns) + `)].filter(e => e.scrollWidth > e.clientWidth && getComputedStyle(e).display !== "inline" && !e.closest(".visually-hidden")).map(e => e.outerHTML.slice(0, 100))`
		if texts := harness.EvalScript[[]string](p, wide); len(texts) > 0 {
			t.Errorf("%s: wider than their columns: %q", address, texts)
		}
	}
}
