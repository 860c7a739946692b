package session_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sessiontree/internal/session"
	"sessiontree/internal/session/sessiontest"
)

// ContextState equals the context without its items.
func TestProperty_contextState(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		tree := build(sessiontest.DrawDamagedEntries(rt))
		leaf := session.Pos(rapid.IntRange(-1, tree.Len()-1).Draw(rt, "leaf"))
		want := tree.Context(leaf)
		want.Items = nil
		if diff := cmp.Diff(want, tree.ContextState(leaf)); diff != "" {
			rt.Fatalf("(-context +state):\n%s", diff)
		}
	})
}
