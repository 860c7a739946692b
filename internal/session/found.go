package session

import (
	"cmp"
	"slices"
)

// Found is an entry that a view's query finds.
type Found struct {
	Pos Pos
	Row int32 // its row, or that of the closed branch it stands in
}

// hits knows which entries a view's query finds. Without a query it is nil and
// nothing is found.
type hits struct {
	own   []bool
	below []bool // the subtree holds one
}

func (h *hits) at(p Pos) bool { return h != nil && h.own[p] }
func (h *hits) in(p Pos) bool { return h != nil && h.below[p] }

func (s *spine) hits() *hits {
	match := s.matcher(s.view)
	if match == nil {
		return nil
	}
	h := &hits{s.found(match, s.visible), make([]bool, len(s.entries))}
	s.markUp(h.own, h.below)
	return h
}

// markUp marks in below every entry that is marked in own, and its ancestors.
func (t *Tree) markUp(own, below []bool) {
	for i := range own {
		if own[i] {
			for p := Pos(i); p != NoPos && !below[p]; p = t.parent[p] {
				below[p] = true
			}
		}
	}
}

// found marks the entries that match and are visible. What matches and has no row
// is found in the entries that show it.
func (t *Tree) found(match, visible func(Pos) bool) []bool {
	own := make([]bool, len(t.entries))
	for i := range t.entries {
		p := Pos(i)
		switch {
		case !match(p):
		case visible(p):
			own[p] = true
		default:
			for _, q := range t.shownBy(p) {
				own[q] = own[q] || visible(q)
			}
		}
	}
	return own
}

// shownBy lists the entries whose rows show what p records: the target of a label
// in force, the results of an answer that is nothing but calls.
func (t *Tree) shownBy(p Pos) []Pos {
	e := t.At(p)
	switch target := t.Find(e.Target); {
	case e.Kind == KindLabel && e.Preview != "" && target != NoPos && t.labelText(target) == e.Preview:
		return []Pos{target}
	case t.looks[p].is(looksWordless):
		var results []Pos
		for i := range e.Calls {
			if r := t.Answer(e.Calls[i].ID); r != NoPos {
				results = append(results, r)
			}
		}
		return results
	}
	return nil
}

// visible reports whether the entry at p has a row, or would if its branch were
// open.
func (s *spine) visible(p Pos) bool {
	if s.gone != nil && s.gone[p] {
		return false
	}
	e := s.At(p)
	return s.shows(p) || s.callRows() && s.waits(e) || p == s.leaf && e.Has(FlagBranchMark)
}

// find lists the entries marked in own in the order of their rows. Those in a
// closed branch stand at its row; what has neither is left out.
func (t *Tree) find(own []bool, v View, o *Outline) []Found {
	rows := make([]int32, len(t.entries))   // of entries, from 1
	closed := make([]int32, len(t.entries)) // of closed branches
	for i, r := range o.Rows.All() {
		if r.Hit && (rows[r.Title] == 0 || r.Kind == RowEntry) {
			rows[r.Title] = int32(i + 1)
		}
		if !r.Open && (r.Kind == RowStub || v.Layout == LayoutOutline) {
			closed[r.Pos] = int32(i + 1)
		}
	}
	var all []Found
	for i := range own {
		if !own[i] {
			continue
		}
		row := rows[i]
		if row == 0 {
			row = t.closedAbove(closed, Pos(i))
		}
		if row > 0 {
			all = append(all, Found{Pos(i), row - 1})
		}
	}
	slices.SortStableFunc(all, func(a, b Found) int { return cmp.Compare(a.Row, b.Row) })
	return all
}

// closedAbove answers what closed says of p or its nearest ancestor it knows of, -1
// for nothing, and keeps that for all in between.
func (t *Tree) closedAbove(closed []int32, p Pos) int32 {
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
