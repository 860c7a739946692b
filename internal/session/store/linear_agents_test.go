package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

const agentID = "subagent-0cc33333-3333-4333-8333-333333333333"

// spawnCallLine returns an answer that starts an agent.
func spawnCallLine(id, prompt string) string {
	return fmt.Sprintf(`{"timestamp":"2026-03-02T10:00:01.000Z","id":%q,"role":"assistant","blocks":[{"type":"tool","id":"c1","name":"Agent","parameters":%q,"result":"done","stage":"end"}]}`+"\n",
		id, fmt.Sprintf(`{"description":"Look","prompt":%q}`, prompt))
}

// A sub-agent writes before its session records the call that started it: it is a root
// until then, and its lines are followed.
func TestSubagent_beforeItsCall(t *testing.T) {
	r := newRewindable(t)
	file := filepath.Join(filepath.Dir(r.path), agentID+".jsonl")
	write(t, file, linearHeader, messageLine("a1", "user", "Look for leaks in the cart"))
	soon := time.Now().Add(2 * time.Second) // a directory that changes within a clock tick looks the same
	if err := os.Chtimes(filepath.Dir(r.path), soon, soon); err != nil {
		t.Fatal(err)
	}
	refresh := func(want store.ChangeKind) {
		t.Helper()
		if c, err := r.s.Refresh(ctx); err != nil || c.Kind != want {
			t.Errorf("%+v, %v, want kind %d", c, err, want)
		}
	}
	refresh(store.Appended)
	r.wants("m1< m2<m1 m3<m2 m4<m3 m5<m4 m6<m5 a1<")
	add(t, file, messageLine("a2", "assistant", "There is one"))
	refresh(store.Appended)
	r.wants("m1< m2<m1 m3<m2 m4<m3 m5<m4 m6<m5 a1< a2<a1")
	add(t, r.path, spawnCallLine("m7", "Look for leaks in the cart"))
	refresh(store.Rewritten)
	var title string
	r.s.ReadTree(func(tree *session.Tree, _ store.Revision) {
		p := tree.FindID("a1")
		if up := tree.Parent(p); up == session.NoPos || tree.At(up).ID != "m7" {
			t.Errorf("the agent hangs at %d", up)
		}
		title = tree.Threads().StartingAt(p).Title
	})
	if title != "Look" || leafOf(r.s) != "m7" {
		t.Errorf("the agent is called %q, the leaf is %s", title, leafOf(r.s))
	}
}
