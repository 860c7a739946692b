package session

import (
	"slices"
)

// Arranged is what a format that does not record plain edges makes of the
// entries of a session.
type Arranged struct {
	// Entries are those that stand in the tree, in the order of positions. An
	// entry that was recorded several times stands once.
	Entries []*Entry
	Parent  []Pos // of each; NoPos for a root. No cycles.
	Leaf    Pos
	Notes   []Note
	Lines   []DAGLine
	Files   []string // names of the session's files, by Span.File
	// Recorded: the entries of the session's own file hang as they were recorded, its
	// last line is the leaf, and what other files hold is attached to them. Where time
	// does not tell, entries of other files come in the order of their ids.
	Recorded bool
	// More takes in entries that were read after all those given, when they change
	// little; ok is false when all must be arranged again, and then More must not be
	// called any more. nil: all always must.
	More func(fresh []*Entry) (g Growth, ok bool)
	// Context builds the context of a leaf, where the rules of Tree.Context are not the
	// format's. nil: they are.
	Context func(t *Tree, leaf Pos) Context
}

// Growth is what entries that came later make of an Arranged.
type Growth struct {
	Entries []*Entry // the new ones, in the order of positions
	Parent  []Pos    // of each
	Moved   []Moved
	Leaf    Pos
	Lines   []DAGLine // all, as they are now
}

// Moved is an entry that hangs elsewhere now, or is marked otherwise.
type Moved struct {
	Pos    Pos
	Parent Pos
	Entry  *Entry
}

// DAGLine is one line of a session's graph: the trunk of a session, a branch in
// it or an agent.
type DAGLine struct {
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

// LineFrom answers the line that begins with p, nil when none does.
func (t *Tree) LineFrom(p Pos) *DAGLine {
	if i, ok := t.begun[p]; ok {
		return &t.lines[i]
	}
	return nil
}

// AgentLine answers the line of an agent, nil when it has none.
func (t *Tree) AgentLine(id string) *DAGLine {
	for i := range t.lines {
		if l := &t.lines[i]; l.Agent == id && id != "" && !l.Branch {
			return l
		}
	}
	return nil
}

// LinesAt lists the lines of agents and other sessions that hang on p.
func (t *Tree) LinesAt(p Pos) (at []*DAGLine) {
	for _, k := range t.kids.of(p) {
		if t.entries[k].Begins() {
			if l := t.LineFrom(k); l != nil {
				at = append(at, l)
			}
		}
	}
	return at
}

// Sessions lists the ids of the sessions that are shown, the main one first.
func (t *Tree) Sessions() []string {
	ids := []string{t.header.ID}
	met := map[string]bool{t.header.ID: true, "": true}
	for i := range t.lines {
		if id := t.lines[i].Session; !met[id] {
			met[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}

// SessionOf is the id of the session that the entry at p is of.
func (t *Tree) SessionOf(p Pos) string {
	on := map[Pos]string{}
	for i := range t.lines {
		for _, at := range t.lines[i].Entries {
			on[at] = t.lines[i].Session
		}
	}
	for ; p != NoPos; p = t.parent[p] {
		if id, ok := on[p]; ok && id != "" {
			return id
		}
	}
	return t.header.ID
}

// Came tells of the entries from a position on: how many of them stand on the path
// to the leaf, and whether a line begins with one, which the entry says that it
// hangs on.
func (t *Tree) Came(first Pos) (onPath int, begins bool) {
	for p := t.leaf; p != NoPos; p = t.parent[p] {
		if p >= first {
			onPath++
		}
	}
	for p := first; p < Pos(len(t.entries)) && !begins; p++ {
		begins = t.entries[p].Begins()
	}
	return onPath, begins
}

// rearrange takes in new entries and lets the format decide on edges. When that
// leaves positions as they are, the tree grows and what moved is hung elsewhere.
func (t *Tree) rearrange(parts [][]Entry) (rebuilt bool) {
	n := len(t.all)
	for _, part := range parts {
		for i := range part {
			t.all = append(t.all, &part[i])
		}
	}
	if t.more != nil {
		if g, ok := t.more(t.all[n:]); ok {
			return t.grow(&g)
		}
	}
	return t.arrangeAll()
}

// Rearrange lets the format decide all edges again, after it learned what changes
// them.
func (t *Tree) Rearrange() (rebuilt bool) {
	t.shown.Store(nil)
	return t.arrangeAll()
}

func (t *Tree) arrangeAll() (rebuilt bool) {
	a := t.arrange(t.all)
	t.context = a.Context
	t.more, t.begun = a.More, nil
	fresh := t.byID.slots == nil
	moved, stay := t.moved(&a)
	if fresh || !stay {
		t.reset(len(a.Entries))
		moved, rebuilt = nil, !fresh
	}
	if t.kids.byFile = a.Recorded; a.Recorded {
		t.kids.compare = nil
	}
	t.edges, t.files = a.Notes, a.Files
	n := len(t.entries)
	g := Growth{Entries: a.Entries[n:], Parent: a.Parent[n:], Moved: moved, Leaf: a.Leaf, Lines: a.Lines}
	return t.grow(&g) || rebuilt
}

// moved lists the entries of the tree that a hangs elsewhere or marks otherwise. ok
// is false when it gives them other positions.
func (t *Tree) moved(a *Arranged) (moved []Moved, ok bool) {
	if len(a.Entries) < len(t.entries) {
		return nil, false
	}
	for p := range t.entries {
		old, now := t.entries[p], a.Entries[p]
		switch {
		case old.Span != now.Span || old.ID != now.ID:
			return nil, false
		case t.parent[p] != a.Parent[p] || old.Flags != now.Flags || old.Status != now.Status || old.Target != now.Target || old.Order != now.Order || old.Copied != now.Copied || old.Cost != now.Cost:
			moved = append(moved, Moved{Pos(p), a.Parent[p], now})
		}
	}
	return moved, true
}

// grow takes in what came, and reports whether older entries moved.
func (t *Tree) grow(g *Growth) (rebuilt bool) {
	first := Pos(len(t.entries))
	for i, e := range g.Entries {
		t.entries = append(t.entries, e)
		t.byID.put(e.ID, int32(first)+int32(i))
		t.parent = append(t.parent, g.Parent[i])
		t.looks = append(t.looks, e.look())
		t.kids.only = append(t.kids.only, NoPos)
	}
	t.leaf = g.Leaf
	t.setLines(g.Lines)
	t.hang(first)
	if len(g.Moved) == 0 {
		t.recount(first)
		return false
	}
	t.move(g.Moved)
	t.forgetCounts()
	return true
}

// setLines takes over the lines. They are found by their first entries, which stay
// where lines only grow.
func (t *Tree) setLines(lines []DAGLine) {
	if t.begun == nil || len(lines) < len(t.lines) {
		t.begun = make(map[Pos]int32, len(lines))
		t.lines = nil
	}
	old := len(t.lines)
	t.lines = lines
	for i := range lines {
		if p := lines[i].Entries[0]; i >= old || t.begun[p] != int32(i) {
			t.begun[p] = int32(i)
		}
	}
}

// move hangs entries elsewhere.
func (t *Tree) move(moved []Moved) {
	t.reshape()
	came := map[Pos][]Pos{} // by the parents whose children change
	for _, m := range moved {
		t.entries[m.Pos], t.looks[m.Pos] = m.Entry, m.Entry.look()
		from := t.parent[m.Pos]
		if from == m.Parent {
			t.kids.touch(from) // its order may be another
			continue
		}
		t.parent[m.Pos] = m.Parent
		came[from], came[m.Parent] = append(came[from], NoPos), append(came[m.Parent], m.Pos)
		t.late = t.late || m.Parent > m.Pos
	}
	for up, children := range came {
		old := t.roots
		if up != NoPos {
			old = t.kids.of(up)
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
			t.kids.replace(t.entries, up, children)
		}
	}
	t.kids.sort(t.entries)
	t.sortRoots()
}
