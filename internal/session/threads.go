package session

// Thread is one line of development in a session's graph: the trunk of a session, a
// branch of it, or an agent.
type Thread struct {
	Name    string
	Title   string // of a session or an agent, or ""
	Session string // id of its session
	Parent  string // name of the thread it is attached to, or ""
	At      Pos    // the entry it is attached to, or NoPos
	Agent   string // id of its agent, or ""
	Branch  bool
	Leaf    Pos // the leaf of its session, on the trunk of that; else NoPos
	Entries []Pos
}

// ThreadStartingAt returns the thread whose first entry is p, or nil.
func (t *Tree) ThreadStartingAt(p Pos) *Thread {
	if i, ok := t.threadsByStart[p]; ok {
		return &t.threads[i]
	}
	return nil
}

// AgentThread returns the thread of an agent, or nil.
func (t *Tree) AgentThread(id string) *Thread {
	for i := range t.threads {
		if l := &t.threads[i]; l.Agent == id && id != "" && !l.Branch {
			return l
		}
	}
	return nil
}

// AttachedThreads returns the threads of agents and other sessions that are attached to
// p.
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

// SessionIDs returns the ids of the sessions in the tree, the main one first.
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

// EntrySessionID returns the id of the session of the entry at p.
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

// setThreads replaces the threads. They are indexed by their first entries, which do
// not change while threads grow.
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
