package view

import (
	"slices"

	"sessiontree/internal/session"
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
		e.call, _ = findCall(t, p)
	case session.KindCompaction:
		e.tokensAfter = tokensAfterCompaction(t, p)
		e.coveredEntries = countCovered(t, path[:i], e.Target())
	case session.KindLabel, session.KindContextEdit, session.KindArchive, session.KindBranchSummary:
		resolveTarget(s, path, &e)
	}
	return e
}

// resolveTarget notes what another entry is called and where it is viewed.
func resolveTarget(s Scene, path []session.Pos, e *pathEntry) {
	p := s.Tree.FindID(e.Target())
	if p == session.NoPos {
		return
	}
	on := slices.Contains(path, p)
	e.targetHref = s.entryHref(e.Target(), on)
	if e.Kind != session.KindBranchSummary {
		e.targetText = cutRunes(entryText(s.Tree, p), 80)
	} else if prompt, entries, ok := abandonedBranch(s.Tree, e.pos, p); ok {
		e.targetText, e.coveredEntries = cutRunes(entryText(s.Tree, prompt), 80), entries
	}
}

// maxAbandonedEntries is how far back a branch left behind is followed.
const maxAbandonedEntries = 4096

// abandonedBranch tells of the branch that a summary at p stands for and that ends at
// tip: its first prompt, and how many entries it has below the fork. ok is false
// when tip does not lie beside p, as in files that record another entry there.
func abandonedBranch(t *session.Tree, p, tip session.Pos) (prompt session.Pos, entries int, ok bool) {
	fork := t.Parent(p)
	for q := tip; entries < maxAbandonedEntries; q = t.Parent(q) {
		if q == fork || q == session.NoPos {
			return prompt, entries, q == fork && entries > 0
		}
		if entries == 0 || t.At(q).Kind == session.KindUser || t.At(prompt).Kind != session.KindUser {
			prompt = q
		}
		entries++
	}
	return prompt, entries, false
}

// countCovered counts the entries that a compaction stands for: those before it since
// the path began, up to the first one kept.
func countCovered(t *session.Tree, before []session.Pos, kept string) int {
	if p := t.FindID(kept); p != session.NoPos {
		if i := slices.Index(before, p); i >= 0 {
			return i
		}
	}
	return len(before)
}

// branchSwitcher is the branch switcher before p, nil where p has no sibling.
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
		if t.At(next).StartsThread() {
			m.NextText = threadTitle(t, next)
		}
		m.NextCount = pluralize(t.SubtreeSize(next), "entry", "entries")
	}
	return m
}

// branchHref views a branch from its head to its newest leaf. The session's leaf
// is not named: a path to it follows.
func (s Scene) branchHref(head session.Pos) string {
	leaf := s.Tree.NewestLeaf(head)
	name := s.Tree.At(leaf).ID
	if leaf == s.Tree.Leaf() {
		name = ""
	}
	return s.Params.withEntry(s.Tree.At(head).ID, name).Href(s.Base())
}
