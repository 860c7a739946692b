//go:build e2e

package e2e

import (
	"strconv"
	"testing"

	"sessiontree/e2e/harness"
)

// The rows of the branches that the first visible row is in stay at the top of the tree, and a
// closed branch has a preview.
func TestTree_StickyBranchesAndPreview(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := longSession("e2e-sticky", 3)
	start := f.LastID
	f.AddPrompt("Try it without a cache")
	inner := f.AddReply("It is slow.")
	deep := ""
	for i := range 300 {
		f.AddPrompt("Slow prompt " + strconv.Itoa(i))
		deep = f.AddReply("Slow reply.")
	}
	f.BranchFrom(inner)
	f.AddPrompt("Measure it first")
	f.AddBashCall("", "time go test", "exit 1", true)
	f.AddReply("It takes 3 s.")
	f.BranchFrom(start)
	f.AddPrompt("Use a cache")
	f.AddReply("It is fast.")
	url := harness.StartServer(t, box.Dir).SessionURL(box.WriteSession(f))
	for _, look := range themes() {
		p := newPageWithLook(t, "desktop", look)
		p.Open(url)
		waitForLive(p)
		branch := `#tree .row--branch[aria-expanded="false"]`
		p.MovePointer(branch)
		p.WaitForText(".branch-preview", "Try it without a cache")
		p.WaitForText(".branch-preview li.is-user", "Try it without a cache")
		p.CheckAccessibility("preview of a branch")
		p.SaveScreenshot("branch-preview-" + look)
		p.Click(branch + " .node--toggle")
		p.WaitForElement(`#tree .row--branch[aria-expanded="true"]`)
		p.WaitForNone(".branch-preview:popover-open")
		p.WaitForNone(".sticky-rows .row")
		p.Click(branch + " .node--toggle")
		p.WaitUntil(`document.querySelectorAll("#tree .row--branch[aria-expanded=true]").length === 2`)
		p.RunScript(`document.getElementById("tree").scrollTop = 800`)
		p.WaitForText(".sticky-rows .row", "Slow prompt 0")
		p.WaitUntil(`[...document.querySelectorAll(".sticky-rows .row-link")].map(link => link.textContent).join() === "Try it without a cache,Slow prompt 0"`)
		p.CheckAccessibility("branches at the top of the tree")
		p.SaveScreenshot("sticky-branches-" + look)
		p.Click(`.sticky-rows .row-link`)
		p.WaitUntil(`document.getElementById("tree").scrollTop < 300`)
		p.WaitForNone(".sticky-rows .row")

		t.Log("the rows of the branches are far above those that are loaded")
		p.Open(url + "?entry=" + deep)
		waitForLive(p)
		p.WaitUntil(`[...document.querySelectorAll(".sticky-rows .row-link")].map(link => link.textContent).join() === "Try it without a cache,Slow prompt 0"`)
		p.Close()
	}
}
