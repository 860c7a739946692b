package spend_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"sessiontree/internal/session"
	"sessiontree/internal/session/prices"
	"sessiontree/internal/session/sessiontest"
	"sessiontree/internal/session/spend"
)

// drawTree draws the entries of a session with requests, some of them recorded twice.
func drawTree(rt *rapid.T) []session.Entry {
	entries := sessiontest.DrawEntries(rt)
	for i := range entries {
		e := &entries[i]
		if e.Kind != session.KindAssistant && rapid.IntRange(0, 3).Draw(rt, "answer") > 0 {
			continue
		}
		key := uint64(i)
		if rapid.IntRange(0, 4).Draw(rt, "copy") == 0 {
			key = uint64(rapid.IntRange(0, i).Draw(rt, "of"))
		}
		e.OwnDetails().Charge = &session.Charge{Key: key, Model: "claude-opus-4-5", Usage: session.Usage{Output: int64(1 + key)}}
	}
	return entries
}

// A tree costs as much as its file in a ledger, however it grew. Each path costs what its
// entries cost, and the branches cost what is not on the path to the leaf.
func TestOfTree(t *testing.T) {
	t.Parallel()
	table := prices.Default()
	rapid.Check(t, func(rt *rapid.T) {
		entries := drawTree(rt)
		grown := session.BuildTree(session.Header{}, nil, nil)
		for rest := entries; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(rt, "appended")
			grown.AppendEntries(session.Header{}, rest[:n], nil)
			rest = rest[n:]
			spend.OfTree(grown, table, spend.Ownership{}, grown.Leaf())
		}
		fresh := session.BuildTree(session.Header{}, entries, nil)
		got, want := spend.OfTree(grown, table, spend.Ownership{}, grown.Leaf()), spend.OfTree(fresh, table, spend.Ownership{}, fresh.Leaf())
		if !closeTo(got.Sums.Cost, want.Sums.Cost) || !closeTo(got.Left, want.Left) || got.Sums.Requests != want.Sums.Requests || got.Sums.ModelWait != want.Sums.ModelWait {
			rt.Fatalf("grown %+v, fresh %+v", got, want)
		}
		l := spend.NewLedger(table)
		l.Put(spend.Source{Path: "a", Session: "a", File: new(spend.CollectTree(fresh))})
		if s := l.Session("a"); !closeTo(s.Sums.Cost, want.Sums.Cost) || !closeTo(s.Left.Cost, want.Left) {
			rt.Fatalf("the tree costs %v, %v of it on branches; its file %v, %v", want.Sums.Cost, want.Left, s.Sums.Cost, s.Left.Cost)
		}
		owner := map[uint64]session.Pos{}
		for p := range session.Pos(fresh.Len()) {
			if c := fresh.At(p).Charge(); c != nil {
				if _, ok := owner[c.Key]; !ok {
					owner[c.Key] = p
				}
			}
		}
		sheet, all := spend.ReadSheet(fresh, table, spend.Ownership{}), spend.EntrySpend{}
		for p := range session.Pos(fresh.Len()) {
			all.Add(sheet.Entry(p))
		}
		if !closeTo(all.Cost, want.Sums.Cost) || all.Tokens != want.Sums.Tokens() {
			rt.Fatalf("the entries cost %+v, the tree %+v", all, want.Sums)
		}
		paths := sheet.PathCosts()
		for leaf := range session.Pos(fresh.Len()) {
			if want, got := spend.OfTree(fresh, table, spend.Ownership{}, leaf).Path, paths[leaf]; !closeTo(got, want) {
				rt.Fatalf("the path to %d costs %v, counted for this path alone %v", leaf, got, want)
			}
			sum := 0.0
			for p := leaf; p != session.NoPos; p = fresh.Parent(p) {
				if c := fresh.At(p).Charge(); c != nil && owner[c.Key] == p {
					cost, _ := table.Price(c.Model, &c.Usage)
					sum += cost
				}
			}
			if got := spend.OfTree(fresh, table, spend.Ownership{}, leaf).Path; got < sum-1e-12 {
				rt.Fatalf("the path to %d costs %v, its entries %v", leaf, got, sum)
			}
		}
		none := spend.OfTree(fresh, table, spend.OwnedIf(func(uint64) bool { return false }), fresh.Leaf())
		if none.Sums.Cost != 0 || none.Sums.Requests != 0 {
			rt.Fatalf("requests of other sessions count: %+v", none)
		}
	})
}

// A session with a branch, by hand.
func TestOfTree_Branch(t *testing.T) {
	t.Parallel()
	entry := func(id, parent string, kind session.Kind, cost float64) session.Entry {
		e := session.Entry{ID: id, Parent: parent, Kind: kind, Time: session.NoTime, Preview: "x"}
		if parent != "" {
			e.Flags = session.FlagHasParent
		}
		if cost > 0 {
			e.OwnDetails().Charge = &session.Charge{Key: session.HashParts(id), Usage: session.Usage{Output: 1, Cost: cost}, HasCost: true}
		}
		return e
	}
	tree := session.BuildTree(session.Header{}, []session.Entry{
		entry("u1", "", session.KindUser, 0), entry("a1", "u1", session.KindAssistant, 1), entry("u2", "a1", session.KindUser, 0), entry("a2", "u2", session.KindAssistant, 2),
		entry("u3", "a1", session.KindUser, 0), entry("a3", "u3", session.KindAssistant, 4),
	}, nil)
	table := prices.Default()
	at := func(id string) string {
		s := spend.OfTree(tree, table, spend.Ownership{}, tree.FindID(id))
		return fmt.Sprintf("%g of %g, %g left", s.Path, s.Sums.Cost, s.Left)
	}
	for id, want := range map[string]string{"a3": "5 of 7, 2 left", "a2": "3 of 7, 2 left", "a1": "1 of 7, 2 left"} {
		if got := at(id); got != want {
			t.Errorf("the path to %s costs %s, want %s", id, got, want)
		}
	}
}

// Tool calls whose results are recorded with the call, as Wave does, are counted once.
func TestReadSheet_Outcomes(t *testing.T) {
	t.Parallel()
	e := session.Entry{ID: "a1", Kind: session.KindAssistant, Time: session.NoTime, Preview: "x"}
	e.OwnDetails().Calls = []session.ToolCall{{ID: "c1", Outcome: &session.Outcome{}}, {ID: "c2", Outcome: &session.Outcome{Failed: true}}, {ID: "c3"}}
	tree := session.BuildTree(session.Header{}, []session.Entry{e}, nil)
	sums := spend.ReadSheet(tree, prices.Default(), spend.Ownership{}).Total().Sums
	if sums.ToolCalls != 2 || sums.ToolFailures != 1 {
		t.Errorf("%d tool calls, %d failed, want 2 and 1", sums.ToolCalls, sums.ToolFailures)
	}
}
