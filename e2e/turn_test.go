//go:build e2e

package e2e

import (
	"testing"

	"sessiontree/e2e/harness"
)

// The prompt of a turn stays above the path after it has scrolled out, and leads back.
func TestTurnBar(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := longSession("e2e-turn", 60)
	path := box.WriteSession(f)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.SetWindowSize(1440, 900)
	p.Open(server.SessionURL(path))
	p.WaitForElement("#path .entry--user")
	// Scrolling to the middle of an answer, so that its prompt is above.
	const scrollPast = `(() => {
		const prompts = [...document.querySelectorAll(".entry--user")], prompt = prompts[prompts.length - 12]
		document.querySelector("#main").scrollTop += prompt.getBoundingClientRect().bottom - document.querySelector("#facts").getBoundingClientRect().bottom + 4
		return prompt.querySelector(".message-body").innerText.trim()
	})()`
	want := harness.EvalScript[string](p, scrollPast)
	p.WaitForText("#turn-bar", want)
	p.CheckAccessibility("bar of the turn")
	p.SaveScreenshot("turn-bar")
	p.Click("#turn-bar button")
	p.WaitUntil(`document.querySelector("#turn-bar").hidden`)
	p.WaitUntil(`[...document.querySelectorAll(".entry--user")].some(e => {
		const top = e.getBoundingClientRect().top - document.querySelector("#facts").getBoundingClientRect().bottom
		return top >= 0 && top < 20
	})`)
}

// The path follows the filter of the tree where the user wants it.
func TestPathFilter(t *testing.T) {
	box := harness.NewSessionDir(t)
	path := box.WriteSession(newForkedSession().File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	p.WaitForText("#path", "The cache works")
	const shown = `[...document.querySelectorAll("#path .entry--tools")].filter(e => e.checkVisibility()).length`
	p.WaitUntil(shown + " > 0")
	p.WaitUntil(`document.querySelector("#path-filter").hidden`)
	p.Click(`#filters [data-filter="no-tools"]`)
	p.WaitUntil(shown + " === 0")
	p.Click("#path-filter input")
	p.WaitUntil(shown + " > 0")
	p.Open(server.SessionURL(path) + "?filter=no-tools") // the choice is remembered
	p.WaitUntil(`document.querySelector("#path-filter input").checked === false`)
	p.WaitUntil(shown + " > 0")
	p.Click(`#filters [data-filter="user-only"]`)
	p.WaitUntil(`document.querySelector("#path-filter input").checked === false`)
	p.Click("#path-filter")
	p.WaitUntil(`[...document.querySelectorAll("#path .entry--answer")].every(e => !e.checkVisibility())`)
	p.WaitUntil(`[...document.querySelectorAll("#path .entry--user")].every(e => e.checkVisibility())`)
}

// At the end of the tree, and after a jump, the first visible row is whole.
func TestTree_FirstRowIsWhole(t *testing.T) {
	box := harness.NewSessionDir(t)
	path := box.WriteSession(longSession("e2e-whole", 200))
	address := harness.StartServer(t, box.Dir).SessionURL(path)
	p := sharedBrowser(t).NewPage(t)
	const isWhole = `(() => {
		const tree = document.querySelector("#tree"), top = tree.getBoundingClientRect().top
		return tree.scrollTop > 100 && [...tree.querySelectorAll(".row")].some(row => Math.abs(row.getBoundingClientRect().top - top) < 0.5)
	})()`
	for _, height := range []int64{700, 811, 900} {
		p.SetWindowSize(1440, height)
		p.Open(address)
		p.WaitForElement("#tree .row.is-selected")
		p.WaitUntil(isWhole)
	}
}

// The full text of a truncated row is shown while the pointer or the focus is on it.
func TestTree_RowTooltip(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := longSession("e2e-tooltip", 3)
	long := "A prompt with many words, so that the row of the tree has no room for all of them and ends early"
	id := f.AddPrompt(long)
	f.AddReply("Short.")
	path := box.WriteSession(f)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.SetWindowSize(1440, 900)
	p.Open(server.SessionURL(path))
	p.WaitForElement(rowSelector(id))
	const isShown = `document.querySelector(".row-tooltip")?.matches(":popover-open") === true`
	p.MovePointer(rowSelector(id))
	p.WaitUntil(isShown)
	p.WaitForText(".row-tooltip", long)
	p.SaveScreenshot("row-tooltip")
	p.MovePointer("#path")
	p.WaitUntil("!(" + isShown + ")")
	p.Click(rowSelector(id) + " .row-link")
	p.PressKey(harness.Down)
	p.PressKey(harness.Up)
	p.WaitUntil(isShown)
	p.CheckAccessibility("text of a row")
	p.PressKey(harness.Escape)
	p.WaitUntil("!(" + isShown + ")")
}
