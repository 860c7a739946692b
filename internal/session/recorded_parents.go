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
	b.cutCycles()
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

// cutCycles makes the first entry of every cycle of parents a root. Only new
// entries can be in a cycle.
func (b *treeBuilder) cutCycles() {
	t, first := b.tree, b.first
	const unseen, open, done = 0, 1, 2
	state := make([]uint8, len(t.entries)-int(first))
	for start := range state {
		p := first + Pos(start)
		for p >= first && state[p-first] == unseen {
			state[p-first] = open
			p = t.parent[p]
		}
		cycle := p >= first && state[p-first] == open
		for q := first + Pos(start); q >= first && state[q-first] == open; q = t.parent[q] {
			state[q-first] = done
		}
		if cycle {
			b.cutCycle(p)
		}
	}
}

// cutCycle cuts the cycle through p at its first entry.
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
