package session

// BuildLinked builds a tree of the caller's entries by their recorded parents. Formats
// use it within Arrange.
func BuildLinked(h Header, entries []*Entry) *Tree {
	t := &Tree{header: h, leaf: NoPos}
	t.AppendLinked(entries)
	return t
}

// AppendLinked is AppendEntries for entries of the caller.
func (t *Tree) AppendLinked(entries []*Entry) (rebuilt bool) {
	old, begun := t.entries, t.byID.slots != nil
	for _, e := range entries {
		rebuilt = rebuilt || begun && (t.FindID(e.ID) != NoPos || t.missingParents[e.ID])
	}
	t.lastCallsCache.Store(nil)
	first := Pos(len(old))
	if rebuilt || !begun {
		t.resetIndexes(len(old) + len(entries))
		for _, e := range old {
			t.storeEntry(e)
		}
		first = 0
	}
	for _, e := range entries {
		t.storeEntry(e)
	}
	t.linkRecordedParents(first)
	t.updateStats(first)
	return rebuilt
}

// StructureNotes returns notes about repeated ids, orphans and cycles.
func (t *Tree) StructureNotes() []Note {
	return append(t.duplicateNotes[:len(t.duplicateNotes):len(t.duplicateNotes)], t.parentNotes...)
}
