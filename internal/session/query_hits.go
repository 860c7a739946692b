package session

import (
	"cmp"
	"slices"
)

// FoundEntry is an entry that matches a view's query.
type FoundEntry struct {
	Pos Pos
	Row int32 // its row, or the row of the closed branch it is in
}

// queryHits holds which entries match a view's query. It is nil without a query, and
// then has no hits.
type queryHits struct {
	own       []bool
	inSubtree []bool // the subtree has a hit
}

func (h *queryHits) isHit(p Pos) bool       { return h != nil && h.own[p] }
func (h *queryHits) hasHitBelow(p Pos) bool { return h != nil && h.inSubtree[p] }

func (s *spine) findQueryHits() *queryHits {
	match := s.entryMatcher(s.view)
	if match == nil {
		return nil
	}
	h := &queryHits{s.markMatches(match, s.isVisible), make([]bool, len(s.entries))}
	s.markAncestors(h.own, h.inSubtree)
	return h
}

// markAncestors marks in below every entry that is marked in own, and its ancestors.
func (t *Tree) markAncestors(own, below []bool) {
	for i := range own {
		if own[i] {
			for p := Pos(i); p != NoPos && !below[p]; p = t.parent[p] {
				below[p] = true
			}
		}
	}
}

// markMatches marks the entries that match and are visible. For a matching entry
// without a row it marks the entries that display it.
func (t *Tree) markMatches(match, visible func(Pos) bool) []bool {
	own := make([]bool, len(t.entries))
	for i := range t.entries {
		p := Pos(i)
		switch {
		case !match(p):
		case visible(p):
			own[p] = true
		default:
			for _, q := range t.entriesShowing(p) {
				own[q] = own[q] || visible(q)
			}
		}
	}
	return own
}

// entriesShowing returns the entries whose rows display what p records: the target of a
// current label, the results of an answer of nothing but calls.
func (t *Tree) entriesShowing(p Pos) []Pos {
	e := t.At(p)
	switch target := t.FindID(e.Target()); {
	case e.Kind == KindLabel && e.Preview != "" && target != NoPos && t.labelText(target) == e.Preview:
		return []Pos{target}
	case t.traits[p].hasAnyTrait(traitWordless):
		var results []Pos
		for i := range e.Calls() {
			if r := t.FindToolResult(e.Calls()[i].ID); r != NoPos {
				results = append(results, r)
			}
		}
		return results
	}
	return nil
}

// isVisible reports whether the entry at p has a row, or would have one if its branch
// were open.
func (s *spine) isVisible(p Pos) bool {
	if s.archivedEntries != nil && s.archivedEntries[p] {
		return false
	}
	e := s.At(p)
	return s.hasOwnRow(p) || s.showsCallRows() && s.hasOpenCall(e) || p == s.leaf && e.HasFlag(FlagBranchMark)
}

// listFound returns the entries marked in own in the order of their rows. An entry in a
// closed branch gets the row of the branch; entries with neither are omitted.
func (t *Tree) listFound(own []bool, v View, o *Outline) []FoundEntry {
	rows := make([]int32, len(t.entries))   // of entries, counted from 1
	closed := make([]int32, len(t.entries)) // of closed branches, counted from 1
	for i, r := range o.Rows.All() {
		if r.Hit && (rows[r.Title] == 0 || r.Kind == RowEntry) {
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
		row := rows[i]
		if row == 0 {
			row = t.closedRowAbove(closed, Pos(i))
		}
		if row > 0 {
			all = append(all, FoundEntry{Pos(i), row - 1})
		}
	}
	slices.SortStableFunc(all, func(a, b FoundEntry) int { return cmp.Compare(a.Row, b.Row) })
	return all
}

// closedRowAbove returns the value of closed for p or its nearest ancestor with one, or
// -1. It stores the value for the entries in between.
func (t *Tree) closedRowAbove(closed []int32, p Pos) int32 {
	top := p
	for top != NoPos && closed[top] == 0 {
		top = t.parent[top]
	}
	row := int32(-1)
	if top != NoPos {
		row = closed[top]
	}
	for ; p != top; p = t.parent[p] {
		closed[p] = row
	}
	return row
}
