//go:build e2e

package e2e

import (
	"fmt"
	"testing"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

// openBranches opens the list of branches with the keyboard.
func openBranches(p *harness.Page) {
	p.PressKey("b", harness.Shift)
	p.WaitForElement("#branches #branch-find:focus")
}

const listedBranches = `[...document.querySelectorAll("#branches .row.branch-row")].sort((a, b) => a.dataset.row - b.dataset.row).map(e => e.dataset.name).join("|")`

func waitForBranches(p *harness.Page, names string) {
	p.WaitUntil(fmt.Sprintf(listedBranches+` === %q`, names))
}

// The list of branches is filtered, sorted and compared with the mouse. Viewing a branch
// closes it, and Back opens it again.
func TestBranchPanel(t *testing.T) {
	f := newForkedSession()
	p := openSession(t, f.File, "")
	openBranches(p)
	waitForURL(p, "/branches")
	waitForBranches(p, "Current path|Do nothing about it|Use a library for it|Could we copy the one function?")
	p.Click("#branch-head .column-entries a")
	waitForURL(p, "sort=entries")
	p.WaitForElement(`#branch-head .column-entries[aria-sort="descending"]`)
	waitForBranches(p, "Current path|Use a library for it|Could we copy the one function?|Do nothing about it")
	p.Click("#branch-find")
	p.TypeText("LIBRARY")
	waitForBranches(p, "Use a library for it")
	p.WaitForText("#branch-count", "1 of 4")
	p.WaitForText("#branches mark", "library")
	p.RunScript(`document.querySelector("#branch-find").select()`)
	p.TypeText("kafka")
	p.WaitForText("#no-branches", "No branch matches “kafka”")
	p.RunScript(`document.querySelector("#branch-find").select()`)
	p.RunScript(`document.querySelector("#branch-find").value = ""; document.querySelector("#branch-find").dispatchEvent(new Event("input", {bubbles: true}))`)
	p.WaitUntil(`document.querySelectorAll("#branches .row.branch-row").length === 4`)
	p.Click(`#branch-shows a[href*="labeled"]`)
	p.WaitForText("#no-branches", "No such branch")
	p.Click(`#branch-shows a`)
	p.WaitUntil(`document.querySelectorAll("#branches .row.branch-row").length === 4`)

	p.Click(fmt.Sprintf(`#branches [data-head=%q] .pick`, f.two))
	p.WaitForText("#branch-foot", "Select another to compare")
	p.Click(fmt.Sprintf(`#branches [data-head=%q] .pick`, f.one))
	p.WaitForText("#branch-foot", "2 selected")
	p.Click(fmt.Sprintf(`#branches [data-head=%q] .pick`, f.inner))
	p.WaitForText("#branch-foot", "3 selected")
	p.Click(`#branch-foot [data-do="clear-picked"]`)
	p.WaitForNone("#branches .is-picked")

	p.Click(fmt.Sprintf(`#branches [data-head=%q] .column-name a`, f.one))
	p.WaitForText("#path", "The library is wired in")
	p.WaitForNone("#branch-find")
	waitForURL(p, "entry="+f.one)
	p.GoBack()
	p.WaitForElement("#branch-find")
	waitForURL(p, "sort=entries")
	p.Click(`#branches [data-do="close-panel"]`)
	p.WaitForNone("#branch-find")
	p.WaitForText("#path", "The cache works")
}

// Everything in the list of branches works with the keyboard alone.
func TestBranchPanel_Keyboard(t *testing.T) {
	f := newForkedSession()
	p := openSession(t, f.File, "")
	openBranches(p)
	p.PressKey(harness.Escape)
	p.WaitForNone("#branch-find")
	openBranches(p)
	p.PressKey(harness.Down)
	p.PressKey(harness.Down)
	p.WaitForElement(fmt.Sprintf(`#branches [data-head=%q].is-focus`, f.two))
	p.PressKey(harness.Enter)
	p.WaitForText("#path", "Then it stays as slow as it is")
	p.WaitForNone("#branch-find")

	openBranches(p)
	p.TypeText("one function")
	waitForBranches(p, "Could we copy the one function?")
	p.PressKey(harness.Enter)
	p.WaitForText("#path", "it has 40 lines")

	openBranches(p)
	p.RunScript(`document.querySelector("#branches .row.branch-row").focus()`)
	p.PressKey(" ")
	p.WaitForText("#branch-foot", "1 selected")
	p.PressKey(harness.Down)
	p.WaitUntil(fmt.Sprintf(`document.activeElement.dataset.head === %q`, f.two))
	p.PressKey(" ")
	p.WaitForText("#branch-foot", "2 selected: Current path, Do nothing about it")
	p.PressKey(harness.End)
	p.WaitUntil(fmt.Sprintf(`document.activeElement.dataset.head === %q`, f.inner))
	p.PressKey(harness.Home)
	p.PressKey(harness.Up)
	p.WaitForElement("#branch-find:focus")
	p.PressKey(harness.Escape)
	p.WaitForNone("#branch-find")
}

// manyBranches returns a session with n branches off its first answer.
func manyBranches(n int) *transcript.File {
	f := transcript.New(transcript.Pi, "e2e-many-branches", "/home/dev/project", harness.SessionStart)
	f.AddPrompt("Where does the time go?")
	first := f.AddReply("Into encoding.")
	for i := range n {
		f.BranchFrom(first)
		f.AddPrompt(fmt.Sprintf("Attempt %d", i+1))
		f.AddReply("It did not work.")
	}
	return f
}

// Only the rows near the visible ones of a long list are in the page.
func TestBranchPanel_Windowed(t *testing.T) {
	box := harness.NewSessionDir(t)
	path := box.WriteSession(manyBranches(600))
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path) + "/branches")
	p.WaitForText("#branches-title", "599")
	p.WaitUntil(`document.querySelectorAll("#branches .row.branch-row").length > 20`)
	p.RunScript(`document.querySelector("#branch-scroll").scrollTop = 1e6`)
	p.WaitUntil(`[...document.querySelectorAll("#branches .row.branch-row")].some(e => e.dataset.name === "Attempt 1")`)
	if n := p.CountElements("#branches .row.branch-row"); n > 120 {
		t.Errorf("%d rows are in the page", n)
	}
	p.WaitUntil(`document.querySelector("#branch-table").getAttribute("aria-rowcount") === "601"`)
}

// On a phone a branch has two lines, and everything is large enough to touch.
func TestBranchPanel_Phone(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.EmulatePhone()
	p.Open(server.SessionURL(path) + "/branches")
	p.WaitForElement("#branch-find:focus")
	checkWidth(t, p, "branches")
	small := harness.EvalScript[[]string](p, `[...document.querySelectorAll("#branches :is(a, button, .pick, .field, summary), .bottom-bar button, .topbar :is(a, button)")]
		.filter(e => e.checkVisibility() && !e.closest(".column-name") && e.getBoundingClientRect().height < 43.5).map(e => e.outerHTML.slice(0, 120))`)
	if len(small) > 0 {
		t.Errorf("too small to touch: %q", small)
	}
	p.Click("#branch-sort summary")
	p.Click(`#branch-sort a[href*="sort=entries"]`)
	p.WaitForText("#branch-sort summary", "Entries")
	p.Click(fmt.Sprintf(`#branches [data-head=%q] .pick`, f.two))
	p.WaitForText("#branch-foot", "1 selected")
	p.Click(fmt.Sprintf(`#branches [data-head=%q] .column-name a`, f.two))
	p.WaitForText("#path", "Then it stays as slow as it is")
	p.Open(server.SessionURL(path) + "/branches")
	p.WaitForElement("#branch-find:focus")
	p.Click(`.topbar [data-do="close-panel"]`)
	p.WaitForText("#path", "The cache works")
}

// Without script the list is a page with links and a form.
func TestBranchPanel_WithoutScript(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	url := server.SessionURL(path) + "/branches"
	p := sharedBrowser(t).NewPage(t)
	p.DisableScript()
	harness.Until(t, "the list", func() bool { p.Open(url); return p.CountElements("#branches .row.branch-row") == 4 })
	p.Click("#branch-head .column-name a")
	p.WaitForElement(`#branch-head .column-name[aria-sort="ascending"]`)
	p.Click("#branch-find")
	p.TypeText("nothing")
	p.PressKey(harness.Enter)
	p.WaitForText("#branch-count", "1 of 4")
	p.Click("#branches .row .column-name a")
	p.WaitForText("#path", "Then it stays as slow as it is")
}

// axe-core finds no violation in any state of the list.
func TestAxe_BranchPanel(t *testing.T) {
	skipOutsideCI(t)
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	f.AddLabel(f.two, "slow")
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	for _, theme := range themes() {
		for _, phone := range []bool{false, true} {
			p := sharedBrowser(t).NewPage(t)
			p.EmulateTheme(theme)
			if phone {
				p.EmulatePhone()
			}
			p.Open(server.SessionURL(path) + "/branches?find=it")
			p.WaitForElement("#branch-find:focus")
			p.CheckAccessibility("filtered branches " + theme)
			p.Click(`#branches .pick`)
			p.Click(`#branches .row.branch-row:nth-of-type(2) .pick`)
			p.WaitForText("#branch-foot", "2 selected")
			p.CheckAccessibility("selected branches " + theme)
			p.Open(server.SessionURL(path) + "/branches?find=kafka")
			p.WaitForElement("#no-branches b")
			p.CheckAccessibility("no branches " + theme)
			p.Close()
		}
	}
}

// Screenshots of the list, for comparison with the design: make shots.
func TestShots_Branches(t *testing.T) {
	skipUnlessShots(t)
	dir := copyDemo(t)
	server := harness.StartServer(t, dir)
	main := server.SessionURL(tileCacheSample(t, dir))
	for _, theme := range []string{"light", "dark"} {
		for _, phone := range []bool{false, true} {
			for name, query := range map[string]string{"branches": "sort=cost", "branches-filter": "find=tile", "branches-none": "find=kafka"} {
				p := sharedBrowser(t).NewPage(t)
				p.EmulateTheme(theme)
				if phone {
					name = "phone-" + name
					p.EmulatePhone()
				}
				p.Open(main + "/branches?" + query)
				p.WaitForElement("#branch-find:focus")
				if query == "sort=cost" {
					p.Click("#branches .row.branch-row .pick")
					p.Click("#branches .row.branch-row ~ .row.branch-row .pick")
					p.WaitForText("#branch-foot", "2 selected")
				}
				p.SaveScreenshot(name + "-" + theme)
				p.Close()
			}
		}
	}
}
