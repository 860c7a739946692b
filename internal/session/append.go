package session

import (
	"cmp"
	"fmt"
	"slices"
)

// AppendEntries adds entries that were recorded after those of the tree. The cost is in
// proportion to the new entries, unless one of them changes the parents of older ones
// (a repeated id, a late parent). Then the tree is rebuilt, rebuilt is true, and
// earlier positions are invalid. The tree keeps pointers to the entries: the caller
// must not change them.
func (t *Tree) AppendEntries(h Header, entries []Entry, notes []Note) (rebuilt bool) {
	return t.AppendParts(h, [][]Entry{entries}, notes)
}

// AppendParts is AppendEntries for entries in several slices.
func (t *Tree) AppendParts(h Header, parts [][]Entry, notes []Note) (rebuilt bool) {
	if h.Rules != t.header.Rules {
		t.trail.Store(nil) // its state was made by the others
	}
	t.header = h
	t.readNotes = append(t.readNotes, notes...)
	t.lastCallsCache.Store(nil)
	b := treeBuilder{tree: t, first: Pos(len(t.entries))}
	if t.arrange != nil {
		return b.appendArranged(parts)
	}
	return b.appendRecorded(parts)
}

// treeBuilder adds entries to a tree, attaches them to their parents and updates what
// is derived from the entries.
type treeBuilder struct {
	tree  *Tree
	first Pos // position of the first new entry
}

// appendRecorded adds entries with their recorded parents.
func (b *treeBuilder) appendRecorded(parts [][]Entry) (rebuilt bool) {
	t, n := b.tree, 0
	for _, part := range parts {
		n += len(part)
		rebuilt = rebuilt || len(t.entries) > 0 && b.changesExisting(part)
	}
	if rebuilt || t.byID.slots == nil {
		b.restoreEntries(n)
	}
	for _, part := range parts {
		for i := range part {
			b.storeEntry(&part[i])
		}
	}
	b.linkRecordedParents()
	b.updateStats()
	return rebuilt
}

// restoreEntries stores the entries of the tree again, as new ones. n more will follow.
func (b *treeBuilder) restoreEntries(n int) {
	old := b.tree.entries
	b.resetIndexes(len(old) + n)
	for _, e := range old {
		b.storeEntry(e)
	}
	b.first = 0
}

// resetIndexes clears everything but the header and the notes that cannot be derived
// again.
func (b *treeBuilder) resetIndexes(size int) {
	t := b.tree
	t.entries = make([]*Entry, 0, size)
	t.byID = newStringIndex(size, func(at int32) string { return t.entries[at].ID })
	t.parent, t.traits = make([]Pos, 0, size), make([]Traits, 0, size)
	t.roots, t.leaf, t.hasLateParents, t.metadata, t.calls, t.failed = nil, NoPos, false, 0, 0, 0
	t.childIndex = childIndex{single: make([]Pos, 0, size)}
	if t.arrange != nil {
		t.childIndex.compare = t.compareSiblings
	}
	t.missingParents, t.archivedIDs = map[string]bool{}, map[string]bool{}
	t.labels = labelSet{byID: map[string]storedLabel{}}
	t.resultsByCall = newStringIndex(0, func(at int32) string { return t.entries[at].CallID() })
	t.callIndex = callIndex{first: newStringIndex(0, func(at int32) string { return t.callIndex.refs[at].callIn(t.entries).ID })}
	t.parentNotes = nil
	b.changeShape()
}

// changeShape records a change of existing entries.
func (b *treeBuilder) changeShape() {
	b.tree.shapeVersion++
	b.tree.branchCount.Store(nil)
	b.forgetLeafPath()
}

// changesExisting reports whether new entries change the parents of older ones.
func (b *treeBuilder) changesExisting(entries []Entry) bool {
	for i := range entries {
		id := entries[i].ID
		if b.tree.FindID(id) != NoPos || b.tree.missingParents[id] {
			return true
		}
	}
	return false
}

// storeEntry stores an entry. The last line with an id replaces earlier ones, at the
// position of the first.
func (b *treeBuilder) storeEntry(e *Entry) {
	t := b.tree
	at, known := t.byID.addNumber(e.ID, int32(len(t.entries)))
	p := Pos(at)
	if known {
		t.duplicateNotes = append(t.duplicateNotes, Note{Code: NoteDuplicateID, Line: int(e.Span.Line), File: int(e.Span.File), Entry: e.ID,
			Text: fmt.Sprintf("Duplicate id %s. The last line counts; the previous one is line %d.", e.ID, t.entries[p].Span.Line)})
		t.entries[p] = e
	} else {
		t.entries = append(t.entries, e)
	}
	if t.leaf == NoPos || compareLineNumbers(t.entries[t.leaf], e) <= 0 {
		t.leaf = p
	}
}

// compareLineNumbers compares the files and the line numbers of two entries.
func compareLineNumbers(a, b *Entry) int {
	return cmp.Or(cmp.Compare(a.Span.File, b.Span.File), cmp.Compare(a.Span.Line, b.Span.Line))
}

// countCalls adds the tool calls of an entry to those of the tree, n times.
func (t *Tree) countCalls(p Pos, n int) {
	finished, _ := t.entries[p].CountCalls()
	t.calls += n * finished
	if t.traits[p].HasAny(TraitFailed) {
		t.failed += n
	}
}

// attachEntries adds the new entries to their parents' children, and indexes what they
// say about other entries.
func (b *treeBuilder) attachEntries() {
	t := b.tree
	for p := b.first; p < Pos(len(t.entries)); p++ {
		t.metadata += 1 - int(t.traits[p].CountWeight())
		t.countCalls(p, 1)
		if up := t.parent[p]; up == NoPos {
			t.roots = append(t.roots, p)
			t.branchCount.Store(nil)
		} else {
			if t.childIndex.hasChildren(up) {
				t.branchCount.Store(nil)
			}
			t.childIndex.addChild(t.entries, up, p)
			t.hasLateParents = t.hasLateParents || up > p
		}
	}
	t.childIndex.sortForks(t.entries)
	b.sortRoots()
	for _, p := range b.fileOrder() {
		b.indexEntry(p)
	}
	b.extendLeafPath()
}

// fileOrder returns the new positions in the order of their lines. It differs from the
// order of positions only if an id was repeated.
func (b *treeBuilder) fileOrder() []Pos {
	t := b.tree
	order := make([]Pos, 0, len(t.entries)-int(b.first))
	for p := b.first; p < Pos(len(t.entries)); p++ {
		order = append(order, p)
	}
	if len(t.duplicateNotes) > 0 {
		slices.SortStableFunc(order, func(a, b Pos) int { return compareLineNumbers(t.entries[a], t.entries[b]) })
	}
	return order
}

// indexEntry indexes what the entry at p says about other entries.
func (b *treeBuilder) indexEntry(p Pos) {
	t, e := b.tree, b.tree.entries[p]
	switch e.Kind {
	case KindLabel:
		t.labels.recordLabel(e.Target(), e.Preview, e.Time)
		t.annotations.dropOlderLabel(e)
	case KindArchive:
		t.archivedIDs[e.Target()] = e.HasFlag(FlagOn)
		b.changeShape()
	case KindToolResult:
		if e.CallID() != "" && b.isShownResult(p) {
			t.resultsByCall.setNumber(e.CallID(), int32(p))
		}
	case KindAssistant:
		for i := range e.Calls() {
			t.callIndex.addCall(e.Calls()[i].ID, callPlace{p, int32(i)})
		}
	}
}
