package view

import (
	"slices"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// takeEntry copies the entry at path[i] with what the tree knows about it.
func takeEntry(s Scene, path []session.Pos, i int, edits map[string]*editMark) pathEntry {
	t, p := s.Tree, path[i]
	e := pathEntry{Entry: *t.At(p), pos: p, index: i}
	if l, ok := t.Label(p); ok {
		e.label = oneLine(l.Text)
	}
	e.warn = orphanWarning(t, p, &e.Entry)
	takeJoins(s, path, i, &e)
	e.edit = edits[e.ID]
	e.branch = switcher(s, p)
	switch e.Kind {
	case session.KindToolResult:
		e.call, _ = callOf(t, p)
	case session.KindCompaction:
		e.after = tokensAfter(t, p)
		e.covers = covered(t, path[:i], e.Target)
	case session.KindLabel, session.KindContextEdit, session.KindArchive, session.KindBranchSummary:
		takeTarget(s, path, &e)
	}
	return e
}

// takeTarget notes what another entry is called and where it is viewed.
func takeTarget(s Scene, path []session.Pos, e *pathEntry) {
	p := s.Tree.Find(e.Target)
	if p == session.NoPos {
		return
	}
	on := slices.Contains(path, p)
	e.goTo = s.href(e.Target, on)
	if e.Kind != session.KindBranchSummary {
		e.target = cutRunes(entryText(s.Tree, p), 80)
	} else if prompt, entries, ok := leftBehind(s.Tree, e.pos, p); ok {
		e.target, e.covers = cutRunes(entryText(s.Tree, prompt), 80), entries
	}
}

// leftReach is how far back a branch left behind is followed.
const leftReach = 4096

// leftBehind tells of the branch that a summary at p stands for and that ends at
// tip: its first prompt, and how many entries it has below the fork. ok is false
// when tip does not lie beside p, as in files that record another entry there.
func leftBehind(t *session.Tree, p, tip session.Pos) (prompt session.Pos, entries int, ok bool) {
	fork := t.Parent(p)
	for q := tip; entries < leftReach; q = t.Parent(q) {
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

// covered counts the entries that a compaction stands for: those before it since
// the path began, up to the first one kept.
func covered(t *session.Tree, before []session.Pos, kept string) int {
	if p := t.Find(kept); p != session.NoPos {
		if i := slices.Index(before, p); i >= 0 {
			return i
		}
	}
	return len(before)
}

// switcher is the branch switcher before p, nil where p has no sibling.
func switcher(s Scene, p session.Pos) *components.SwitchModel {
	t := s.Tree
	siblings := t.Roots()
	if up := t.Parent(p); up != session.NoPos {
		siblings = t.Children(up)
	}
	if len(siblings) < 2 {
		return nil
	}
	branches := t.Branches(p)
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
		m.NextText = branchText(t, next)
		if t.At(next).Begins() {
			m.NextText = lineText(t, next)
		}
		m.NextCount = plural(t.Size(next), "entry", "entries")
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
