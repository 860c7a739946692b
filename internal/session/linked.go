package session

// Link makes a tree of entries that somebody else holds, by their recorded parents. An
// Arrange makes its own of such trees.
func Link(h Header, entries []*Entry) *Tree {
	t := &Tree{header: h, leaf: NoPos}
	t.Link(entries)
	return t
}

// Link is Append for entries that somebody else holds.
func (t *Tree) Link(entries []*Entry) (rebuilt bool) {
	old, begun := t.entries, t.byID.slots != nil
	for _, e := range entries {
		rebuilt = rebuilt || begun && (t.Find(e.ID) != NoPos || t.waiting[e.ID])
	}
	t.shown.Store(nil)
	first := Pos(len(old))
	if rebuilt || !begun {
		t.reset(len(old) + len(entries))
		for _, e := range old {
			t.take(e)
		}
		first = 0
	}
	for _, e := range entries {
		t.take(e)
	}
	t.link(first)
	t.recount(first)
	return rebuilt
}

// Differences lists where the tree differs from what was recorded: repeated ids, orphans
// and cycles.
func (t *Tree) Differences() []Note {
	return append(t.repeats[:len(t.repeats):len(t.repeats)], t.edges...)
}

// ownPath is a path from where the agent begins that its last entry is of: what stands
// above is of another one's context.
func (t *Tree) ownPath(path []Pos) []Pos {
	for i := len(path) - 1; i > 0; i-- {
		if t.entries[path[i]].Has(FlagAgent) {
			return path[i:]
		}
	}
	return path
}
