package session

import (
	"cmp"
	"fmt"
	"slices"
)

// Append adds entries that were recorded after those the tree has. It costs in
// proportion to the new entries, unless one of them changes what older ones
// hang on (a repeated id, a parent that comes late). Then the tree is built
// again and rebuilt is true: positions taken before are void. The tree keeps the
// entries where they are: they must not be changed any more.
func (t *Tree) Append(h Header, entries []Entry, notes []Note) (rebuilt bool) {
	return t.append(h, [][]Entry{entries}, notes)
}

// Extend is Append for entries in several parts.
func (t *Tree) Extend(h Header, parts [][]Entry, notes []Note) (rebuilt bool) {
	return t.append(h, parts, notes)
}

func (t *Tree) append(h Header, parts [][]Entry, notes []Note) (rebuilt bool) {
	n := 0
	for _, part := range parts {
		n += len(part)
		rebuilt = rebuilt || len(t.entries) > 0 && t.disturbs(part)
	}
	t.header = h
	t.given = append(t.given, notes...)
	t.shown.Store(nil)
	if t.arrange != nil {
		return t.rearrange(parts)
	}
	first := Pos(len(t.entries))
	if old := t.entries; rebuilt || t.byID.slots == nil {
		t.reset(len(old) + n)
		for _, e := range old {
			t.take(e)
		}
		first = 0
	}
	for _, part := range parts {
		for i := range part {
			t.take(&part[i])
		}
	}
	t.link(first)
	t.recount(first)
	return rebuilt
}

// reset forgets everything but the header and the notes that cannot be derived
// again.
func (t *Tree) reset(size int) {
	t.entries = make([]*Entry, 0, size)
	t.byID = newIndex(size, func(at int32) string { return t.entries[at].ID })
	t.parent, t.looks = make([]Pos, 0, size), make([]look, 0, size)
	t.roots, t.leaf, t.late, t.metadata = nil, NoPos, false, 0
	t.kids = children{only: make([]Pos, 0, size)}
	if t.arrange != nil {
		t.kids.compare = t.compareSiblings
	}
	t.waiting, t.hidden = map[string]bool{}, map[string]bool{}
	t.labels = labels{byID: map[string]label{}}
	t.answers = newIndex(0, func(at int32) string { return t.entries[at].Call })
	t.calls = calls{first: newIndex(0, func(at int32) string { return t.call(t.calls.refs[at]).ID })}
	t.edges = nil
	t.reshape()
}

// disturbs reports whether new entries change what older ones hang on.
func (t *Tree) disturbs(entries []Entry) bool {
	for i := range entries {
		id := entries[i].ID
		if t.Find(id) != NoPos || t.waiting[id] {
			return true
		}
	}
	return false
}

// take stores an entry. Of a repeated id the last line counts; it stands where
// the id stood first.
func (t *Tree) take(e *Entry) {
	at, known := t.byID.put(e.ID, int32(len(t.entries)))
	p := Pos(at)
	if known {
		t.repeats = append(t.repeats, Note{Code: NoteDuplicateID, Line: int(e.Span.Line), File: int(e.Span.File), Entry: e.ID,
			Text: fmt.Sprintf("The id %s is recorded again. The last line counts; the one before was line %d.", e.ID, t.entries[p].Span.Line)})
		t.entries[p] = e
	} else {
		t.entries = append(t.entries, e)
	}
	if t.leaf == NoPos || recorded(t.entries[t.leaf], e) <= 0 {
		t.leaf = p
	}
}

// recorded compares two entries by the place of their lines.
func recorded(a, b *Entry) int {
	return cmp.Or(cmp.Compare(a.Span.File, b.Span.File), cmp.Compare(a.Span.Line, b.Span.Line))
}

// link hangs the entries from position first on under their recorded parents.
func (t *Tree) link(first Pos) {
	for p := first; p < Pos(len(t.entries)); p++ {
		t.parent = append(t.parent, t.recordedParent(p))
		t.looks = append(t.looks, t.entries[p].look())
		t.kids.only = append(t.kids.only, NoPos)
	}
	t.cutCycles(first)
	t.hang(first)
}

// hang makes children of the entries from position first on, and takes in what
// they say about others.
func (t *Tree) hang(first Pos) {
	for p := first; p < Pos(len(t.entries)); p++ {
		t.metadata += 1 - int(t.looks[p].weight())
		if up := t.parent[p]; up == NoPos {
			t.roots = append(t.roots, p)
			t.branches.Store(nil)
		} else {
			if t.kids.has(up) {
				t.branches.Store(nil)
			}
			t.kids.add(t.entries, up, p)
			t.late = t.late || up > p
		}
	}
	t.kids.sort(t.entries)
	t.sortRoots()
	for _, p := range t.fileOrder(first) {
		t.learn(p)
	}
	t.extendLeafPath(first)
}

// recordedParent answers the position of the parent p names. An unknown one
// makes p an orphan.
func (t *Tree) recordedParent(p Pos) Pos {
	e := t.At(p)
	if !e.Has(FlagHasParent) {
		return NoPos
	}
	if p > 0 && t.entries[p-1].ID == e.Parent { // as nearly always
		return p - 1
	}
	up := t.Find(e.Parent)
	if up == NoPos {
		t.waiting[e.Parent] = true
		t.edges = append(t.edges, Note{Code: NoteOrphan, Line: int(e.Span.Line), File: int(e.Span.File), Entry: e.ID,
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
			t.cut(p)
		}
	}
}

// cut breaks the cycle through p at its first entry.
func (t *Tree) cut(p Pos) {
	top := p
	for q := t.parent[p]; q != p; q = t.parent[q] {
		top = min(top, q)
	}
	e := t.At(top)
	text := "The entry names itself as its parent. It is shown as a root."
	if t.parent[top] != top {
		text = fmt.Sprintf("Parent %s stands below this entry. It is shown as a root.", e.Parent)
	}
	t.edges = append(t.edges, Note{Code: NoteCycle, Line: int(e.Span.Line), File: int(e.Span.File), Entry: e.ID, Text: text})
	t.parent[top] = NoPos
}

// fileOrder lists the positions from first on in the order of their lines,
// which is that of positions unless an id was repeated.
func (t *Tree) fileOrder(first Pos) []Pos {
	order := make([]Pos, 0, len(t.entries)-int(first))
	for p := first; p < Pos(len(t.entries)); p++ {
		order = append(order, p)
	}
	if len(t.repeats) > 0 {
		slices.SortStableFunc(order, func(a, b Pos) int { return recorded(t.At(a), t.At(b)) })
	}
	return order
}

// learn takes in what the entry at p says about others.
func (t *Tree) learn(p Pos) {
	e := t.At(p)
	switch e.Kind {
	case KindLabel:
		t.labels.set(e.Target, e.Preview, e.Time)
		t.aside.yield(e)
	case KindArchive:
		t.hidden[e.Target] = e.Has(FlagOn)
		t.reshape()
	case KindToolResult:
		if e.Call != "" && t.isAnswer(p) {
			t.answers.replace(e.Call, int32(p))
		}
	case KindAssistant:
		for i := range e.Calls {
			t.calls.add(e.Calls[i].ID, callRef{p, int32(i)})
		}
	}
}
