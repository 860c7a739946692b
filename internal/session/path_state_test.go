package session_test

import (
	"testing"

	"pgregory.net/rapid"

	"sessiontree/internal/session"
	"sessiontree/internal/session/sessiontest"
)

// The state at the end of a segment is that of the context of its last entry.
func TestPathStates(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		gen := sessiontest.DrawEntries
		if rapid.Bool().Draw(rt, "odd") {
			gen = sessiontest.DrawDamagedEntries
		}
		entries := gen(rt)
		for i := range entries {
			e := &entries[i]
			e.Kind = rapid.SampledFrom([]session.Kind{session.KindUser, session.KindAssistant, session.KindModel, session.KindThinking, session.KindCompaction, session.KindReset}).Draw(rt, "kind")
			e.Name, e.OwnDetails().Tokens, e.OwnDetails().Charge = rapid.StringMatching("[a-c]").Draw(rt, "name"), rapid.Int64Range(0, 3).Draw(rt, "tokens"), &session.Charge{Usage: session.Usage{Cost: float64(i)}}
			if rapid.IntRange(0, 9).Draw(rt, "agent") == 0 {
				e.Flags |= session.FlagAgent
			}
		}
		tree := session.BuildTree(session.Header{Rules: session.Rules{PinnedModel: rapid.Bool().Draw(rt, "pinned")}}, entries, nil)
		all := session.LinearSegments(tree)
		states, ok := session.PathStates(tree, all)
		if !ok {
			rt.Fatal("no states of recorded parents")
		}
		for i, s := range all {
			want, path := tree.Context(s.Last), tree.Path(s.Last)
			got := states[i]
			if c := got.Context; c.Model != want.Model || c.Provider != want.Provider || c.Thinking != want.Thinking || c.Tokens != want.Tokens {
				rt.Fatalf("the path to %d comes to %+v, its context to %+v", s.Last, c, want)
			}
			if got.Entries != len(path) {
				rt.Fatalf("the path to %d has %d entries, want %d", s.Last, got.Entries, len(path))
			}
		}
	})
}
