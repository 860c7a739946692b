//go:build e2e

package e2e

import (
	"fmt"
	"testing"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

// openSession serves a session and opens its page.
func openSession(t *testing.T, f *transcript.File, query string) *harness.Page {
	t.Helper()
	box := harness.NewSessionDir(t)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(box.WriteSession(f)) + query)
	p.WaitForElement("#tree .row")
	waitForLive(p)
	return p
}

// listedHitSelector returns the selector of the hit of an entry.
func listedHitSelector(entry string) string {
	return fmt.Sprintf(`#finder .search-hit[data-hit=%q]`, entry)
}

// currentHit waits until the hit of an entry is the current one and viewed.
func waitForCurrentHit(p *harness.Page, entry string) {
	p.WaitForElement(listedHitSelector(entry) + `[aria-current="true"]`)
	p.WaitUntil(fmt.Sprintf(`document.querySelector("#facts").dataset.entry === %q`, entry))
}

// The list of hits opens while typing. Its hits are by branch, and the tree marks them
// without hiding a row.
func TestFind(t *testing.T) {
	f := newForkedSession()
	p := openSession(t, f.File, "")
	rows := p.CountElements("#tree .row")
	p.PressKey("/")
	p.TypeText("library")
	p.WaitForText("#finder-title", "4 hits")
	p.WaitForText("#hits", "4")
	waitForURL(p, "q=library")
	p.WaitUntil(`document.querySelectorAll("#finder .hit-branch--left .search-hit").length === 4`)
	p.WaitForText("#finder h3", "Use a library for it")
	p.WaitForText("#finder h3 .tag", "abandoned")
	p.WaitForText(branchRowSelector(f.one)+" .hit-count", "4 hits")
	p.WaitForText("#side-foot", "4 hits on 1 branch")
	if n := p.CountElements("#tree .row"); n != rows {
		t.Errorf("%d rows with a query, %d without", n, rows)
	}
	p.WaitForRendering()
	p.SaveScreenshot("find")
	p.CheckAccessibility("list of hits")

	// Enter views the first hit, which is on another branch, and then the next ones.
	p.PressKey(harness.Enter)
	waitForCurrentHit(p, f.one)
	p.WaitForText("#hits", "1 of 4")
	p.WaitForElement("#away:not([hidden])")
	p.PressKey(harness.Enter)
	waitForCurrentHit(p, f.mid)
	p.PressKey(harness.Enter, harness.Shift)
	waitForCurrentHit(p, f.one)

	// The first Enter continues from the viewed entry.
	p.Click(rowSelector(f.main) + " .row-link")
	p.WaitForText("#path", "The cache works")
	p.Click("#search-input")
	p.PressKey(harness.Enter)
	waitForCurrentHit(p, f.one)

	// Only prompts: n and N step through them, and wrap around.
	p.Click(`#finder-filters [data-filter="prompts"]`)
	p.WaitUntil(`document.querySelectorAll("#finder .search-hit").length === 2`)
	p.RunScript(`document.activeElement.blur()`)
	p.PressKey("n")
	p.WaitForText("#hits", "2 of 2")
	p.PressKey("n")
	p.WaitForText("#hits", "1 of 2")
	p.PressKey("n", harness.Shift)
	p.WaitForText("#hits", "2 of 2")

	// Escape closes the list, not the query. Enter in the field opens it again.
	p.PressKey(harness.Escape)
	p.WaitForElement("#finder[hidden]")
	p.WaitForElement("#tree mark")
	p.Click("#search-input")
	p.PressKey(harness.Enter)
	p.WaitForElement("#finder:not([hidden])")

	// Arrows move in the list, Enter views a hit, Escape returns to the field.
	p.Click(`#finder-filters [data-filter="all"]`)
	p.WaitUntil(`document.querySelectorAll("#finder .search-hit").length === 4`)
	p.Click(listedHitSelector(f.mid))
	waitForCurrentHit(p, f.mid)
	p.PressKey(harness.Down)
	waitForFocus(p, "#finder .search-hit")
	p.PressKey(harness.End)
	waitForFocus(p, listedHitSelector(f.oneTip))
	p.PressKey(harness.Enter)
	waitForCurrentHit(p, f.oneTip)
	p.PressKey(harness.Escape)
	p.WaitForElement("#finder[hidden]")
	waitForFocus(p, "#search-input")

	// A query without hits, and one that is not valid.
	p.RunScript(`document.querySelector("#search-input").select()`)
	p.TypeText("nobody said this")
	p.WaitForText("#finder-none", "No hits in this session.")
	p.WaitForText("#side-foot", "No hits")
	p.WaitForElement(`#finder-all[href="/search?q=nobody%20said%20this"]`)
	p.RunScript(`document.querySelector("#search-input").select()`)
	p.TypeText("re:(")
	p.WaitForText("#finder-title", "Not found")
	p.WaitForElement("#finder-all[hidden]")
	p.WaitUntil(`document.querySelector("#finder-none").innerText.trim() !== ""`)
}

// A long list has elements only near its visible part.
func TestFind_LongList(t *testing.T) {
	p := openSession(t, longSession("e2e-many", 1500), "")
	p.PressKey("/")
	p.TypeText("long")
	p.WaitForText("#hits", "3,000")
	p.WaitForText("#finder-title", "3,000 hits")
	elements := func() int { return p.CountElements("#finder .search-hit") }
	if n := elements(); n > 300 {
		t.Errorf("%d hits have elements", n)
	}
	p.PressKey(harness.Enter, harness.Shift) // the hit before the leaf, at the end of the list
	p.WaitForText("#hits", "2,999 of 3,000")
	p.WaitUntil(`(() => { const box = document.querySelector("#finder-list").getBoundingClientRect(), hit = document.querySelector('#finder .search-hit[aria-current="true"]')?.getBoundingClientRect();
		return hit && hit.top >= box.top && hit.bottom <= box.bottom; })()`)
	p.RunScript(`document.querySelector("#finder-list").scrollTop = 40000`)
	p.WaitUntil(`(() => { const box = document.querySelector("#finder-list").getBoundingClientRect();
		return [box.top + 5, box.top + box.height / 2, box.bottom - 5].every(y => document.elementFromPoint(box.left + 150, y)?.closest(".search-hit")); })()`)
	if n := elements(); n > 300 {
		t.Errorf("%d hits have elements", n)
	}
}

// The hits of a branch below those of a long path are drawn where they are.
func TestFind_LongListOfBranches(t *testing.T) {
	f := transcript.New(transcript.Pi, "e2e-two-long", "/home/dev/project", harness.SessionStart)
	first := f.AddPrompt("Start")
	var last string
	for _, name := range []string{"left", "path"} {
		f.BranchFrom(first)
		for i := range 400 {
			prompt := f.AddPrompt(fmt.Sprintf("Question %d of the %s", i, name))
			if name == "left" {
				last = prompt
			}
		}
	}
	p := openSession(t, f, "?q=question")
	p.WaitForText("#finder-title", "800 hits")
	p.WaitForElement("#finder .hit-branch--left h3")
	p.RunScript(`document.querySelector("#finder-list").scrollTop = 1e6`)
	p.WaitUntil(fmt.Sprintf(`(() => { const box = document.querySelector("#finder-list").getBoundingClientRect(), hit = document.querySelector(%q)?.getBoundingClientRect();
		return hit && hit.top >= box.top && hit.bottom <= box.bottom; })()`, listedHitSelector(last)))
}

// failingSession is a session with failed tool calls on its path and on a branch.
func failingSession() (f *transcript.File, onPath, onBranch string) {
	f = transcript.New(transcript.Pi, "e2e-failing", "/home/dev/project", harness.SessionStart)
	f.AddPrompt("Run the tests")
	first := f.AddReply("They are in ./cache.")
	f.AddPrompt("Use make")
	onBranch = f.AddBashCall("Trying make.", "make test", "make: *** No rule", true)
	f.AddReply("There is no such rule.")
	f.BranchFrom(first)
	f.AddPrompt("Use go")
	onPath = f.AddBashCall("Trying go.", "go test ./cache", "FAIL cache\n\nCommand exited with code 1", true)
	f.AddBashCall("", "go test ./...", "ok", false)
	f.AddReply("It works.")
	return f, onPath, onBranch
}

// Failed tool calls are counted, listed and stepped through, with and without the filter.
func TestFind_Failures(t *testing.T) {
	f, onPath, onBranch := failingSession()
	p := openSession(t, f, "")
	p.WaitForText(".failed-button", "2 failed")
	p.WaitForElement(`#ruler line.tick--failed`)

	// E and Shift+E, without the filter.
	p.PressKey("e")
	p.WaitUntil(fmt.Sprintf(`document.querySelector("#facts").dataset.entry === %q`, onPath))
	p.PressKey("e")
	p.WaitUntil(fmt.Sprintf(`document.querySelector("#facts").dataset.entry === %q`, onBranch))
	p.WaitForElement("#away:not([hidden])")
	p.PressKey("e", harness.Shift)
	p.WaitUntil(fmt.Sprintf(`document.querySelector("#facts").dataset.entry === %q`, onPath))
	p.PressKey("l")
	p.WaitForElement("#away[hidden]")

	p.Click(".failed-button")
	waitForURL(p, "filter=failed")
	p.WaitForElement(`.failed-button[aria-pressed="true"]`)
	p.WaitForText("#finder-title", "2 failed tool calls")
	p.WaitForText(listedHitSelector(onPath), "go test ./cache")
	p.WaitForText(listedHitSelector(onPath), "exit 1")
	p.WaitForText(listedHitSelector(onPath), "FAIL cache")
	p.WaitForText(`#tree .row--branch .hit-count`, "1 failed")
	p.WaitForText("#side-foot", "2 failed of 3 tool calls")
	p.WaitForText("#side-foot", "Others are hidden")
	p.WaitForNone(`#tree .row--answer:not(:has(.leaf-tag))`)
	p.Click(`.hit-nav [data-do="failed-next"]`)
	waitForCurrentHit(p, onPath)
	p.WaitForRendering()
	p.SaveScreenshot("find-failed")
	p.CheckAccessibility("failed tool calls")
	p.PressKey("n")
	waitForCurrentHit(p, onBranch)

	p.Click(".failed-button")
	p.WaitForElement("#finder[hidden]")
	p.WaitForElement(`#tree .row--answer`)
}

// Screenshots of the list of hits in both themes and in a window without room for the tree.
func TestShots_Find(t *testing.T) {
	skipUnlessShots(t)
	dir := copyDemo(t)
	server := harness.StartServer(t, dir)
	address := server.SessionURL(tileCacheSample(t, dir))
	for _, v := range []struct {
		name, query, theme string
		width              int64
	}{
		{"hits-light", "?q=cache", "light", 1440}, {"hits-dark", "?q=cache", "dark", 1440}, {"hits-narrow", "?q=cache", "light", 1000},
		{"none-light", "?q=kafka", "light", 1440}, {"failed-light", "?filter=failed", "light", 1440}, {"failed-dark", "?filter=failed", "dark", 1440},
	} {
		p := sharedBrowser(t).NewPage(t)
		p.SetWindowSize(v.width, 900)
		p.EmulateTheme(v.theme)
		p.Open(address + v.query)
		p.WaitUntil(`document.querySelector("#finder .search-hit, #finder-none:not([hidden])")`)
		waitForLive(p)
		if v.query != "?q=kafka" {
			p.PressKey("n")
			p.WaitForElement(`#finder .search-hit[aria-current="true"]`)
		}
		p.SaveScreenshot("find-" + v.name)
	}
	for _, theme := range []string{"light", "dark"} {
		for name, query := range map[string]string{"hits": "?q=cache", "failed": "", "none": "?q=kafka"} {
			p := sharedBrowser(t).NewPage(t)
			p.EmulatePhone()
			p.EmulateTheme(theme)
			p.Open(address + query)
			waitForLive(p)
			p.Click(map[string]string{"hits": "#findbar-list", "none": "#findbar-list", "failed": ".failed-button"}[name])
			if name == "failed" { // their bar opens first
				p.Click("#findbar-list")
			}
			p.WaitUntil(`document.querySelector("#finder .search-hit, #finder-none:not([hidden])")`)
			p.SaveScreenshot("find-" + name + "-phone-" + theme)
		}
	}
}
