package session

import "slices"

// FileGroup is the files that are shown as one session.
type FileGroup struct {
	Names    []string // by Span.File, slash-separated, relative to their directory
	Session  string   // id of the session, if known
	WholeDir bool     // all sessions of a directory, without a main one
	Extra    any      // data for the format's Arrange
	// SideFiles are the other files that GatherFiles read: when one of them changes,
	// GatherFiles may return more. They are named as in Names.
	SideFiles []string
	// DependsOnContent: the members of the group depend on what the files contain, so
	// that they may change with any file.
	DependsOnContent bool
	// Retracted are files of the explorer with lines that the agent retracted.
	Retracted []RetractedLines
}

// RetractedLines are lines that an agent removed by rewriting its file, and that the
// explorer saved.
type RetractedLines struct {
	File  int32  // by Span.File
	After string // id of the entry before them, "" at the start of the file
}

// Arrangement is the tree that a format makes of a session's entries if it does not
// record plain parents.
type Arrangement struct {
	// Entries are the entries of the tree by position. An entry that was recorded
	// several times is listed once.
	Entries []*Entry
	Parent  []Pos // of each entry; NoPos for a root; no cycles
	Leaf    Pos
	Notes   []Note
	Threads []Thread
	Files   []string // names of the session's files, by Span.File
	// KeepsRecordedParents: entries of the session's own file have their recorded
	// parents, its last line is the leaf, and entries of other files are attached to
	// them. Entries of other files with equal times are ordered by id.
	KeepsRecordedParents bool
	// Extend adds entries that were read later, if they change little. If ok is false,
	// everything must be arranged again, and Extend must not be called any more. If
	// Extend is nil, everything is always arranged again.
	Extend func(fresh []*Entry) (g ArrangementDelta, ok bool)
	// Context builds the context of a leaf by the rules of the format. nil:
	// Tree.Context has the rules.
	Context func(t *Tree, leaf Pos) Context
}

// ArrangementDelta is what later entries change in an Arrangement.
type ArrangementDelta struct {
	Entries []*Entry // the new ones, by position
	Parent  []Pos    // of each new entry
	Moved   []MovedEntry
	Leaf    Pos
	Threads []Thread // all current threads
}

// MovedEntry is an entry with a new parent or other flags.
type MovedEntry struct {
	Pos    Pos
	Parent Pos
	Entry  *Entry
}

// AppendedSince returns how many entries from position first on are on the path to the
// leaf, and whether one of them starts a thread. Such an entry changes how its parent
// is displayed.
func (t *Tree) AppendedSince(first Pos) (onPath int, begins bool) {
	for p := t.leaf; p != NoPos; p = t.parent[p] {
		if p >= first {
			onPath++
		}
	}
	for p := first; p < Pos(len(t.entries)) && !begins; p++ {
		begins = t.entries[p].StartsThread()
	}
	return onPath, begins
}

// appendArranged adds entries and lets the format decide the parents. If older
// positions stay the same, the tree is extended and only moved entries get new parents.
func (b *treeBuilder) appendArranged(parts [][]Entry) (rebuilt bool) {
	t := b.tree
	n := len(t.arrangedInput)
	for _, part := range parts {
		for i := range part {
			t.arrangedInput = append(t.arrangedInput, &part[i])
		}
	}
	if t.extendArrangement != nil {
		if g, ok := t.extendArrangement(t.arrangedInput[n:]); ok {
			return b.applyDelta(&g)
		}
	}
	return b.arrangeAll()
}

// Rearrange lets the format decide all parents again, after a side file changed.
func (t *Tree) Rearrange() (rebuilt bool) {
	t.lastCallsCache.Store(nil)
	b := treeBuilder{tree: t, first: Pos(len(t.entries))}
	return b.arrangeAll()
}

func (b *treeBuilder) arrangeAll() (rebuilt bool) {
	t := b.tree
	a := t.arrange(t.arrangedInput)
	t.buildContext = a.Context
	t.extendArrangement, t.threads.byStart = a.Extend, nil
	fresh := t.byID.slots == nil
	moved, stay := b.findMoved(&a)
	if fresh || !stay {
		b.resetIndexes(len(a.Entries))
		moved, rebuilt = nil, !fresh
	}
	if t.childIndex.mainFileFirst = a.KeepsRecordedParents; a.KeepsRecordedParents {
		t.childIndex.compare = nil
	}
	t.parentNotes, t.files = a.Notes, a.Files
	n := len(t.entries)
	g := ArrangementDelta{Entries: a.Entries[n:], Parent: a.Parent[n:], Moved: moved, Leaf: a.Leaf, Threads: a.Threads}
	return b.applyDelta(&g) || rebuilt
}

// findMoved returns the entries of the tree that have another parent or other flags in
// a. ok is false if positions differ.
func (b *treeBuilder) findMoved(a *Arrangement) (moved []MovedEntry, ok bool) {
	t := b.tree
	if len(a.Entries) < len(t.entries) {
		return nil, false
	}
	for p := range t.entries {
		old, now := t.entries[p], a.Entries[p]
		switch {
		case old.Span != now.Span || old.ID != now.ID:
			return nil, false
		case t.parent[p] != a.Parent[p] || old.Flags != now.Flags || old.Status() != now.Status() || old.Target() != now.Target() || old.SortTime != now.SortTime || old.Copied != now.Copied || old.Cost() != now.Cost():
			moved = append(moved, MovedEntry{Pos(p), a.Parent[p], now})
		}
	}
	return moved, true
}

// applyDelta applies a delta and reports whether older entries moved.
func (b *treeBuilder) applyDelta(g *ArrangementDelta) (rebuilt bool) {
	t := b.tree
	b.first = Pos(len(t.entries))
	for i, e := range g.Entries {
		t.entries = append(t.entries, e)
		t.byID.addNumber(e.ID, int32(b.first)+int32(i))
		t.parent = append(t.parent, g.Parent[i])
		t.traits = append(t.traits, e.computeTraits())
		t.childIndex.single = append(t.childIndex.single, NoPos)
	}
	t.leaf = g.Leaf
	t.threads.replaceAll(g.Threads)
	b.attachEntries()
	if len(g.Moved) == 0 {
		b.updateStats()
		return false
	}
	b.moveEntries(g.Moved)
	b.dropStats()
	return true
}

// moveEntries gives entries new parents.
func (b *treeBuilder) moveEntries(moved []MovedEntry) {
	t := b.tree
	b.changeShape()
	came := map[Pos][]Pos{} // by parent whose children change
	for _, m := range moved {
		t.countCalls(m.Pos, -1)
		t.entries[m.Pos], t.traits[m.Pos] = m.Entry, m.Entry.computeTraits()
		t.countCalls(m.Pos, 1)
		from := t.parent[m.Pos]
		if from == m.Parent {
			t.childIndex.markUnsorted(from) // the order of its children may change
			continue
		}
		t.parent[m.Pos] = m.Parent
		came[from], came[m.Parent] = append(came[from], NoPos), append(came[m.Parent], m.Pos)
		t.hasLateParents = t.hasLateParents || m.Parent > m.Pos
	}
	for up, children := range came {
		old := t.roots
		if up != NoPos {
			old = t.childIndex.childrenAt(up)
		}
		for _, p := range old {
			if t.parent[p] == up {
				children = append(children, p)
			}
		}
		slices.Sort(children)
		children = slices.DeleteFunc(slices.Compact(children), func(p Pos) bool { return p == NoPos })
		if up == NoPos {
			t.roots = children
			b.sortRoots()
		} else {
			t.childIndex.replaceChildren(t.entries, up, children)
		}
	}
	t.childIndex.sortForks(t.entries)
	b.sortRoots()
}
