package view

import (
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
	"sessiontree/web/components"
)

// copyPathEntry copies the entry at path[i] with what the tree knows about it.
func copyPathEntry(s Scene, path []session.Pos, i int, edits map[string]*contextEdit) pathEntry {
	t, p := s.Tree, path[i]
	e := pathEntry{Entry: *t.At(p), pos: p, index: i}
	if l, ok := t.Label(p); ok {
		e.label = oneLine(l.Text)
	}
	e.warning = orphanWarning(t, p, &e.Entry)
	addThreadLinks(s, path, i, &e)
	e.edit = edits[e.ID]
	e.switcher = branchSwitcher(s, p)
	switch e.Kind {
	case session.KindToolResult:
		if c, at := t.CallOf(p); at != session.NoPos {
			e.call = *c
		}
	case session.KindCompaction:
		e.tokensAfter = tokensAfterCompaction(t, p)
		e.coveredEntries = countCovered(t, path[:i], e.Target())
	case session.KindLabel, session.KindContextEdit, session.KindArchive, session.KindBranchSummary:
		resolveTarget(s, path, &e)
	}
	return e
}

// resolveTarget sets the text and the link of the entry's target.
func resolveTarget(s Scene, path []session.Pos, e *pathEntry) {
	p := s.Tree.FindID(e.Target())
	if p == session.NoPos {
		return
	}
	on := slices.Contains(path, p)
	e.targetHref = s.entryHref(e.Target(), on)
	if e.Kind != session.KindBranchSummary {
		e.targetText = rowtext.Cut(entryText(s.Tree, p), 80)
	} else if head, entries, ok := abandonedBranch(s.Tree, e.pos, p); ok {
		e.targetText, e.coveredEntries = rowtext.Cut(branchTitle(s.Tree, head), 80), entries
	}
}

// maxAbandonedEntries limits how far back an abandoned branch is followed.
const maxAbandonedEntries = 4096

// abandonedBranch returns the first entry of the branch that is summarized at p and ends
// at tip, and its number of entries. ok is false if tip is not on a sibling branch of p,
// since some files record another entry there.
func abandonedBranch(t *session.Tree, p, tip session.Pos) (head session.Pos, entries int, ok bool) {
	fork := t.Parent(p)
	for q := tip; entries < maxAbandonedEntries; q = t.Parent(q) {
		if q == fork || q == session.NoPos {
			return head, entries, q == fork && entries > 0
		}
		head = q
		entries++
	}
	return head, entries, false
}

// countCovered returns the number of entries that a compaction replaces: those on the path
// before it, up to the first one kept.
func countCovered(t *session.Tree, before []session.Pos, kept string) int {
	if p := t.FindID(kept); p != session.NoPos {
		if i := slices.Index(before, p); i >= 0 {
			return i
		}
	}
	return len(before)
}

// branchSwitcher returns the branch switcher before p, or nil if p has no sibling.
func branchSwitcher(s Scene, p session.Pos) *components.SwitchModel {
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
		m.Prev = s.branchHref(branches[at-1])
	}
	if at+1 < len(branches) {
		next := branches[at+1]
		m.Next = s.branchHref(next)
		m.NextText = branchTitle(t, next)
		m.NextCount = components.Pluralize(t.SubtreeSize(next), "entry", "entries")
	}
	return m
}

// leafSwitcher returns the item of the switcher where the viewed path leaves the path to the
// session's leaf, or nil. Of all switchers of the viewed path only this one changes while
// the session's leaf grows.
func leafSwitcher(s Scene, trail *session.Trail) *components.ItemModel {
	at := s.Tree.FirstOffLeafPath(trail)
	if at == len(trail.Path) {
		return nil
	}
	p := trail.Path[at]
	switcher := branchSwitcher(s, p)
	if switcher == nil {
		return nil
	}
	m := switcherItem(s.Tree.At(p).ID, switcher)
	return &m
}

// switcherItem returns the item that shows the switcher before an entry.
func switcherItem(entry string, switcher *components.SwitchModel) components.ItemModel {
	return components.ItemModel{Kind: "fork", ID: domID("s-", entry), Entry: entry, Switch: switcher}
}

// branchHref returns the URL that views a branch from its head to its newest leaf. It does
// not name the session's leaf, so that the path follows it.
func (s Scene) branchHref(head session.Pos) string {
	leaf := s.Tree.NewestLeaf(head)
	name := s.Tree.At(leaf).ID
	if leaf == s.Tree.Leaf() {
		name = ""
	}
	return s.Params.withEntry(s.Tree.At(head).ID, name).Href(s.Base())
}
