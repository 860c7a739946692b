package session_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"sessiontree/internal/session"
)

// However a session grows, the trail of its leaf is that of a session opened then, and
// so are its cost and the newest activity elsewhere.
func TestTrailGrows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		all := rapid.SliceOfN(trailEntry(), 1, 40).Draw(rt, "entries")
		for i := range all {
			e := &all[i]
			e.ID, e.Span.Line, e.Time = fmt.Sprint("e", i), int32(i+1), int64(rapid.IntRange(0, 50).Draw(rt, "time"))
			if i > 0 && rapid.IntRange(0, 9).Draw(rt, "root") > 0 {
				up := i - 1
				if rapid.IntRange(0, 4).Draw(rt, "fork") == 0 {
					up = rapid.IntRange(0, i-1).Draw(rt, "parent")
				}
				e.Parent, e.Flags = fmt.Sprint("e", up), e.Flags|session.FlagHasParent
			}
		}
		grown := session.BuildTree(session.Header{}, all[:1], nil)
		for i := 1; i < len(all); {
			n := min(i+rapid.IntRange(1, 3).Draw(rt, "batch"), len(all))
			grown.AppendEntries(session.Header{}, all[i:n], nil)
			fresh := session.BuildTree(session.Header{}, all[:n], nil)
			i = n
			got, want := grown.Trail(grown.Leaf()), fresh.Trail(fresh.Leaf())
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(session.PathState{}), cmpopts.IgnoreUnexported(session.Trail{}), cmpopts.EquateEmpty()); diff != "" {
				rt.Fatal(diff)
			}
			if diff := cmp.Diff(want.Forks(fresh), got.Forks(grown)); diff != "" {
				rt.Fatal(diff)
			}
			if grown.NewerActivity() != fresh.NewerActivity() {
				rt.Fatalf("newest elsewhere %d, want %d", grown.NewerActivity(), fresh.NewerActivity())
			}
			if diff := cmp.Diff(fresh.Path(fresh.Leaf()), got.Path); diff != "" {
				rt.Fatal(diff)
			}
			viewed := grown.Trail(session.Pos(rapid.IntRange(0, n-1).Draw(rt, "viewed")))
			off := 0
			for off < len(viewed.Path) && slices.Contains(got.Path, viewed.Path[off]) {
				off++
			}
			if at := viewed.FirstOffLeafPath(grown); at != off {
				rt.Fatalf("the path leaves the path to the leaf at %d, want %d", at, off)
			}
		}
	})
}

func trailEntry() *rapid.Generator[session.Entry] {
	kinds := []session.Kind{session.KindUser, session.KindAssistant, session.KindToolResult, session.KindCompaction, session.KindContextEdit, session.KindLabel, session.KindModel}
	return rapid.Custom(func(rt *rapid.T) session.Entry {
		e := session.Entry{Kind: rapid.SampledFrom(kinds).Draw(rt, "kind"), Name: "m"}
		d := e.OwnDetails()
		d.Charge, d.Tokens, d.Added = &session.Charge{Usage: session.Usage{Cost: float64(rapid.IntRange(0, 3).Draw(rt, "cost"))}}, int64(rapid.IntRange(0, 2).Draw(rt, "tokens")), int32(rapid.IntRange(0, 1).Draw(rt, "added"))
		return e
	})
}

// An entry that is appended below the leaf costs the same whatever the length of its path.
func TestTrailAllocations(t *testing.T) {
	entries := make([]session.Entry, 20_000)
	for i := range entries {
		entries[i] = session.Entry{ID: fmt.Sprint(i), Kind: session.KindUser, Span: session.Span{Line: int32(i + 1)}}
		if i > 0 {
			entries[i].Parent, entries[i].Flags = fmt.Sprint(i-1), session.FlagHasParent
		}
	}
	tree := session.BuildTree(session.Header{}, entries[:10_000], nil)
	tree.Trail(tree.Leaf())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := 10_000; i < len(entries); i++ {
		tree.AppendEntries(session.Header{}, entries[i:i+1], nil)
		tree.Trail(tree.Leaf())
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / 10_000; each > 2000 {
		t.Errorf("%d bytes for each entry", each)
	}
}
