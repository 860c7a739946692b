//go:build e2eagents

package omp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"sessiontree/e2e/agents"
)

// change is a change made with the built explorer and its expected result for both
// programs.
type change struct {
	name string
	from source
	run  [][]string // FILE is replaced by the session's path, OUT by that of a new file

	last    string            // last message of the model's context
	labels  map[string]string // expected labels, "" for none
	named   string            // expected name; "-" for none, "" for any
	same    bool              // the file is unchanged
	rewrite bool              // oh-my-pi drops a malformed line with its first write
}

// generated is the context message of a summary that a program wrote.
const generated = "The user explored another branch of this conversation before coming back here. Summary of that branch:\n\nGenerated."

// oneCommand returns one command.
func oneCommand(args ...string) [][]string { return [][]string{args} }

// playedChanges returns changes of the session that oh-my-pi wrote.
func playedChanges(t *testing.T, at map[string]step) (all []change) {
	summarizer := agents.WriteSummarizer(t)
	first, tool, branch, now := at["first"], at["tool"], at["branch"], at["after the failure"]
	left, last := "You said: Another way, please", "You said: What is left?"
	all = []change{
		{name: "nothing", last: last, labels: map[string]string{tool.Prompt: "checkpoint"}, named: "Played", same: true},
		{name: "label", run: oneCommand("label", "FILE", at["last"].Answer, "goal ✓"), last: last, labels: map[string]string{at["last"].Answer: "goal ✓", tool.Prompt: "checkpoint"}},
		{name: "label elsewhere", run: oneCommand("label", "FILE", branch.Answer, "x"), last: last, labels: map[string]string{branch.Answer: "x"}},
		{name: "clear", run: oneCommand("label", "FILE", tool.Prompt), last: last, labels: map[string]string{tool.Prompt: ""}},
		{name: "rename", run: oneCommand("rename", "FILE", "Another walk"), last: last, named: "Another walk"},
		{name: "rename to nothing", run: oneCommand("rename", "FILE", ""), last: last, named: "-"},
		{name: "branch", run: oneCommand("branch", "FILE", now.Answer), last: "You said: And now?"},
		{name: "branch at a prompt", run: oneCommand("branch", "FILE", now.Prompt), last: "break"},
		{name: "branch with a label", run: oneCommand("branch", "FILE", tool.Answer, "--label", "here"), labels: map[string]string{tool.Answer: "here"}},
		{name: "branch with a summary", run: oneCommand("branch", "FILE", branch.Answer, "--summary", "It was right."), last: "It was right."},
		{name: "branch with both", run: oneCommand("branch", "FILE", tool.Prompt, "--summary", "It was right.", "--label", "tried"), last: "It was right."},
		{name: "branch with a generated summary", run: oneCommand("branch", "FILE", first.Answer, "--summarize", "--summarizer", summarizer), last: generated},
		{name: "before the first", run: oneCommand("branch", "FILE", "none")},
		{name: "before the first with a summary", run: oneCommand("branch", "FILE", "none", "--summary", "All of it."), last: "All of it."},
		{name: "before the first prompt", run: oneCommand("branch", "FILE", first.Prompt)},
		{name: "switch", run: oneCommand("switch", "FILE", branch.Answer), last: left},
		{name: "pop", run: oneCommand("pop", "FILE")},
		{name: "pop with a summary", run: oneCommand("pop", "FILE", now.Prompt, "--summarize", "--summarizer", summarizer), last: generated},
		{name: "cherry-pick", run: oneCommand("cherry-pick", "FILE", branch.Answer), last: left},
		{name: "merge", run: oneCommand("merge", "FILE", branch.Answer), last: left},
		{name: "fork", run: oneCommand("fork", "FILE", at["last"].Answer, "-o", "OUT"), last: last, labels: map[string]string{tool.Prompt: "checkpoint"}},
		{name: "fork of a branch", run: oneCommand("fork", "FILE", branch.Answer, "-o", "OUT"), last: left, labels: map[string]string{tool.Prompt: ""}},
		{name: "one after the other", last: last, named: "To and fro", labels: map[string]string{first.Prompt: "top"}, run: [][]string{
			{"branch", "FILE", branch.Answer, "--summary", "It was right."}, {"label", "FILE", first.Prompt, "top"},
			{"cherry-pick", "FILE", now.Answer}, {"pop", "FILE"}, {"rename", "FILE", "To and fro"}, {"switch", "FILE", at["last"].Answer}}},
		{name: "export of the tree", run: oneCommand("export", "FILE", "-o", "OUT", "--redact", "none"), last: last, named: "Played", labels: map[string]string{tool.Prompt: "checkpoint"}},
		{name: "export, redacted", run: oneCommand("export", "FILE", "-o", "OUT"), last: last, named: "Played"},
		{name: "export without", run: oneCommand("export", "FILE", "-o", "OUT", "--without", "output,thinking,images"), last: last},
		{name: "export of a path", run: oneCommand("export", "FILE", "-o", "OUT", "--entry", branch.Answer, "--scope", "path"), last: left, named: "Played"},
		{name: "export of a subtree", run: oneCommand("export", "FILE", "-o", "OUT", "--entry", now.Prompt), last: last},
		{name: "export of a bare subtree", run: oneCommand("export", "FILE", "-o", "OUT", "--entry", now.Prompt, "--bare"), last: last},
	}
	played := readSource(t, "played", at["last"].File)
	if played.siblings["Scout.jsonl"] == nil {
		t.Fatalf("the sub-agent of %s left nothing", at["last"].File)
	}
	for i := range all {
		all[i].from = played
	}
	asked := played
	asked.data = append(bytes.Clone(played.data), fmt.Sprintf(`{"type":"message","id":"0000a5ed","parentId":%q,"timestamp":"2026-02-03T08:00:00.000Z","message":{"role":"user","content":"Nobody answers this"}}
{"type":"custom","id":"0000bac4","parentId":%q,"timestamp":"2026-02-03T08:00:01.000Z","customType":"x"}
`, first.Answer, at["last"].Leaf)...)
	torn := played
	torn.data = append(bytes.Clone(played.data), `{"type":"message","id":"0000torn","par`...)
	dead := played
	dead.data = append(bytes.Clone(played.data), `{"type":"custom","id":"0000dead","parentId":"`+branch.Answer+`","timestamp":"2026-02-03T08:00:00.000Z","customType":"x"}`+"\n"...)
	return append(all, change{name: "switch to a prompt", from: asked, run: oneCommand("switch", "FILE", "0000a5ed"), last: "Nobody answers this"},
		change{name: "repair", from: dead, run: oneCommand("repair", "FILE"), last: last},
		change{name: "end the line", from: torn, run: oneCommand("repair", "FILE"), last: last, rewrite: true})
}

// otherChanges returns changes of sessions of all forms.
func otherChanges(t *testing.T, at map[string]step) (all []change) {
	reset, gone, back := readSource(t, "reset", at["after the reset"].File), at["before the reset"], at["after the reset"]
	all = []change{
		{name: "label after a reset", from: reset, run: oneCommand("label", "FILE", gone.Answer, "old"), last: "You said: All new", labels: map[string]string{gone.Answer: "old"}},
		{name: "branch before a reset", from: reset, run: oneCommand("branch", "FILE", gone.Answer), last: "You said: Soon forgotten"},
		{name: "branch after a reset", from: reset, run: oneCommand("branch", "FILE", back.Prompt, "--summary", "It began anew."), last: "It began anew."},
		{name: "fork after a reset", from: reset, run: oneCommand("fork", "FILE", back.Answer, "-o", "OUT"), last: "You said: All new"},
		{name: "merge over a reset", from: reset, run: [][]string{{"branch", "FILE", gone.Answer}, {"merge", "FILE", back.Answer}}, last: "You said: All new"},
		{name: "name what has none", from: reset, run: oneCommand("rename", "FILE", "Begun anew"), named: "Begun anew"},
		{name: "stumbling, labeled", from: unsentAnswersSource(), run: oneCommand("label", "FILE", "LAST", "x"), last: "Late."},
	}
	for _, s := range append(syntheticSources(t), recordedSources(t)...) {
		rewrite := hasMalformedLine(s.data)
		copied := oneCommand("fork", "-o", "OUT", "--", "FILE", "LAST")
		if !bytes.Contains(s.data, []byte(`"role":"assistant"`)) { // a fork without an answer is refused
			copied = oneCommand("export", "FILE", "-o", "OUT")
		}
		all = append(all,
			change{name: s.name, from: s, same: true, rewrite: rewrite},
			change{name: s.name + ", labeled and branched", from: s, rewrite: rewrite, last: "A way.", run: [][]string{
				{"label", "--", "FILE", "LAST", "here"}, {"branch", "--summary", "A way.", "--", "FILE", "FIRST"}}},
			change{name: s.name + ", copied", from: s, run: copied},
			renameChange(s, rewrite))
	}
	return all
}

// renameChange returns a change of the session's name. A file without a title slot cannot
// hold one.
func renameChange(s source, rewrite bool) change {
	c := change{name: s.name + ", renamed", from: s, run: oneCommand("rename", "FILE", "Named"), named: "Named", rewrite: rewrite}
	if !bytes.HasPrefix(s.data, []byte(`{"type":"title"`)) {
		c.same, c.named = true, ""
	}
	return c
}

// hasMalformedLine reports whether a line of a session file is not JSON.
func hasMalformedLine(data []byte) bool {
	for line := range bytes.Lines(data) {
		if len(bytes.TrimSpace(line)) > 0 && !json.Valid(line) {
			return true
		}
	}
	return false
}
