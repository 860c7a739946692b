package view

import (
	"slices"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// BranchSwitcher returns the branch switcher before p, or nil if p has no sibling.
func BranchSwitcher(s Scene, p session.Pos) *components.BranchSwitcher {
	t := s.Tree
	if !hasSibling(t, p) {
		return nil
	}
	branches := t.Subtrees().SiblingBranches(p)
	at := slices.Index(branches, p)
	if len(branches) < 2 || at < 0 {
		return nil
	}
	id := t.At(p).ID
	m := &components.BranchSwitcher{
		ItemHead:    components.ItemHead{ID: DomID("s-", id), Entry: id},
		SwitchModel: components.SwitchModel{At: at + 1, Of: len(branches), Head: id},
	}
	if s.Audience.Snapshot == nil {
		m.Compare = compareHref(s, branches, at)
	}
	if at > 0 {
		m.Prev = s.BranchHref(branches[at-1])
	}
	if at+1 < len(branches) {
		next := branches[at+1]
		m.Next = s.BranchHref(next)
		m.NextText = BranchTitle(t, next)
		m.NextCount = components.Pluralize(t.Subtrees().Size(next), "entry", "entries")
	}
	return m
}

// compareHref compares a branch with its siblings, of which there may be very many.
func compareHref(s Scene, branches []session.Pos, at int) string {
	ids := []string{s.Tree.At(branches[at]).ID}
	from := max(min(at-MaxCompared/2, len(branches)-MaxCompared), 0)
	for _, p := range branches[from:min(from+MaxCompared, len(branches))] {
		if p != branches[at] {
			ids = append(ids, s.Tree.At(p).ID)
		}
	}
	return s.Base() + "/compare?" + CompareQuery(ids).Encode()
}

// LeafSwitcher returns the switcher where the viewed path leaves the path to the session's
// leaf, or nil. Of all switchers of the viewed path only this one changes while the
// session's leaf grows.
func LeafSwitcher(s Scene, trail *session.Trail) *components.BranchSwitcher {
	at := trail.FirstOffLeafPath(s.Tree)
	if at == len(trail.Path) {
		return nil
	}
	return BranchSwitcher(s, trail.Path[at])
}

// HasSwitcher reports whether p is preceded by a switcher.
func HasSwitcher(t *session.Tree, p session.Pos) bool {
	return hasSibling(t, p) && len(t.Subtrees().SiblingBranches(p)) > 1
}

func hasSibling(t *session.Tree, p session.Pos) bool {
	if up := t.Parent(p); up != session.NoPos {
		return len(t.Children(up)) > 1
	}
	return len(t.Roots()) > 1
}
