//go:build e2e

package e2e

import (
	"testing"

	"sessiontree/e2e/harness"
	"sessiontree/internal/bench/transcript"
)

// Changes of model and thinking in a row are one line of the path, which is found
// by each of them, also when the second comes in later.
func TestChanges(t *testing.T) {
	box := harness.NewBox(t)
	f := transcript.New(transcript.Pi, "e2e-changes", "/home/dev/project", harness.Start0)
	f.SetModel("anthropic", "claude-sonnet-4-5")
	first := f.SetThinking("high")
	f.User("Where does the time go?")
	f.Say("Into encoding.")
	path := box.Put(f)
	server := harness.Start(t, box.Dir)
	p := chromium(t).Page(t)
	p.Open(server.SessionURL(path) + "?filter=all")
	live(p)
	p.Says("#path .entry--note", "Model anthropic/claude-sonnet-4-5, thinking high")
	p.Click(row(first) + " .row-link")
	p.Has(`#path .note-part.is-target[data-entry="` + first + `"]`)

	f.SetModel("anthropic", "claude-opus-4-5")
	box.Append(path, f.Tail(1))
	p.Says("#path", "Model anthropic/claude-opus-4-5")
	f.SetThinking("low")
	box.Append(path, f.Tail(1))
	p.Says("#path", "Model anthropic/claude-opus-4-5, thinking low")
	if n := p.Count("#path .entry--note"); n != 2 {
		t.Errorf("%d lines of changes, want 2", n)
	}
}
