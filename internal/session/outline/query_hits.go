package outline

import (
	"cmp"
	"slices"

	"sessiontree/internal/session"
)

// FoundEntry is an entry that matches a view's query.
type FoundEntry struct {
	Pos session.Pos
	Row int32 // its row, or the row of the closed branch it is in
}

// queryHits holds which entries match a view's query. It is nil without a query, and
// then has no hits.
type queryHits struct {
	own       []bool
	inSubtree []bool // the subtree has a hit
	matches   func(session.Pos) bool
	// foldedIn is the row, counted from 1, of the closed group that a hit is folded in.
	foldedIn map[session.Pos]int32
}

func (h *queryHits) isHit(p session.Pos) bool       { return h != nil && h.own[p] }
func (h *queryHits) hasHitBelow(p session.Pos) bool { return h != nil && h.inSubtree[p] }

// addFoldedHits marks which lines of a folded group match, and reports whether the row of
// the group, counted from 1, stands for any. A line that another entry displays is a hit
// there.
func (s *spine) addFoldedHits(lines []session.Pos, row int32, open bool) bool {
	h, found := s.queryHits, false
	if h == nil {
		return false
	}
	for _, p := range lines {
		if !h.matches(p) || len(entriesShowing(s.tree, p)) > 0 {
			continue
		}
		if h.own[p] = true; !open {
			found, h.foldedIn[p] = true, row
		}
	}
	return found
}

func (s *spine) findQueryHits() *queryHits {
	match := entryMatcher(s.tree, s.view)
	if match == nil {
		return nil
	}
	h := &queryHits{own: markMatches(s.tree, match, s.isVisible), inSubtree: make([]bool, s.tree.Len()), matches: match, foldedIn: map[session.Pos]int32{}}
	markAncestors(s.tree, h.own, h.inSubtree)
	return h
}

// markAncestors marks in below every entry that is marked in own, and its ancestors.
func markAncestors(t *session.Tree, own, below []bool) {
	for i := range own {
		if own[i] {
			for p := session.Pos(i); p != session.NoPos && !below[p]; p = t.Parent(p) {
				below[p] = true
			}
		}
	}
}

// markMatches marks the entries that match and are visible. For a matching entry
// without a row it marks the entries that display it.
func markMatches(t *session.Tree, match, visible func(session.Pos) bool) []bool {
	own := make([]bool, t.Len())
	for i := range t.Len() {
		p := session.Pos(i)
		switch {
		case !match(p):
		case visible(p):
			own[p] = true
		default:
			for _, q := range entriesShowing(t, p) {
				own[q] = own[q] || visible(q)
			}
		}
	}
	return own
}

// entriesShowing returns the entries whose rows display what p records: the target of a
// current label, the results of an answer of nothing but calls.
func entriesShowing(t *session.Tree, p session.Pos) []session.Pos {
	e := t.At(p)
	switch target := t.FindID(e.Target()); {
	case e.Kind == session.KindLabel && e.Preview != "" && target != session.NoPos && labelText(t, target) == e.Preview:
		return []session.Pos{target}
	case t.Traits(p).HasAny(session.TraitWordless):
		var results []session.Pos
		for i := range e.Calls() {
			if r := t.FindToolResult(e.Calls()[i].ID); r != session.NoPos {
				results = append(results, r)
			}
		}
		return results
	}
	return nil
}

// isVisible reports whether the entry at p has a row, or would have one if its branch
// were open.
func (s *spine) isVisible(p session.Pos) bool {
	if s.archivedEntries != nil && s.archivedEntries[p] {
		return false
	}
	e := s.tree.At(p)
	return s.hasOwnRow(p) || s.showsCallRows() && s.hasOpenCall(e) || p == s.tree.Leaf() && e.HasFlag(session.FlagBranchMark)
}

// listFound returns the entries marked in own in the order of their rows. An entry in a
// closed branch gets the row of the branch, and one in a folded group its row in foldedIn;
// entries with neither are omitted.
func listFound(t *session.Tree, own []bool, foldedIn map[session.Pos]int32, v View, o *Outline) []FoundEntry {
	rows := make([]int32, t.Len())   // of entries, counted from 1
	closed := make([]int32, t.Len()) // of closed branches, counted from 1
	for i, r := range o.Rows.All() {
		if r.Hit && r.Kind != RowFoldedGroup && (rows[r.Title] == 0 || r.Kind == RowEntry) {
			rows[r.Title] = int32(i + 1)
		}
		if !r.Open && (r.Kind == RowBranch || v.Layout == LayoutOutline) {
			closed[r.Pos] = int32(i + 1)
		}
	}
	var all []FoundEntry
	for i := range own {
		if !own[i] {
			continue
		}
		row := cmp.Or(rows[i], foldedIn[session.Pos(i)])
		if row == 0 {
			row = closedRowAbove(t, closed, session.Pos(i))
		}
		if row > 0 {
			all = append(all, FoundEntry{session.Pos(i), row - 1})
		}
	}
	slices.SortStableFunc(all, func(a, b FoundEntry) int { return cmp.Compare(a.Row, b.Row) })
	return all
}

// closedRowAbove returns the value of closed for p or its nearest ancestor with one, or
// -1. It stores the value for the entries in between.
func closedRowAbove(t *session.Tree, closed []int32, p session.Pos) int32 {
	top := p
	for top != session.NoPos && closed[top] == 0 {
		top = t.Parent(top)
	}
	row := int32(-1)
	if top != session.NoPos {
		row = closed[top]
	}
	for ; p != top; p = t.Parent(p) {
		closed[p] = row
	}
	return row
}

// entryMatcher returns a function that reports which entries match a view's query. Without a
// query, failed tool calls are the hits of FilterFailed, and others have none. The
// outline layout matches as pi 0.58.3 does, which searches only the label of types for
// which it has no words.
func entryMatcher(t *session.Tree, v View) func(session.Pos) bool {
	q := session.ParseQuery(v.Query)
	switch {
	case len(q) == 0 && v.Filter == FilterFailed && v.Layout == LayoutSpine:
		return func(p session.Pos) bool { return t.Traits(p).HasAny(session.TraitFailed) }
	case len(q) == 0:
		return nil
	case v.MatchesEntry != nil:
		return v.MatchesEntry
	case v.Layout == LayoutSpine:
		return func(p session.Pos) bool { return t.MatchesQuery(p, q) }
	}
	return func(p session.Pos) bool {
		if e := t.At(p); e.Kind.IsUnworded() || e.Kind == session.KindName {
			return q.MatchesText(labelText(t, p))
		}
		return t.MatchesQuery(p, q)
	}
}

func labelText(t *session.Tree, p session.Pos) string {
	l, _ := t.Label(p)
	return l.Text
}
