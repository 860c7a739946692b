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
	return t.addParts(h, [][]Entry{entries}, notes)
}

// AppendParts is AppendEntries for entries in several slices.
func (t *Tree) AppendParts(h Header, parts [][]Entry, notes []Note) (rebuilt bool) {
	return t.addParts(h, parts, notes)
}

func (t *Tree) addParts(h Header, parts [][]Entry, notes []Note) (rebuilt bool) {
	n := 0
	for _, part := range parts {
		n += len(part)
		rebuilt = rebuilt || len(t.entries) > 0 && t.changesExisting(part)
	}
	if h.Rules != t.header.Rules {
		t.trail.Store(nil) // its state was made by the others
	}
	t.header = h
	t.readNotes = append(t.readNotes, notes...)
	t.lastCallsCache.Store(nil)
	if t.arrange != nil {
		return t.appendArranged(parts)
	}
	first := Pos(len(t.entries))
	if old := t.entries; rebuilt || t.byID.slots == nil {
		t.resetIndexes(len(old) + n)
		for _, e := range old {
			t.storeEntry(e)
		}
		first = 0
	}
	for _, part := range parts {
		for i := range part {
			t.storeEntry(&part[i])
		}
	}
	t.linkRecordedParents(first)
	t.updateStats(first)
	return rebuilt
}

// resetIndexes clears everything but the header and the notes that cannot be derived
// again.
func (t *Tree) resetIndexes(size int) {
	t.entries = make([]*Entry, 0, size)
	t.byID = newStringIndex(size, func(at int32) string { return t.entries[at].ID })
	t.parent, t.traits = make([]Pos, 0, size), make([]Traits, 0, size)
	t.roots, t.leaf, t.hasLateParents, t.metadata, t.cost = nil, NoPos, false, 0, 0
	t.childIndex = childIndex{single: make([]Pos, 0, size)}
	if t.arrange != nil {
		t.childIndex.compare = t.compareSiblings
	}
	t.missingParents, t.archivedIDs = map[string]bool{}, map[string]bool{}
	t.labels = labelSet{byID: map[string]storedLabel{}}
	t.resultsByCall = newStringIndex(0, func(at int32) string { return t.entries[at].CallID() })
	t.callIndex = callIndex{first: newStringIndex(0, func(at int32) string { return t.toolCallAt(t.callIndex.refs[at]).ID })}
	t.parentNotes = nil
	t.changeShape()
}

// changesExisting reports whether new entries change the parents of older ones.
func (t *Tree) changesExisting(entries []Entry) bool {
	for i := range entries {
		id := entries[i].ID
		if t.FindID(id) != NoPos || t.missingParents[id] {
			return true
		}
	}
	return false
}

// storeEntry stores an entry. The last line with an id replaces earlier ones, at the
// position of the first.
func (t *Tree) storeEntry(e *Entry) {
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

// linkRecordedParents attaches the entries from position first on to their recorded
// parents.
func (t *Tree) linkRecordedParents(first Pos) {
	for p := first; p < Pos(len(t.entries)); p++ {
		t.parent = append(t.parent, t.recordedParent(p))
		t.traits = append(t.traits, t.entries[p].computeTraits())
		t.childIndex.single = append(t.childIndex.single, NoPos)
	}
	t.cutCycles(first)
	t.attachEntries(first)
}

// attachEntries adds the entries from position first on to their parents' children, and
// indexes what they say about other entries.
func (t *Tree) attachEntries(first Pos) {
	for p := first; p < Pos(len(t.entries)); p++ {
		t.metadata += 1 - int(t.traits[p].CountWeight())
		t.cost += t.entries[p].Cost()
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
	t.sortRoots()
	for _, p := range t.fileOrder(first) {
		t.indexEntry(p)
	}
	t.extendLeafPath(first)
}

// recordedParent returns the position of p's recorded parent. If that is unknown, p
// becomes an orphan.
func (t *Tree) recordedParent(p Pos) Pos {
	e := t.At(p)
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

// cutCycles makes the first entry of every cycle of parents a root. Only entries from
// first on can be in a cycle.
func (t *Tree) cutCycles(first Pos) {
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
			t.cutCycle(p)
		}
	}
}

// cutCycle cuts the cycle through p at its first entry.
func (t *Tree) cutCycle(p Pos) {
	top := p
	for q := t.parent[p]; q != p; q = t.parent[q] {
		top = min(top, q)
	}
	e := t.At(top)
	text := "The entry names itself as its parent. It is shown as a root."
	if t.parent[top] != top {
		text = fmt.Sprintf("Parent %s is a descendant of this entry. It is shown as a root.", e.Parent)
	}
	t.parentNotes = append(t.parentNotes, Note{Code: NoteCycle, Line: int(e.Span.Line), File: int(e.Span.File), Entry: e.ID, Text: text})
	t.parent[top] = NoPos
}

// fileOrder returns the positions from first on in the order of their lines. It differs
// from the order of positions only if an id was repeated.
func (t *Tree) fileOrder(first Pos) []Pos {
	order := make([]Pos, 0, len(t.entries)-int(first))
	for p := first; p < Pos(len(t.entries)); p++ {
		order = append(order, p)
	}
	if len(t.duplicateNotes) > 0 {
		slices.SortStableFunc(order, func(a, b Pos) int { return compareLineNumbers(t.At(a), t.At(b)) })
	}
	return order
}

// indexEntry indexes what the entry at p says about other entries.
func (t *Tree) indexEntry(p Pos) {
	e := t.At(p)
	switch e.Kind {
	case KindLabel:
		t.labels.recordLabel(e.Target(), e.Preview, e.Time)
		t.annotations.dropOlderLabel(e)
	case KindArchive:
		t.archivedIDs[e.Target()] = e.HasFlag(FlagOn)
		t.changeShape()
	case KindToolResult:
		if e.CallID() != "" && t.isShownResult(p) {
			t.resultsByCall.setNumber(e.CallID(), int32(p))
		}
	case KindAssistant:
		for i := range e.Calls() {
			t.callIndex.addCall(e.Calls()[i].ID, callPlace{p, int32(i)})
		}
	}
}
