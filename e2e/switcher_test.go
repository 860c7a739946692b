//go:build e2e

package e2e

import (
	"math"
	"testing"

	"sessiontree/e2e/harness"
	"sessiontree/internal/bench/transcript"
)

// The ring around the viewed entry does not cover the switcher above it, whatever kind of
// entry the branch begins with.
func TestSwitcher_NotCoveredByRing(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := transcript.New(transcript.Pi, "e2e-ring", "/home/dev/project", harness.SessionStart)
	f.AddPrompt("Where does the time go?")
	fork := f.AddReply("Into encoding the same picture again and again.")
	var heads []string
	for _, add := range []func() string{
		func() string { return f.AddPrompt("Use a library for it") },
		func() string { return f.AddReply("A second answer") },
		func() string { return f.AddBashCall("", "go test ./cache", "ok", false) },
		func() string { return f.AddShellCommand("ls", "cache.go", 0) },
		func() string { return f.AddBranchSummary(fork, "A summary of the branch.") },
		func() string { return f.AddCompaction("A summary of the path.", fork) },
	} {
		f.BranchFrom(fork)
		heads = append(heads, add())
	}
	path := box.WriteSession(f)
	server := harness.StartServer(t, box.Dir)
	for _, phone := range []bool{false, true} {
		p := sharedBrowser(t).NewPage(t)
		if phone {
			p.EmulatePhone()
		}
		for _, head := range heads {
			p.Open(server.SessionURL(path) + "?entry=" + head)
			p.WaitForElement("#path .switch")
			type ring struct{ Ring, Switcher float64 }
			r := harness.EvalScript[ring](p, `(() => {
				const fork = document.querySelector("#path .entry--fork"), entry = fork.nextElementSibling;
				entry.classList.add("is-flash");
				const style = getComputedStyle(entry, "::after"), width = Math.max(...(style.boxShadow.match(/\d+px/g) ?? []).map(parseFloat), 2);
				return {Ring: entry.getBoundingClientRect().top + parseFloat(style.top) - width, Switcher: fork.querySelector(".ctl").getBoundingClientRect().bottom};
			})()`)
			if r.Ring < r.Switcher || math.IsNaN(r.Ring) {
				t.Errorf("phone %v, %s: the ring begins at %.1f, the switcher ends at %.1f", phone, head, r.Ring, r.Switcher)
			}
		}
	}
}
