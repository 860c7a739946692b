package view

import (
	"slices"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// BranchSwitcher returns the branch switcher before p, or nil if p has no sibling.
func BranchSwitcher(s Scene, p session.Pos) *components.SwitchModel {
	t := s.Tree
	siblings := t.Roots()
	if up := t.Parent(p); up != session.NoPos {
		siblings = t.Children(up)
	}
	if len(siblings) < 2 {
		return nil
	}
	branches := t.SiblingBranches(p)
	at := slices.Index(branches, p)
	if len(branches) < 2 || at < 0 {
		return nil
	}
	m := &components.SwitchModel{At: at + 1, Of: len(branches), Head: t.At(p).ID}
	if at > 0 {
		m.Prev = s.BranchHref(branches[at-1])
	}
	if at+1 < len(branches) {
		next := branches[at+1]
		m.Next = s.BranchHref(next)
		m.NextText = BranchTitle(t, next)
		m.NextCount = components.Pluralize(t.SubtreeSize(next), "entry", "entries")
	}
	return m
}

// LeafSwitcher returns the item of the switcher where the viewed path leaves the path to the
// session's leaf, or nil. Of all switchers of the viewed path only this one changes while
// the session's leaf grows.
func LeafSwitcher(s Scene, trail *session.Trail) *components.ItemModel {
	at := s.Tree.FirstOffLeafPath(trail)
	if at == len(trail.Path) {
		return nil
	}
	p := trail.Path[at]
	switcher := BranchSwitcher(s, p)
	if switcher == nil {
		return nil
	}
	m := SwitcherItem(s.Tree.At(p).ID, switcher)
	return &m
}

// SwitcherItem returns the item that shows the switcher before an entry.
func SwitcherItem(entry string, switcher *components.SwitchModel) components.ItemModel {
	return components.ItemModel{Kind: "fork", ID: DomID("s-", entry), Entry: entry, Switch: switcher}
}

// HasSwitcher reports whether p is preceded by a switcher.
func HasSwitcher(t *session.Tree, p session.Pos) bool {
	siblings := t.Roots()
	if up := t.Parent(p); up != session.NoPos {
		siblings = t.Children(up)
	}
	return len(siblings) > 1 && len(t.SiblingBranches(p)) > 1
}
