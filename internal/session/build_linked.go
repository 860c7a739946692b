package session

// BuildLinked makes a tree of entries that somebody else holds, by their recorded parents. An
// Arrange makes its own of such trees.
func BuildLinked(h Header, entries []*Entry) *Tree {
	t := &Tree{header: h, leaf: NoPos}
	t.AppendLinked(entries)
	return t
}

// AppendLinked is Append for entries that somebody else holds.
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

// StructureNotes lists where the tree differs from what was recorded: repeated ids, orphans
// and cycles.
func (t *Tree) StructureNotes() []Note {
	return append(t.duplicateNotes[:len(t.duplicateNotes):len(t.duplicateNotes)], t.parentNotes...)
}

// ownPath is a path from where the agent begins that its last entry is of: what stands
// above is of another one's context.
func (t *Tree) ownPath(path []Pos) []Pos {
	for i := len(path) - 1; i > 0; i-- {
		if t.entries[path[i]].HasFlag(FlagAgent) {
			return path[i:]
		}
	}
	return path
}
