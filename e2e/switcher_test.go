//go:build e2e

package e2e

import (
	"fmt"
	"math"
	"testing"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

// switcherSelector returns the selector of the switcher before the first entry of a branch.
func switcherSelector(head string) string { return fmt.Sprintf(`.switch[data-head=%q]`, head) }

// topOf returns how far an element is below the top of the screen, in pixels.
func topOf(p *harness.Page, selector string) float64 {
	return harness.EvalScript[float64](p, fmt.Sprintf(`document.querySelector(%q).getBoundingClientRect().top`, selector))
}

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
				return {Ring: entry.getBoundingClientRect().top + parseFloat(style.top) - width, Switcher: fork.querySelector(".switch-buttons").getBoundingClientRect().bottom};
			})()`)
			if r.Ring < r.Switcher || math.IsNaN(r.Ring) {
				t.Errorf("phone %v, %s: the ring begins at %.1f, the switcher ends at %.1f", phone, head, r.Ring, r.Switcher)
			}
		}
	}
}

// The switcher stays under the pointer, also where the other branch is too short to fill
// the screen. The room below that branch goes away with the next scroll.
func TestSwitcher_KeepsItsPlace(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := longSession("e2e-short-branch", 60)
	fork := f.LastID
	short := f.AddPrompt("A short branch")
	f.BranchFrom(fork)
	long := f.AddPrompt("A long branch")
	for i := range 20 {
		f.AddReply(fmt.Sprintf("Answer %d of the long branch.\n\nWith a second paragraph.", i))
		f.AddPrompt(fmt.Sprintf("Question %d of the long branch", i))
	}
	path := box.WriteSession(f)
	server := harness.StartServer(t, box.Dir)
	for _, phone := range []bool{false, true} {
		p := sharedBrowser(t).NewPage(t)
		if phone {
			p.EmulatePhone()
		}
		for _, y := range []float64{100, 300, 500} {
			p.Open(server.SessionURL(path) + "?entry=" + long)
			p.WaitForElement(switcherSelector(long))
			waitForLive(p)
			p.RunScript(fmt.Sprintf(`document.querySelector("#main").scrollTop += document.querySelector(%q).getBoundingClientRect().top - %f`, switcherSelector(long), y))
			checkSwitch(t, p, long, short, "prev")
			checkSwitch(t, p, short, long, "next")
			checkSwitch(t, p, long, short, "prev")

			// Scrolling up moves the path by as much as it is scrolled, and the room goes away.
			room := harness.EvalScript[float64](p, `parseFloat(document.querySelector("#path-pages").style.paddingBottom) || 0`)
			if room == 0 {
				t.Errorf("phone %v: no room below the short branch at %.0f", phone, y)
			}
			before := topOf(p, switcherSelector(short))
			p.RunScript(`document.querySelector("#main").scrollTop -= 20`)
			p.WaitUntil(fmt.Sprintf(`(parseFloat(document.querySelector("#path-pages").style.paddingBottom) || 0) <= %f`, max(room-19, 0)))
			if now := topOf(p, switcherSelector(short)); math.Abs(now-before-20) > 1 {
				t.Errorf("phone %v: scrolled by 20 pixels, the switcher moved from %.1f to %.1f", phone, before, now)
			}
			p.RunScript(`document.querySelector("#main").scrollTop -= 2000`)
			p.WaitUntil(`!document.querySelector("#path-pages").style.paddingBottom`)
		}
	}
}

// The switcher of a viewed branch follows what the agent adds to other branches.
func TestSwitcher_FollowsOtherBranches(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := newForkedSession()
	path := box.WriteSession(f.File)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path) + "?entry=" + f.one)
	waitForLive(p)
	p.WaitForText(switcherSelector(f.one), "1 / 3")
	p.WaitForText(switcherSelector(f.one), "2 entries")

	f.BranchFrom(f.twoTip)
	f.AddReply("It was slow enough.")
	box.AppendFile(path, f.LastLines(1))
	p.WaitForText(switcherSelector(f.one), "3 entries")
	f.BranchFrom(f.first)
	f.AddPrompt("Buy a faster machine")
	box.AppendFile(path, f.LastLines(1))
	p.WaitForText(switcherSelector(f.one), "1 / 4")

	// A new fork gets a switcher.
	f.BranchFrom(f.one)
	f.AddReply("Another answer about the library.")
	box.AppendFile(path, f.LastLines(1))
	p.WaitForText(switcherSelector(f.mid), "1 / 2")
	p.WaitForText(switcherSelector(f.mid), "Another answer")
	p.WaitForText("#path", "The library is wired in.")
}

// checkSwitch clicks a button of a switcher and checks that the other branch's switcher is
// where it was.
func checkSwitch(t *testing.T, p *harness.Page, from, to, way string) {
	t.Helper()
	before := topOf(p, switcherSelector(from))
	p.Click(switcherSelector(from) + fmt.Sprintf(` .switch-buttons a[data-switch=%q]`, way))
	p.WaitForElement(switcherSelector(to))
	p.WaitForElement(fmt.Sprintf(`#facts[data-entry=%q]`, to))
	p.WaitForRendering()
	if after := topOf(p, switcherSelector(to)); math.Abs(after-before) > 1 {
		t.Errorf("%s: the switcher moved from %.1f to %.1f", way, before, after)
	}
}
