package session

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
}

// DAGLine is one line of a session's graph: the trunk of a session, a branch in
// it or an agent.
type DAGLine struct {
	Name    string
	Title   string // of a session or an agent, "" when there is none
	Session string // id of the session it is of
	Parent  string // name of the line it hangs on, "" for none
	At      Pos    // the entry it hangs on, or NoPos
	Branch  bool
	Entries []Pos
}

// LineFrom answers the line that begins with p, nil when none does.
func (t *Tree) LineFrom(p Pos) *DAGLine {
	if i, ok := t.begun[p]; ok {
		return &t.lines[i]
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

// rearrange takes in new entries and lets the format decide all edges again.
// When those of the entries there are stay as they were, the tree only grows.
func (t *Tree) rearrange(parts [][]Entry) (rebuilt bool) {
	for _, part := range parts {
		for i := range part {
			t.all = append(t.all, &part[i])
		}
	}
	a := t.arrange(t.all)
	first := Pos(len(t.entries))
	if fresh := t.byID.slots == nil; fresh || !t.extendedBy(&a) {
		t.reset(len(a.Entries))
		first, rebuilt = 0, !fresh
	}
	t.edges = a.Notes
	for p := first; p < Pos(len(a.Entries)); p++ {
		t.entries = append(t.entries, a.Entries[p])
		t.byID.put(a.Entries[p].ID, int32(p))
		t.parent = append(t.parent, a.Parent[p])
		t.looks = append(t.looks, t.entries[p].look())
		t.kids.only = append(t.kids.only, NoPos)
	}
	t.leaf, t.lines, t.begun = a.Leaf, a.Lines, make(map[Pos]int32, len(a.Lines))
	for i := range t.lines {
		t.begun[t.lines[i].Entries[0]] = int32(i)
	}
	t.hang(first)
	t.recount(first)
	return rebuilt
}

// extendedBy reports whether a leaves the entries of the tree where they are.
func (t *Tree) extendedBy(a *Arranged) bool {
	if len(a.Entries) < len(t.entries) {
		return false
	}
	for p := range t.entries {
		old, now := t.entries[p], a.Entries[p]
		if old.Span != now.Span || t.parent[p] != a.Parent[p] || old.Flags != now.Flags || old.Status != now.Status || old.Target != now.Target {
			return false
		}
	}
	return true
}
