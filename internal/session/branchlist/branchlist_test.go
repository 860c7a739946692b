package branchlist

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/session/prices"
	"sessiontree/internal/session/sessiontest"
	"sessiontree/internal/session/spend"
)

// sheetOf returns what the entries of a tree cost.
func sheetOf(t *session.Tree) *spend.Sheet {
	return spend.ReadSheet(t, prices.Default(), spend.Ownership{})
}

// withCosts gives every answer a cost and tokens that depend on its position.
func withCosts(entries []session.Entry) []session.Entry {
	for i := range entries {
		if entries[i].Kind == session.KindAssistant {
			entries[i].OwnDetails().Charge = &session.Charge{Key: uint64(i / 2), HasCost: true, Usage: session.Usage{Cost: float64(i+1) / 64, Input: int64(i + 1)}}
		}
	}
	return entries
}

func TestListBranches_sumsAreThoseOfTheSession(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		tree := session.BuildTree(session.Header{}, withCosts(sessiontest.DrawDamagedEntries(rt)), nil)
		branches, spent := ListBranches(tree, sheetOf(tree)), sheetOf(tree).Total()
		entries, tokens, want := 0, int64(0), spent.Sums.Tokens()
		for _, b := range branches {
			entries += b.Entries
			tokens += b.Tokens
			if b.Start >= b.End && b.Head != session.NoPos {
				rt.Errorf("the branch at %s is from step %d to %d", tree.At(b.Head).ID, b.Start, b.End)
			}
		}
		total := SumBranches(branches)
		if entries != tree.EntryCount() || tokens != want || math.Abs(total.Session.Cost-spent.Sums.Cost) > 1e-9 {
			rt.Errorf("%d entries, %d tokens, $%v in the branches; %d, %d, $%v in the session", entries, tokens, total.Session.Cost, tree.EntryCount(), want, spent.Sums.Cost)
		}
		if parts := total.Path.Cost + total.OffPath.Cost + total.SubAgents.Cost; math.Abs(parts-total.Session.Cost) > 1e-9 {
			rt.Errorf("the parts add up to $%v of $%v", parts, total.Session.Cost)
		}
		if math.Abs(total.OffPath.Cost-spent.Left) > 1e-9 {
			rt.Errorf("the abandoned branches cost $%v, what was left $%v\n%s", total.OffPath.Cost, spent.Left, outline.Dump(tree))
		}
	})
}

// The tree has a row for each branch of the list, except for the path, what continues below
// the leaf, and further roots.
func TestListBranches_sameAsInTheTree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		tree := session.BuildTree(session.Header{}, sessiontest.DrawDamagedEntries(rt), nil)
		if tree.HasArchived() {
			rt.Skip("the filter that shows all entries shows archived ones too")
		}
		var listed, shown []session.Pos
		for _, b := range ListBranches(tree, sheetOf(tree))[1:] {
			if up := tree.Parent(b.Head); up != session.NoPos && (up != tree.Leaf() || tree.At(b.Head).StartsThread() || tree.Subtrees().MainChild(up, func(session.Pos) bool { return false }) != b.Head) {
				listed = append(listed, b.Head)
			}
		}
		rows := outline.Build(tree, outline.View{Leaf: tree.Leaf(), Entry: session.NoPos, Filter: outline.FilterAll, OpenAll: true})
		for _, r := range rows.Rows.All() {
			if r.Kind == outline.RowBranch {
				shown = append(shown, r.Pos)
			}
		}
		slices.Sort(listed)
		slices.Sort(shown)
		if !slices.Equal(listed, shown) {
			rt.Errorf("listed %v, shown %v\n%s", listed, shown, outline.Dump(tree))
		}
	})
}

func TestListBranches(t *testing.T) {
	t.Parallel()
	entry := func(id, parent string, k session.Kind, cost float64, flags session.Flags) session.Entry {
		e := session.Entry{ID: id, Parent: parent, Kind: k, Preview: id, Time: 1, Flags: flags, Details: &session.Details{Charge: &session.Charge{Key: session.HashParts(id), HasCost: true, Usage: session.Usage{Cost: cost}}}}
		if parent != "" {
			e.Flags |= session.FlagHasParent
		}
		return e
	}
	tree := session.BuildTree(session.Header{}, []session.Entry{
		entry("ask", "", session.KindUser, 0, 0),
		entry("answer", "ask", session.KindAssistant, 1, 0),
		entry("agent", "answer", session.KindUser, 0, session.FlagAgent),
		entry("found", "agent", session.KindAssistant, 2, 0),
		entry("left", "answer", session.KindUser, 0, 0),
		entry("tried", "left", session.KindAssistant, 4, 0),
		entry("helper", "tried", session.KindUser, 8, session.FlagAgent),
		entry("again", "answer", session.KindUser, 0, 0),
		entry("done", "again", session.KindAssistant, 16, 0),
	}, nil)
	type row struct {
		head       string
		kind       Kind
		off        bool
		start, end int
		cost       float64
	}
	var got []row
	branches := ListBranches(tree, sheetOf(tree))
	for _, b := range branches {
		got = append(got, row{tree.At(b.Head).ID, b.Kind, b.OffPath, b.Start, b.End, b.Cost})
	}
	want := []row{
		{"ask", Current, false, 0, 4, 17},
		{"agent", SubAgent, false, 2, 4, 2},
		{"left", Abandoned, true, 2, 4, 4},
		{"helper", SubAgent, true, 4, 5, 8},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if s := SumBranches(branches); s.Session.Cost != 31 || s.Path.Cost != 17 || s.OffPath.Cost != 12 || s.SubAgents.Cost != 2 {
		t.Errorf("totals %+v", s)
	}
}

func TestListBranches_empty(t *testing.T) {
	t.Parallel()
	empty := session.BuildTree(session.Header{}, nil, nil)
	if got := ListBranches(empty, sheetOf(empty)); len(got) != 1 || got[0].Entries != 0 {
		t.Errorf("got %+v", got)
	}
}
