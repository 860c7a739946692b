package session

import (
	"slices"
)

// Arrangement is what a format that does not record plain edges makes of the
// entries of a session.
type Arrangement struct {
	// Entries are those that stand in the tree, in the order of positions. An
	// entry that was recorded several times stands once.
	Entries []*Entry
	Parent  []Pos // of each; NoPos for a root. No cycles.
	Leaf    Pos
	Notes   []Note
	Threads []Thread
	Files   []string // names of the session's files, by Span.File
	// KeepsRecordedParents: the entries of the session's own file hang as they were recorded, its
	// last line is the leaf, and what other files hold is attached to them. Where time
	// does not tell, entries of other files come in the order of their ids.
	KeepsRecordedParents bool
	// Extend takes in entries that were read after all those given, when they change
	// little; ok is false when all must be arranged again, and then Extend must not be
	// called any more. nil: all always must.
	Extend func(fresh []*Entry) (g ArrangementDelta, ok bool)
	// Context builds the context of a leaf, where the rules of Tree.Context are not the
	// format's. nil: they are.
	Context func(t *Tree, leaf Pos) Context
}

// ArrangementDelta is what entries that came later make of an Arranged.
type ArrangementDelta struct {
	Entries []*Entry // the new ones, in the order of positions
	Parent  []Pos    // of each
	Moved   []MovedEntry
	Leaf    Pos
	Threads []Thread // all, as they are now
}

// MovedEntry is an entry that hangs elsewhere now, or is marked otherwise.
type MovedEntry struct {
	Pos    Pos
	Parent Pos
	Entry  *Entry
}

// Thread is one line of a session's graph: the trunk of a session, a branch in
// it or an agent.
type Thread struct {
	Name    string
	Title   string // of a session or an agent, "" when there is none
	Session string // id of the session it is of
	Parent  string // name of the line it hangs on, "" for none
	At      Pos    // the entry it hangs on, or NoPos
	Agent   string // id of the agent it is of, "" for none
	Branch  bool
	Leaf    Pos // of a session's own line: where its agent stands; else NoPos
	Entries []Pos
}

// ThreadStartingAt answers the line that begins with p, nil when none does.
func (t *Tree) ThreadStartingAt(p Pos) *Thread {
	if i, ok := t.threadsByStart[p]; ok {
		return &t.threads[i]
	}
	return nil
}

// AgentThread answers the line of an agent, nil when it has none.
func (t *Tree) AgentThread(id string) *Thread {
	for i := range t.threads {
		if l := &t.threads[i]; l.Agent == id && id != "" && !l.Branch {
			return l
		}
	}
	return nil
}

// AttachedThreads lists the lines of agents and other sessions that hang on p.
func (t *Tree) AttachedThreads(p Pos) (at []*Thread) {
	for _, k := range t.childIndex.childrenAt(p) {
		if t.entries[k].StartsThread() {
			if l := t.ThreadStartingAt(k); l != nil {
				at = append(at, l)
			}
		}
	}
	return at
}

// SessionIDs lists the ids of the sessions that are shown, the main one first.
func (t *Tree) SessionIDs() []string {
	ids := []string{t.header.ID}
	met := map[string]bool{t.header.ID: true, "": true}
	for i := range t.threads {
		if id := t.threads[i].Session; !met[id] {
			met[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}

// EntrySessionID is the id of the session that the entry at p is of.
func (t *Tree) EntrySessionID(p Pos) string {
	on := map[Pos]string{}
	for i := range t.threads {
		for _, at := range t.threads[i].Entries {
			on[at] = t.threads[i].Session
		}
	}
	for ; p != NoPos; p = t.parent[p] {
		if id, ok := on[p]; ok && id != "" {
			return id
		}
	}
	return t.header.ID
}

// AppendedSince tells of the entries from a position on: how many of them stand on the path
// to the leaf, and whether a line begins with one, which the entry says that it
// hangs on.
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

// appendArranged takes in new entries and lets the format decide on edges. When that
// leaves positions as they are, the tree grows and what moved is hung elsewhere.
func (t *Tree) appendArranged(parts [][]Entry) (rebuilt bool) {
	n := len(t.arrangedInput)
	for _, part := range parts {
		for i := range part {
			t.arrangedInput = append(t.arrangedInput, &part[i])
		}
	}
	if t.extendArrangement != nil {
		if g, ok := t.extendArrangement(t.arrangedInput[n:]); ok {
			return t.applyDelta(&g)
		}
	}
	return t.arrangeAll()
}

// Rearrange lets the format decide all edges again, after it learned what changes
// them.
func (t *Tree) Rearrange() (rebuilt bool) {
	t.lastCallsCache.Store(nil)
	return t.arrangeAll()
}

func (t *Tree) arrangeAll() (rebuilt bool) {
	a := t.arrange(t.arrangedInput)
	t.buildContext = a.Context
	t.extendArrangement, t.threadsByStart = a.Extend, nil
	fresh := t.byID.slots == nil
	moved, stay := t.findMoved(&a)
	if fresh || !stay {
		t.resetIndexes(len(a.Entries))
		moved, rebuilt = nil, !fresh
	}
	if t.childIndex.mainFileFirst = a.KeepsRecordedParents; a.KeepsRecordedParents {
		t.childIndex.compare = nil
	}
	t.parentNotes, t.files = a.Notes, a.Files
	n := len(t.entries)
	g := ArrangementDelta{Entries: a.Entries[n:], Parent: a.Parent[n:], Moved: moved, Leaf: a.Leaf, Threads: a.Threads}
	return t.applyDelta(&g) || rebuilt
}

// findMoved lists the entries of the tree that a hangs elsewhere or marks otherwise. ok
// is false when it gives them other positions.
func (t *Tree) findMoved(a *Arrangement) (moved []MovedEntry, ok bool) {
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

// applyDelta takes in what came, and reports whether older entries moved.
func (t *Tree) applyDelta(g *ArrangementDelta) (rebuilt bool) {
	first := Pos(len(t.entries))
	for i, e := range g.Entries {
		t.entries = append(t.entries, e)
		t.byID.addNumber(e.ID, int32(first)+int32(i))
		t.parent = append(t.parent, g.Parent[i])
		t.traits = append(t.traits, e.computeTraits())
		t.childIndex.single = append(t.childIndex.single, NoPos)
	}
	t.leaf = g.Leaf
	t.setThreads(g.Threads)
	t.attachEntries(first)
	if len(g.Moved) == 0 {
		t.updateStats(first)
		return false
	}
	t.moveEntries(g.Moved)
	t.dropStats()
	return true
}

// setThreads takes over the lines. They are found by their first entries, which stay
// where lines only grow.
func (t *Tree) setThreads(lines []Thread) {
	if t.threadsByStart == nil || len(lines) < len(t.threads) {
		t.threadsByStart = make(map[Pos]int32, len(lines))
		t.threads = nil
	}
	old := len(t.threads)
	t.threads = lines
	for i := range lines {
		if p := lines[i].Entries[0]; i >= old || t.threadsByStart[p] != int32(i) {
			t.threadsByStart[p] = int32(i)
		}
	}
}

// moveEntries hangs entries elsewhere.
func (t *Tree) moveEntries(moved []MovedEntry) {
	t.changeShape()
	came := map[Pos][]Pos{} // by the parents whose children change
	for _, m := range moved {
		t.entries[m.Pos], t.traits[m.Pos] = m.Entry, m.Entry.computeTraits()
		from := t.parent[m.Pos]
		if from == m.Parent {
			t.childIndex.markUnsorted(from) // its order may be another
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
			t.sortRoots()
		} else {
			t.childIndex.replaceChildren(t.entries, up, children)
		}
	}
	t.childIndex.sortForks(t.entries)
	t.sortRoots()
}
