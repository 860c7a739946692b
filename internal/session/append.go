package session

import (
	"cmp"
	"fmt"
	"slices"
)

// AppendEntries adds entries that were recorded after those the tree has. It costs in
// proportion to the new entries, unless one of them changes what older ones
// hang on (a repeated id, a parent that comes late). Then the tree is built
// again and rebuilt is true: positions taken before are void. The tree keeps the
// entries where they are: they must not be changed any more.
func (t *Tree) AppendEntries(h Header, entries []Entry, notes []Note) (rebuilt bool) {
	return t.addParts(h, [][]Entry{entries}, notes)
}

// AppendParts is Append for entries in several parts.
func (t *Tree) AppendParts(h Header, parts [][]Entry, notes []Note) (rebuilt bool) {
	return t.addParts(h, parts, notes)
}

func (t *Tree) addParts(h Header, parts [][]Entry, notes []Note) (rebuilt bool) {
	n := 0
	for _, part := range parts {
		n += len(part)
		rebuilt = rebuilt || len(t.entries) > 0 && t.changesExisting(part)
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

// resetIndexes forgets everything but the header and the notes that cannot be derived
// again.
func (t *Tree) resetIndexes(size int) {
	t.entries = make([]*Entry, 0, size)
	t.byID = newStringIndex(size, func(at int32) string { return t.entries[at].ID })
	t.parent, t.traits = make([]Pos, 0, size), make([]rowTraits, 0, size)
	t.roots, t.leaf, t.hasLateParents, t.metadata = nil, NoPos, false, 0
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

// changesExisting reports whether new entries change what older ones hang on.
func (t *Tree) changesExisting(entries []Entry) bool {
	for i := range entries {
		id := entries[i].ID
		if t.FindID(id) != NoPos || t.missingParents[id] {
			return true
		}
	}
	return false
}

// storeEntry stores an entry. Of a repeated id the last line counts; it stands where
// the id stood first.
func (t *Tree) storeEntry(e *Entry) {
	at, known := t.byID.addNumber(e.ID, int32(len(t.entries)))
	p := Pos(at)
	if known {
		t.duplicateNotes = append(t.duplicateNotes, Note{Code: NoteDuplicateID, Line: int(e.Span.Line), File: int(e.Span.File), Entry: e.ID,
			Text: fmt.Sprintf("The id %s is recorded again. The last line counts; the one before was line %d.", e.ID, t.entries[p].Span.Line)})
		t.entries[p] = e
	} else {
		t.entries = append(t.entries, e)
	}
	if t.leaf == NoPos || compareLineNumbers(t.entries[t.leaf], e) <= 0 {
		t.leaf = p
	}
}

// compareLineNumbers compares two entries by the place of their lines.
func compareLineNumbers(a, b *Entry) int {
	return cmp.Or(cmp.Compare(a.Span.File, b.Span.File), cmp.Compare(a.Span.Line, b.Span.Line))
}

// linkRecordedParents hangs the entries from position first on under their recorded parents.
func (t *Tree) linkRecordedParents(first Pos) {
	for p := first; p < Pos(len(t.entries)); p++ {
		t.parent = append(t.parent, t.recordedParent(p))
		t.traits = append(t.traits, t.entries[p].computeTraits())
		t.childIndex.single = append(t.childIndex.single, NoPos)
	}
	t.cutCycles(first)
	t.attachEntries(first)
}

// attachEntries makes children of the entries from position first on, and takes in what
// they say about others.
func (t *Tree) attachEntries(first Pos) {
	for p := first; p < Pos(len(t.entries)); p++ {
		t.metadata += 1 - int(t.traits[p].countWeight())
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

// recordedParent answers the position of the parent p names. An unknown one
// makes p an orphan.
func (t *Tree) recordedParent(p Pos) Pos {
	e := t.At(p)
	if !e.HasFlag(FlagHasParent) {
		return NoPos
	}
	if p > 0 && t.entries[p-1].ID == e.Parent { // as nearly always
		return p - 1
	}
	up := t.FindID(e.Parent)
	if up == NoPos {
		t.missingParents[e.Parent] = true
		t.parentNotes = append(t.parentNotes, Note{Code: NoteOrphan, Line: int(e.Span.Line), File: int(e.Span.File), Entry: e.ID,
			Text: fmt.Sprintf("Parent %s is not in the file. The entry is shown as a root of its own.", e.Parent)})
		return NoPos
	}
	return up
}

// cutCycles makes a root of the first entry of every parent chain that leads
// back to itself. Only entries from first on can be part of one.
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

// cutCycle breaks the cycle through p at its first entry.
func (t *Tree) cutCycle(p Pos) {
	top := p
	for q := t.parent[p]; q != p; q = t.parent[q] {
		top = min(top, q)
	}
	e := t.At(top)
	text := "The entry names itself as its parent. It is shown as a root."
	if t.parent[top] != top {
		text = fmt.Sprintf("Parent %s stands below this entry. It is shown as a root.", e.Parent)
	}
	t.parentNotes = append(t.parentNotes, Note{Code: NoteCycle, Line: int(e.Span.Line), File: int(e.Span.File), Entry: e.ID, Text: text})
	t.parent[top] = NoPos
}

// fileOrder lists the positions from first on in the order of their lines,
// which is that of positions unless an id was repeated.
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

// indexEntry takes in what the entry at p says about others.
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
