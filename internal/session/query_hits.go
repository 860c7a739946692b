package session

import (
	"cmp"
	"slices"
)

// FoundEntry is an entry that a view's query finds.
type FoundEntry struct {
	Pos Pos
	Row int32 // its row, or that of the closed branch it stands in
}

// queryHits knows which entries a view's query finds. Without a query it is nil and
// nothing is found.
type queryHits struct {
	own       []bool
	inSubtree []bool // the subtree holds one
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

// markMatches marks the entries that match and are visible. What matches and has no row
// is found in the entries that show it.
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

// entriesShowing lists the entries whose rows show what p records: the target of a label
// in force, the results of an answer that is nothing but calls.
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

// isVisible reports whether the entry at p has a row, or would if its branch were
// open.
func (s *spine) isVisible(p Pos) bool {
	if s.archivedEntries != nil && s.archivedEntries[p] {
		return false
	}
	e := s.At(p)
	return s.hasOwnRow(p) || s.showsCallRows() && s.hasOpenCall(e) || p == s.leaf && e.HasFlag(FlagBranchMark)
}

// listFound lists the entries marked in own in the order of their rows. Those in a
// closed branch stand at its row; what has neither is left out.
func (t *Tree) listFound(own []bool, v View, o *Outline) []FoundEntry {
	rows := make([]int32, len(t.entries))   // of entries, from 1
	closed := make([]int32, len(t.entries)) // of closed branches
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

// closedRowAbove answers what closed says of p or its nearest ancestor it knows of, -1
// for nothing, and keeps that for all in between.
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
