//go:build e2e

package e2e

import (
	"fmt"
	"testing"

	"sessiontree/e2e/harness"
	"sessiontree/internal/bench/transcript"
)

// deep is a session with a branch in a branch in a branch, n times; heads are their
// first prompts.
func deep(n int) (f *transcript.File, heads []string) {
	f = transcript.New(transcript.Pi, "e2e-deep", "/home/dev/project", harness.Start0)
	f.User("Where do branches end?")
	at := []string{f.Say("Nowhere in particular.")}
	for i := range n {
		heads = append(heads, f.User(fmt.Sprintf("One step deeper, %d", i+1)))
		at = append(at, f.Say("Here."))
	}
	for i := n - 1; i >= 0; i-- {
		f.Back(at[i])
		f.User(fmt.Sprintf("Back on level %d", i))
		f.Say("Good.")
	}
	return f, heads
}

// A branch nested too deep for a lane of its own is focused: the rows begin with it.
func TestFocusBranch(t *testing.T) {
	box := harness.NewBox(t)
	f, heads := deep(7)
	path := box.Put(f)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(path) + "?entry=" + heads[5])
	live(p)
	p.Has(stub(heads[3]) + " .row-focus")
	p.Lacks(stub(heads[2]) + " .row-focus")

	p.Click(stub(heads[4]) + " .row-focus")
	p.Has(row(heads[4]) + `[data-i="0"][aria-level="1"][aria-selected="true"]`)
	p.Has(stub(heads[5]) + `[aria-level="1"]`)
	p.Lacks(stub(heads[0]))
	p.Says("#focus-bar", "One branch is focused")
	p.Says("#path", "One step deeper, 5")
	inURL(p, "root="+heads[4])

	p.Click("#focus-bar a")
	p.Has(stub(heads[0]))
	p.Has("#focus-bar[hidden]")
	p.Wait(`!location.search.includes("root=")`)
	p.Back()
	p.Has("#focus-bar:not([hidden])")

	// What leads out of the branch ends the focus.
	p.Click(`#away [data-do="leaf"].btn`)
	p.Has(stub(heads[0]))
	p.Has("#focus-bar[hidden]")
	p.Wait(`!location.search.includes("root=")`)
}
