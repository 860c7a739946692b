//go:build e2e

package e2e

import (
	"testing"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

// openOnPhone serves a session and opens its page on a phone.
func openOnPhone(t *testing.T, f *transcript.File) *harness.Page {
	t.Helper()
	box := harness.NewSessionDir(t)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.EmulatePhone()
	p.Open(server.SessionURL(box.WriteSession(f)))
	p.WaitForElement("#tree .row")
	waitForLive(p)
	return p
}

// On a phone a button of the top bar, and the action sheet, open the search bar. The hits are a
// sheet.
func TestFind_Phone(t *testing.T) {
	f := newForkedSession()
	p := openOnPhone(t, f.File)
	p.Click(`.topbar [data-do="find"]`)
	waitForFocus(p, "#findbar #search-input")
	p.Click(`.bottom-bar [data-do="actions"]`)
	p.WaitForElement("#actions[open]")
	p.WaitForRendering()
	p.SaveScreenshot("phone-find-actions")
	p.CheckAccessibility("action sheet")
	p.Click(`#actions [data-action="search"]`)
	p.WaitForNone("#actions[open]")
	waitForFocus(p, "#findbar #search-input")
	p.TypeText("library")
	p.WaitForText("#hits", "4")
	p.WaitForElement("#finder[hidden]")
	p.PressKey(harness.Enter)
	p.WaitForText("#hits", "1 of 4")
	p.WaitUntil(`document.querySelector("#facts").dataset.entry === "` + f.one + `"`)
	checkWidth(t, p, "search bar")
	p.WaitForRendering()
	p.SaveScreenshot("phone-find")
	p.CheckAccessibility("search bar")

	p.Click("#findbar-list")
	p.WaitForText("#finder-title", "4 hits for “library”")
	p.WaitForElement(`#finder[role="dialog"][aria-modal="true"]`)
	p.WaitForElement(`.main-wrap[inert]`)
	p.WaitForRendering()
	p.SaveScreenshot("phone-find-list")
	p.CheckAccessibility("sheet of hits")
	p.Click(listedHitSelector(f.oneTip))
	p.WaitForElement("#finder[hidden]")
	p.WaitForText("#hits", "4 of 4")
	p.WaitForNone(`.main-wrap[inert]`)
	p.Click("#findbar-list")
	p.WaitForElement("#finder:not([hidden])")
	p.PressKey(harness.Escape)
	p.WaitForElement("#finder[hidden]")

	// The failed tool calls are hits of the bar too.
	p.Click(".failed-button")
	p.WaitUntil(`document.querySelector("#findbar:not([hidden]) #search-input").placeholder === "Failed tool calls"`)
	p.WaitForText("#hits", "1")
	p.Click(`#findbar [data-do="hit-next"]`)
	p.WaitForText("#hits", "1 of 1")
	checkWidth(t, p, "bar of failed tool calls")
	p.WaitForRendering()
	p.SaveScreenshot("phone-find-failed")
	p.CheckAccessibility("bar of failed tool calls")
	p.Click("#findbar-list")
	p.WaitForText("#finder-title", "1 failed tool call")
	p.PressKey(harness.Escape)
	p.WaitForElement("#finder[hidden]")
	p.Click(".failed-button")
	p.WaitForElement("#findbar[hidden]")
}

// copyInto makes the page keep what it copies.
const copyInto = `navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }`

// The recorded text of prompts, answers and outputs, and the command that resumes the
// session, can be copied.
func TestCopy(t *testing.T) {
	f := newForkedSession()
	p := openSession(t, f.File, "")
	p.RunScript(copyInto)
	for _, c := range []struct{ button, want string }{
		{pathItemSelector(f.main) + ` [aria-label="Copy prompt"]`, "Write a small cache"},
		{pathItemSelector(f.leaf) + ` [aria-label="Copy answer"]`, "The cache works: **3 ms** instead of 400."},
		{`#path .tool--error [data-do="copy-text"]`, "FAIL\n\nCommand exited with code 1"},
	} {
		p.RunScript(`window.copied = ""; document.querySelector(` + "`" + c.button + "`" + `).focus()`)
		p.PressKey(harness.Enter)
		p.WaitUntil("window.copied.startsWith(`" + c.want + "`)")
		if got := harness.EvalScript[string](p, "window.copied"); got != c.want {
			t.Errorf("%s copies %q, want %q", c.button, got, c.want)
		}
	}
	p.Click(`.topbar [data-do="copy-resume"]`)
	p.WaitUntil(`window.copied.includes("pi --session")`)
}

// Labels are listed by time or by name.
func TestLabelOrder(t *testing.T) {
	f := transcript.New(transcript.Pi, "e2e-labels", "/home/dev/project", harness.SessionStart)
	first := f.AddPrompt("First")
	second := f.AddReply("Second")
	f.AddLabel(second, "beta")
	f.AdvanceTime(2 * 60 * 1e9)
	f.AddLabel(first, "alpha")
	p := openSession(t, f, "")
	p.PressKey("g")
	p.WaitUntil(`[...document.querySelectorAll("#palette-list [role=option]")].map(o => o.innerText.split(":")[0].trim()).join() === "alpha,beta,Sort by name"`)
	p.PressKey(harness.Up)
	p.PressKey(harness.Enter)
	p.WaitUntil(`document.querySelector("#palette-list [role=option]:last-child")?.innerText.includes("Sort by time")`)
	p.PressKey(harness.Down)
	p.PressKey(harness.Enter)
	waitForURL(p, "entry="+second)
}
