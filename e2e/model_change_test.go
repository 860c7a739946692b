//go:build e2e

package e2e

import (
	"testing"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

// Consecutive changes of model and thinking are one line of the path. Each of them can be
// linked to, even if the second arrives later.
func TestModelChanges(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := transcript.New(transcript.Pi, "e2e-changes", "/home/dev/project", harness.SessionStart)
	f.AddModelChange("anthropic", "claude-sonnet-4-5")
	first := f.AddThinkingChange("high")
	f.AddPrompt("Where does the time go?")
	f.AddReply("Into encoding.")
	path := box.WriteSession(f)
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.SessionURL(path) + "?filter=all")
	waitForLive(p)
	p.WaitForText("#path .entry--note", "Model anthropic/claude-sonnet-4-5, thinking high")
	p.Click(rowSelector(first) + " .row-link")
	p.WaitForElement(`#path .note-part.is-target[data-entry="` + first + `"]`)

	f.AddModelChange("anthropic", "claude-opus-4-5")
	box.AppendFile(path, f.LastLines(1))
	p.WaitForText("#path", "Model anthropic/claude-opus-4-5")
	f.AddThinkingChange("low")
	box.AppendFile(path, f.LastLines(1))
	p.WaitForText("#path", "Model anthropic/claude-opus-4-5, thinking low")
	if n := p.CountElements("#path .entry--note"); n != 2 {
		t.Errorf("%d lines of changes, want 2", n)
	}
}
