//go:build e2e

package e2e

import (
	"testing"

	"sessiontree/e2e/harness"
)

// The bars of a session show what is done often: rename, the branches, the keys. Messages about
// copies show what was copied, and switches look switched on.
func TestTopBar(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(box.WriteSession(f.File)))
	waitForLive(p)
	p.Click(`.topbar [data-do="key-help"]`)
	p.WaitForElement("#keys[open]")
	p.PressKey(harness.Escape)
	p.WaitForNone("#keys[open]")
	for _, link := range []string{`.topbar [data-do="branches"]`, `#side-foot [data-do="branches"]`} {
		p.Click(link)
		p.WaitForElement("#branch-panel")
		p.PressKey(harness.Escape)
		p.WaitForNone("#branch-panel")
	}
	p.RunScript(copyInto)
	p.Click(`.topbar [data-do="copy-resume"]`)
	p.WaitForText("#toast", "Command copied: ")
	p.WaitUntil(`document.getElementById("toast").textContent.includes(window.copied.slice(0, 30))`)
	p.Click(`.facts [data-do="tools"]`)
	p.WaitUntil(`getComputedStyle(document.querySelector('.facts [data-do="tools"]'), "::before").content.includes("✓")`)
	p.Click(`#title .title-edit`)
	p.WaitForElement(".title-form input")
}
