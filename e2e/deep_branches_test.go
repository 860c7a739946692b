//go:build e2e

package e2e

import (
	"fmt"
	"testing"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

// deepSession returns a session with n nested branches. heads are their first prompts.
func deepSession(n int) (f *transcript.File, heads []string) {
	f = transcript.New(transcript.Pi, "e2e-deep", "/home/dev/project", harness.SessionStart)
	f.AddPrompt("Where do branches end?")
	at := []string{f.AddReply("Nowhere in particular.")}
	for i := range n {
		heads = append(heads, f.AddPrompt(fmt.Sprintf("One step deeper, %d", i+1)))
		at = append(at, f.AddReply("Here."))
	}
	for i := n - 1; i >= 0; i-- {
		f.BranchFrom(at[i])
		f.AddPrompt(fmt.Sprintf("Back on level %d", i))
		f.AddReply("Good.")
	}
	return f, heads
}

// A branch nested too deep for its own lane can be focused: the rows begin with it.
func TestFocusBranch(t *testing.T) {
	box := harness.NewSessionDir(t)
	f, heads := deepSession(7)
	path := box.WriteSession(f)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path) + "?entry=" + heads[5])
	waitForLive(p)
	p.WaitForElement(branchRowSelector(heads[3]) + " .row-focus")
	p.WaitForNone(branchRowSelector(heads[2]) + " .row-focus")

	p.Click(branchRowSelector(heads[4]) + " .row-focus")
	p.WaitForElement(rowSelector(heads[4]) + `[data-row="0"][aria-level="1"][aria-selected="true"]`)
	p.WaitForElement(branchRowSelector(heads[5]) + `[aria-level="1"]`)
	p.WaitForNone(branchRowSelector(heads[0]))
	p.WaitForText("#focus-bar", "One branch is focused")
	p.WaitForText("#path", "One step deeper, 5")
	waitForURL(p, "root="+heads[4])

	p.Click("#focus-bar a")
	p.WaitForElement(branchRowSelector(heads[0]))
	p.WaitForElement("#focus-bar[hidden]")
	p.WaitUntil(`!location.search.includes("root=")`)
	p.GoBack()
	p.WaitForElement("#focus-bar:not([hidden])")

	// Leaving the branch ends the focus.
	p.Click(`#away [data-do="leaf"].btn`)
	p.WaitForElement(branchRowSelector(heads[0]))
	p.WaitForElement("#focus-bar[hidden]")
	p.WaitUntil(`!location.search.includes("root=")`)
}
