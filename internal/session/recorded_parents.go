package session

import "fmt"

// BuildLinked builds a tree of the caller's entries by their recorded parents. Formats
// use it within Arrange.
func BuildLinked(h Header, entries []*Entry) *Tree {
	t := &Tree{header: h, leaf: NoPos}
	t.AppendLinked(entries)
	return t
}

// AppendLinked is AppendEntries for entries of the caller.
func (t *Tree) AppendLinked(entries []*Entry) (rebuilt bool) {
	b, begun := treeBuilder{tree: t, first: Pos(len(t.entries))}, t.byID.slots != nil
	for _, e := range entries {
		rebuilt = rebuilt || begun && (t.FindID(e.ID) != NoPos || t.missingParents[e.ID])
	}
	t.lastCallsCache.Store(nil)
	if rebuilt || !begun {
		b.restoreEntries(len(entries))
	}
	for _, e := range entries {
		b.storeEntry(e)
	}
	b.linkRecordedParents()
	b.updateStats()
	return rebuilt
}

// StructureNotes returns notes about repeated ids, orphans and cycles.
func (t *Tree) StructureNotes() []Note {
	return append(t.duplicateNotes[:len(t.duplicateNotes):len(t.duplicateNotes)], t.parentNotes...)
}

// linkRecordedParents attaches the new entries to their recorded parents.
func (b *treeBuilder) linkRecordedParents() {
	t := b.tree
	for p := b.first; p < Pos(len(t.entries)); p++ {
		t.parent = append(t.parent, b.recordedParent(p))
		t.traits = append(t.traits, t.entries[p].computeTraits())
		t.childIndex.single = append(t.childIndex.single, NoPos)
	}
	BreakCycles(t.parent, b.first, b.cutCycle) // only new entries can be in a cycle
	b.attachEntries()
}

// recordedParent returns the position of p's recorded parent. If that is unknown, p
// becomes an orphan.
func (b *treeBuilder) recordedParent(p Pos) Pos {
	t, e := b.tree, b.tree.entries[p]
	if !e.HasFlag(FlagHasParent) {
		return NoPos
	}
	if p > 0 && t.entries[p-1].ID == e.Parent { // the usual case
		return p - 1
	}
	up := t.FindID(e.Parent)
	if up == NoPos {
		t.missingParents[e.Parent] = true
		t.parentNotes = append(t.parentNotes, Note{Code: NoteOrphan, Line: int(e.Span.Line), File: int(e.Span.File), Entry: e.ID,
			Text: fmt.Sprintf("Parent %s is not in the file. The entry is shown as a root.", e.Parent)})
		return NoPos
	}
	return up
}

// cutCycle cuts the cycle through p at its first entry, which becomes a root.
func (b *treeBuilder) cutCycle(p Pos) {
	t, top := b.tree, p
	for q := t.parent[p]; q != p; q = t.parent[q] {
		top = min(top, q)
	}
	e := t.entries[top]
	text := "The entry names itself as its parent. It is shown as a root."
	if t.parent[top] != top {
		text = fmt.Sprintf("Parent %s is a descendant of this entry. It is shown as a root.", e.Parent)
	}
	t.parentNotes = append(t.parentNotes, Note{Code: NoteCycle, Line: int(e.Span.Line), File: int(e.Span.File), Entry: e.ID, Text: text})
	t.parent[top] = NoPos
}

// BreakCycles calls cut with one entry of every cycle of parents among the entries from
// first on: the one at which a walk from the lowest position enters the cycle. cut must
// break the cycle by changing up, where -1 is no parent. The entries before first are in
// no cycle. Each entry is visited once.
func BreakCycles[P ~int32](up []P, first P, cut func(at P)) {
	const proven = int32(-1)
	met := make([]int32, len(up)-int(first)) // 0 = not visited, proven, or the number of the visiting walk
	for i := first; i < P(len(up)); i++ {
		walk, at := int32(i)+1, i
		for at >= first && met[at-first] == 0 {
			met[at-first] = walk
			at = up[at]
		}
		cycle := at >= first && met[at-first] == walk
		for p := i; p >= first && met[p-first] == walk; p = up[p] {
			met[p-first] = proven
		}
		if cycle {
			cut(at)
		}
	}
}
