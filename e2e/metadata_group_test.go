//go:build e2e

package e2e

import (
	"testing"

	"sessiontree/e2e/harness"
)

// Groups of metadata lines open in place, by keyboard and pointer.
func TestMetadataGroup(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	f.BranchFrom(f.first)
	label := f.AddLabel(f.first, "slow part")
	f.AddThinkingChange("high")
	f.BranchFrom(f.leaf)
	last := f.AddPrompt("And now?")
	path := box.WriteSession(f.File) // before the server starts, so that it is listed
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path))
	p.WaitForElement(rowSelector(last))
	waitForLive(p)
	const fold = "#tree .row--fold"
	p.WaitForNone(rowSelector(label))
	p.WaitForElement(fold + `[aria-expanded="false"]`)

	tabTo(t, p, `[role="treeitem"]`)
	p.PressKey(harness.Home)
	p.RepeatKey(harness.Down, 2)
	waitForFocus(p, fold)
	p.PressKey(harness.Enter)
	p.WaitForElement(fold + `[aria-expanded="true"]`)
	p.WaitForElement(rowSelector(label) + `[aria-level="2"][aria-posinset="1"][aria-setsize="2"]`)
	waitForURL(p, "open="+label)
	waitForFocus(p, fold)
	p.PressKey(harness.Right)
	waitForFocus(p, rowSelector(label))
	p.PressKey(harness.Left)
	waitForFocus(p, fold)
	p.PressKey(harness.Left)
	p.WaitForElement(fold + `[aria-expanded="false"]`)
	p.WaitForNone(rowSelector(label))
	p.PressKey(harness.Right)
	p.WaitForElement(rowSelector(label))

	p.Click(fold + " .row-link")
	p.WaitForElement(fold + `[aria-expanded="false"]`)
	p.WaitUntil(`!location.search.includes("open=")`)
}
