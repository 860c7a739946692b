//go:build e2e

package e2e

import (
	"testing"

	"sessiontree/e2e/harness"
)

const paletteGroups = `[...document.querySelectorAll("#palette-list [role=group]")].map(g => g.getAttribute("aria-label")).join("|")`

// openPalette opens the palette and types a query.
func openPalette(p *harness.Page, query string) {
	p.PressKey("k", harness.Control)
	p.WaitForElement("#palette[open]")
	if query != "" {
		p.TypeText(query)
	}
}

// The palette finds entries, labels, sessions and commands, the best first.
func TestPalette(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	f.AddLabel(f.first, "library decision")
	path := box.WriteSession(f.File)
	other := longSession("e2e-other", 2)
	other.AddName("Branch protection rules")
	otherPath := box.WriteSession(other)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(otherPath))
	waitForLive(p)
	p.Open(server.SessionURL(path))
	waitForLive(p)

	// Without a query: recent places, then the commands.
	openPalette(p, "")
	p.WaitUntil(paletteGroups + ` === "Recent places|Commands"`)
	p.WaitForText("#palette-list", "Branch protection rules")
	p.TypeText("library")
	p.WaitForText(`#palette-list [aria-label="Labels"]`, "library decision")
	p.WaitForText(`#palette-list [aria-label="This session"]`, "Use a library for it")
	p.WaitUntil(`document.querySelector("#palette-list [role=group]").getAttribute("aria-label") === "Labels"`) // begins with the word
	p.WaitForText("#palette-list mark", "library")
	p.PressKey(harness.Tab)
	p.WaitUntil(`document.querySelector("#palette-list [aria-selected=true]").closest("[role=group]").getAttribute("aria-label") === "This session"`)
	p.PressKey(harness.Enter)
	p.WaitForNone("#palette[open]")
	p.WaitForElement("#path .is-target")

	// A session opens its page.
	openPalette(p, "protection")
	p.WaitForText(`#palette-list [aria-label="Sessions"]`, "Branch protection rules")
	p.Click(`#palette-list [aria-label="Sessions"] [role=option]`)
	p.WaitForText("#path", "Answer 2")

	// On the list of sessions too.
	p.Open(server.URL)
	p.WaitForElement("a.session-link, .session-row")
	p.WaitUntil(`document.documentElement.dataset.ready === ""`)
	openPalette(p, "protection")
	p.WaitForText(`#palette-list [aria-label="Sessions"]`, "Branch protection rules")
	p.PressKey(harness.Enter)
	p.WaitForText("#path", "Answer 2")
}

// A query without matches leads to the search over all sessions, and Ctrl Enter always does.
func TestPalette_None(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	waitForLive(p)
	openPalette(p, "brnach")
	p.WaitForText("#palette-none", "Nothing named “brnach”. Press Enter to search inside all sessions.")
	p.PressKey(harness.Enter)
	waitForURL(p, "/search?q=brnach")
	p.Open(server.SessionURL(path))
	waitForLive(p)
	openPalette(p, "library")
	p.WaitForText("#palette-list", "Search all sessions for “library”")
	p.PressKey(harness.Enter, harness.Control)
	waitForURL(p, "/search?q=library")
}

// Commands that are not possible now have one line. The others are listed on request.
func TestPalette_Unavailable(t *testing.T) {
	server := harness.StartServer(t, copyClaudeProject(t))
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.URL)
	openFromIndex(p, "A wren that sings softly")
	waitForLive(p)
	openPalette(p, "branch")
	p.WaitForText("#palette-list .palette-reason", "more are not available: ")
	if n := p.CountElements("#palette-list [aria-disabled]"); n != 0 {
		t.Errorf("%d commands that are not possible are listed", n)
	}
}

// An export is one command that asks what, in which format and what to hide.
func TestPalette_Export(t *testing.T) {
	p := openSession(t, newForkedSession().File, "")
	openPalette(p, "export")
	p.PressKey(harness.Enter)
	p.WaitForText("#palette-chip", "Export")
	p.WaitForText(`#palette-steps [aria-current="step"]`, "What")
	p.PressKey(harness.Enter)
	p.WaitForText(`#palette-steps [aria-current="step"]`, "Format")
	p.PressKey(harness.Backspace)
	p.WaitForText(`#palette-steps [aria-current="step"]`, "What")
	p.TypeText("whole")
	p.PressKey(harness.Enter)
	p.WaitForText("#palette-steps button", "What: Whole session")
	p.TypeText("session file")
	p.PressKey(harness.Enter)
	p.WaitForText(`#palette-steps [aria-current="step"]`, "Hide")
	p.PressKey(harness.Down)
	p.PressKey(harness.Enter)
	p.WaitForNone("#palette[open]")
	p.WaitForText("#toast", "The download has started")

	openPalette(p, "export")
	p.PressKey(harness.Enter)
	p.PressKey(harness.Enter)
	p.PressKey(harness.Enter)
	p.TypeText("check")
	p.PressKey(harness.Enter)
	p.WaitForElement("#change[open] .change--export")
}

// On a phone the palette fills the window, and More opens a sheet of actions.
func TestPalette_Phone(t *testing.T) {
	p := openOnPhone(t, newForkedSession().File)
	p.Click(`.bottom-bar [data-do="actions"]`)
	p.WaitForElement("#actions[open]")
	p.WaitForText(`#actions [data-count="branches"]`, "3")
	p.Click(`#actions [data-action="commands"]`)
	p.WaitForElement("#palette[open]")
	p.WaitUntil(`document.querySelector("#palette").getBoundingClientRect().height === innerHeight`)
	checkWidth(t, p, "palette")
	small := harness.EvalScript[[]string](p, `[...document.querySelectorAll("#palette :is(button, .field, [role=option])")].filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 43.5).map(e => e.outerHTML.slice(0, 120))`)
	if len(small) > 0 {
		t.Errorf("too small to touch: %q", small)
	}
	p.Click(`#palette [data-do="close-dialog"]`)
	p.WaitForNone("#palette[open]")
	p.Click(`.bottom-bar [data-do="actions"]`)
	p.Click(`#actions [data-action="branches"]`)
	p.WaitForElement("#branch-find:focus")
}

// axe-core finds no violation in any state of the palette and the sheet.
func TestAxe_Palette(t *testing.T) {
	skipOutsideCI(t)
	server := harness.StartServer(t, copyClaudeProject(t))
	for _, theme := range themes() {
		p := sharedBrowser(t).NewPage(t)
		p.EmulateTheme(theme)
		p.Open(server.URL)
		openFromIndex(p, "A wren that sings softly")
		waitForLive(p)
		openPalette(p, "")
		p.CheckAccessibility("palette " + theme)
		p.TypeText("branch")
		p.WaitForElement("#palette-list .palette-reason")
		p.CheckAccessibility("palette with a query " + theme)
		p.PressKey(harness.Escape)
		openPalette(p, "export")
		p.PressKey(harness.Enter)
		p.PressKey(harness.Enter)
		p.WaitForElement("#palette-steps button")
		p.CheckAccessibility("export steps " + theme)
		p.PressKey(harness.Escape)
		p.Close()
	}
}

// Screenshots of the palette, for comparison with the design: make shots.
func TestShots_Palette(t *testing.T) {
	skipUnlessShots(t)
	dir := copyDemo(t)
	server := harness.StartServer(t, dir)
	main := server.SessionURL(tileCacheSample(t, dir))
	for _, theme := range []string{"light", "dark"} {
		for _, phone := range []bool{false, true} {
			p := sharedBrowser(t).NewPage(t)
			p.EmulateTheme(theme)
			prefix := ""
			if phone {
				prefix = "phone-"
				p.EmulatePhone()
			}
			p.Open(server.SessionURL(findSample(t, dir, `"name":"Bank importer"`)))
			waitForLive(p)
			p.Open(main)
			waitForLive(p)
			for _, state := range []string{"start", "cache", "branch", "export"} {
				openPalette(p, "")
				p.RunScript(`document.querySelector("#palette-input").focus()`)
				if state != "start" {
					p.TypeText(state)
				}
				if state == "cache" {
					p.WaitForElement(`#palette-list [aria-label="This session"]`)
				}
				if state == "export" {
					p.PressKey(harness.Enter)
					p.PressKey(harness.Enter)
				}
				p.SaveScreenshot(prefix + "palette-" + state + "-" + theme)
				p.PressKey(harness.Escape)
				p.WaitForNone("#palette[open]")
			}
			if phone {
				p.Click(`.bottom-bar [data-do="actions"]`)
				p.WaitForElement("#actions[open]")
				p.SaveScreenshot("phone-actions-" + theme)
			}
			p.Close()
		}
	}
}
