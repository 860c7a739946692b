package outline_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/slowtest"
)

// grower writes a session as agents do: mostly after the last entry.
type grower struct {
	rt   *rapid.T
	tree *session.Tree
	n    int
	open []string // calls without a result
	mute bool     // only settings, which have no rows
}

func (g *grower) id(n int) string { return fmt.Sprint("e", n) }

// next draws the next entry.
func (g *grower) next() session.Entry {
	g.n++
	e := session.Entry{ID: g.id(g.n), Parent: g.id(g.n - 1), Flags: session.FlagHasParent, Kind: session.KindUser, Role: "any",
		Time: int64(g.n) * 1000, Preview: "words", Span: session.Span{Line: int32(g.n + 1)}}
	if rapid.IntRange(0, 19).Draw(g.rt, "back") == 0 {
		far := rapid.SampledFrom([]int{3, 6, 90}).Draw(g.rt, "far")
		e.Parent = g.id(rapid.IntRange(max(1, g.n-far), g.n).Draw(g.rt, "to"))
	}
	if g.mute {
		e.Kind = session.KindModel
		return e
	}
	switch rapid.IntRange(0, 19).Draw(g.rt, "what") {
	case 0, 1, 2, 3, 4, 5, 6:
		e.Kind = session.KindAssistant
		if rapid.Bool().Draw(g.rt, "calls") {
			e.OwnDetails().Calls = []session.ToolCall{{ID: fmt.Sprint("c", rapid.SampledFrom([]int{g.n, g.n, g.n, g.n, g.n, g.n, g.n, g.n / 2}).Draw(g.rt, "call")), Name: "t"}}
			g.open = append(g.open, e.Calls()[0].ID)
		}
	case 7, 8, 9:
		if len(g.open) > 0 {
			at := rapid.IntRange(0, len(g.open)-1).Draw(g.rt, "result")
			e.Kind, e.OwnDetails().Call = session.KindToolResult, g.open[at]
			g.open = slices.Delete(g.open, at, at+1)
		}
	case 10, 11:
		e.Kind = session.KindModel
	case 12:
		e.Kind, e.OwnDetails().Target = session.KindLabel, g.id(rapid.IntRange(1, g.n).Draw(g.rt, "labeled"))
	case 13:
		e.Kind, e.Flags = session.KindCustom, e.Flags|session.FlagBranchMark
	case 14:
		if rapid.IntRange(0, 9).Draw(g.rt, "archive") == 0 {
			e.Kind, e.OwnDetails().Target, e.Flags = session.KindArchive, g.id(rapid.IntRange(1, g.n).Draw(g.rt, "archived")), e.Flags|session.FlagOn
		} else if rapid.IntRange(0, 9).Draw(g.rt, "root") == 0 {
			e.Parent, e.Flags = "", 0
		}
	case 15:
		e.Flags |= session.FlagMetadata
	}
	if rapid.Bool().Draw(g.rt, "worded") {
		e.Flags |= session.FlagText
	}
	return e
}

func (g *grower) grow(n int) {
	entries := make([]session.Entry, n)
	for i := range entries {
		entries[i] = g.next()
	}
	if g.tree == nil {
		g.tree = session.BuildTree(session.Header{}, entries, nil)
	} else {
		g.tree.AppendEntries(session.Header{}, entries, nil)
	}
}

// shownRows returns everything that an outline shows.
func shownRows(o *outline.Outline) string {
	var b strings.Builder
	for i, r := range o.Rows.All() {
		fmt.Fprintf(&b, "%d of %d %+v\n", i, o.RunSize(r), *r)
	}
	fmt.Fprintf(&b, "selected %d, %d entries, %d visible, %d branches, %d agents", o.Selected, o.Entries, o.Visible, o.Branches, o.Agents)
	return b.String()
}

// An updated outline equals one made from scratch.
func TestProperty_updateOutline(t *testing.T) {
	t.Parallel()
	slowtest.SkipIfShort(t)
	rapid.Check(t, func(rt *rapid.T) {
		g := &grower{rt: rt}
		g.grow(rapid.IntRange(1, 200).Draw(rt, "entries"))
		if g.mute = rapid.IntRange(0, 4).Draw(rt, "mute") == 0; g.mute {
			g.grow(80)
			g.mute = false
		}
		pinned := session.Pos(rapid.IntRange(-1, g.tree.Len()-1).Draw(rt, "pinned"))
		views := map[string]func() outline.View{
			"leaf":     func() outline.View { return outline.View{Leaf: g.tree.Leaf(), Entry: session.NoPos} },
			"selected": func() outline.View { return outline.View{Leaf: g.tree.Leaf(), Entry: g.tree.Leaf()} },
			"at entry": func() outline.View { return outline.View{Leaf: g.tree.Leaf(), Entry: pinned} },
			"pinned":   func() outline.View { return outline.View{Leaf: pinned, Entry: session.NoPos} },
			"all": func() outline.View {
				return outline.View{Leaf: g.tree.Leaf(), Entry: session.NoPos, Filter: outline.FilterAll}
			},
			"users": func() outline.View {
				return outline.View{Leaf: g.tree.Leaf(), Entry: session.NoPos, Filter: outline.FilterUserOnly}
			},
			"unfolded": func() outline.View { return outline.View{Leaf: g.tree.Leaf(), Entry: session.NoPos, DefaultOpen: true} },
			"root":     func() outline.View { return outline.View{Leaf: g.tree.Leaf(), Entry: session.NoPos, Root: "e3"} },
			"later":    func() outline.View { return outline.View{Leaf: g.tree.Leaf(), Entry: session.NoPos, Root: "e210"} },
			"pi": func() outline.View {
				return outline.View{Leaf: g.tree.Leaf(), Entry: session.NoPos, Layout: outline.LayoutOutline}
			},
		}
		before := map[string]*outline.Outline{}
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			for name, view := range views {
				o := outline.Update(g.tree, before[name], view())
				if diff := cmp.Diff(shownRows(outline.Build(g.tree, view())), shownRows(o)); diff != "" {
					rt.Fatalf("%s (-at once +after the one before):\n%s", name, diff)
				}
				before[name] = o
			}
			g.grow(rapid.IntRange(1, 4).Draw(rt, "more"))
		}
	})
}

// Updated subtree statistics equal those computed from scratch.
func TestProperty_countsGrow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		g := &grower{rt: rt}
		g.grow(rapid.IntRange(1, 600).Draw(rt, "entries"))
		for range rapid.IntRange(1, 400).Draw(rt, "steps") {
			g.tree.Subtrees().Size(0)
			g.grow(1)
		}
		var entries []session.Entry
		for p := range g.tree.Len() {
			entries = append(entries, *g.tree.At(session.Pos(p)))
		}
		fresh := session.BuildTree(session.Header{}, entries, nil)
		for p := range session.Pos(fresh.Len()) {
			if g.tree.Subtrees().Size(p) != fresh.Subtrees().Size(p) || g.tree.Subtrees().NewestTime(p) != fresh.Subtrees().NewestTime(p) {
				rt.Fatalf("%s: size %d, newest %d; at once %d, %d", fresh.At(p).ID, g.tree.Subtrees().Size(p), g.tree.Subtrees().NewestTime(p), fresh.Subtrees().Size(p), fresh.Subtrees().NewestTime(p))
			}
		}
	})
}

// When a long session grows, the rows above the last ones stay in place.
func TestUpdateOutline_Shares(t *testing.T) {
	t.Parallel()
	tree := session.BuildTree(session.Header{}, chainOf(0, 5000), nil)
	view := func() outline.View { return outline.View{Leaf: tree.Leaf(), Entry: session.NoPos} }
	before := outline.Build(tree, view())
	for i := range 300 {
		tree.AppendEntries(session.Header{}, chainOf(5000+i, 1), nil)
		o := outline.Update(tree, before, view())
		if n := o.Rows.Len() - o.Rows.SharedPrefixLen(&before.Rows); n > 600 {
			t.Fatalf("after %d entries %d of %d rows were made anew", i+1, n, o.Rows.Len())
		}
		before = o
	}
}

// chainOf returns n entries, each a child of the one before.
func chainOf(first, n int) (entries []session.Entry) {
	for i := first; i < first+n; i++ {
		e := session.Entry{ID: fmt.Sprint("e", i), Kind: session.KindUser, Role: "user", Preview: "words", Flags: session.FlagText,
			Time: int64(i) * 1000, Span: session.Span{Line: int32(i + 2)}}
		if i > 0 {
			e.Parent, e.Flags = fmt.Sprint("e", i-1), e.Flags|session.FlagHasParent
		}
		entries = append(entries, e)
	}
	return entries
}
