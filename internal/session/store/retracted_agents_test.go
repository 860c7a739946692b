package store_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

const (
	firstAgent = "subagent-0fa11111-1111-4111-8111-111111111111"
	laterAgent = "subagent-0ca22222-2222-4222-8222-222222222222" // its name is the first one
	cartPrompt = "Look for leaks in the cart"
)

// timed sets the time of message lines.
func timed(at, line string) string { return strings.Replace(line, "10:00:01.000Z", at+".000Z", 1) }

// parentOf returns the parents of an entry in the followed session and in one opened
// now, which must be the same.
func (r *rewindable) parentOf(id string) string {
	r.t.Helper()
	var all []string
	for _, s := range []*store.Session{r.s, r.open()} {
		s.ReadTree(func(tree *session.Tree, _ store.Revision) {
			up := ""
			if p := tree.FindID(id); p == session.NoPos {
				up = "missing"
			} else if tree.Parent(p) != session.NoPos {
				up = tree.At(tree.Parent(p)).ID
			}
			all = append(all, up)
		})
	}
	if all[0] != all[1] {
		r.t.Errorf("%s hangs on %q in the followed session, on %q in one opened now", id, all[0], all[1])
	}
	return all[1]
}

// agentFile writes a sub-agent's file in the directory of the session. The explorer
// notices it regardless of the directory's time.
func (r *rewindable) agentFile(name string, lines ...string) {
	r.t.Helper()
	write(r.t, filepath.Join(filepath.Dir(r.path), name+".jsonl"), lines...)
}

// A sub-agent whose call was retracted stays with that call. It moves neither to a
// later call with the same prompt nor to the root.
func TestRetracted_subagents(t *testing.T) {
	r := newRewindable(t)
	call := timed("10:00:05", spawnCallLine("c7", cartPrompt))
	r.agentFile(firstAgent, timed("10:00:06", messageLine("a1", "user", cartPrompt)), timed("10:00:07", messageLine("a2", "assistant", "None")))
	r.write(append(append([]string{linearHeader}, r.lines...), call)...)
	if up := r.parentOf("a1"); up != "c7" {
		t.Fatalf("before the rewind the agent hangs on %q", up)
	}
	r.write(r.lines[:4]...)
	if up := r.parentOf("a1"); up != "c7" {
		t.Errorf("after the rewind the agent hangs on %q, want the call that was taken back", up)
	}
	r.agentFile(laterAgent, timed("10:10:06", messageLine("b1", "user", cartPrompt)))
	r.write(append(r.lines[:4:4], timed("10:10:05", spawnCallLine("c8", cartPrompt)))...)
	for agent, want := range map[string]string{"a1": "c7", "b1": "c8"} {
		if up := r.parentOf(agent); up != want {
			t.Errorf("%s hangs on %q, want %q", agent, up, want)
		}
	}
	for _, n := range r.s.Notes() {
		if n.Code == "not-attached" {
			t.Errorf("note %+v", n)
		}
	}
}

// The calls of a retracted branch may come in any order of their files, and a duplicate
// is not a second call.
func TestRetracted_subagentsOfManyCalls(t *testing.T) {
	r := newRewindable(t)
	lines := append([]string{linearHeader}, r.lines[0])
	for i := range 6 {
		at := fmt.Sprintf("10:%02d:00", i+1)
		lines = append(lines, timed(at, spawnCallLine(fmt.Sprint("c", i), cartPrompt)))
		r.agentFile(fmt.Sprintf("subagent-0fa11111-1111-4111-8111-11111111111%x", 9-i), timed(at[:6]+"30", messageLine(fmt.Sprint("a", i), "user", cartPrompt)))
	}
	r.write(lines...)
	for keep := len(lines); keep > 1; keep-- { // one call after the other is retracted
		r.write(lines[1:keep]...)
		for i := range 6 {
			if up := r.parentOf(fmt.Sprint("a", i)); up != fmt.Sprint("c", i) {
				t.Errorf("%d lines: agent %d hangs on %q", keep, i, up)
			}
		}
	}
	r.write(append(lines[1:3:3], lines[2:5]...)...) // written again since
	if up := r.parentOf("a1"); up != "c1" {
		t.Errorf("agent 1 hangs on %q", up)
	}
}

// Of calls with the same prompt and time, an agent is attached to the same one whether the
// retracted lines or the appended ones were read first.
func TestRetracted_subagentOfEqualCalls(t *testing.T) {
	r := newRewindable(t)
	r.agentFile(firstAgent, messageLine("a1", "user", cartPrompt))
	r.write(append(r.lines[:4:4], spawnCallLine("c7", cartPrompt))...)
	r.write(r.lines[:4]...)
	r.parentOf("a1")
	add(t, r.path, spawnCallLine("c8", cartPrompt))
	r.refresh()
	r.parentOf("a1")
}
