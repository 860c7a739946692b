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

// Threads are the threads of a session. The zero value has none.
type Threads struct {
	list    []Thread
	byStart map[Pos]int32 // indexes in list, by first entry
}

// All returns all threads. The slice is shared and must not be changed.
func (s *Threads) All() []Thread { return s.list }

// StartingAt returns the thread whose first entry is p, or nil.
func (s *Threads) StartingAt(p Pos) *Thread {
	if i, ok := s.byStart[p]; ok {
		return &s.list[i]
	}
	return nil
}

// OfAgent returns the thread of an agent, or nil.
func (s *Threads) OfAgent(id string) *Thread {
	for i := range s.list {
		if l := &s.list[i]; l.Agent == id && id != "" && !l.Branch {
			return l
		}
	}
	return nil
}

// replaceAll replaces the threads. They are indexed by their first entries, which do
// not change while threads grow.
func (s *Threads) replaceAll(threads []Thread) {
	if s.byStart == nil || len(threads) < len(s.list) {
		*s = Threads{byStart: make(map[Pos]int32, len(threads))}
	}
	old := len(s.list)
	s.list = threads
	for i := range threads {
		if p := threads[i].Entries[0]; i >= old || s.byStart[p] != int32(i) {
			s.byStart[p] = int32(i)
		}
	}
}

// Threads returns the threads of the session; none if the format has none.
func (t *Tree) Threads() *Threads { return &t.threads }

// SessionIDs returns the ids of the sessions in the tree, the main one first.
func (t *Tree) SessionIDs() []string {
	ids := []string{t.header.ID}
	met := map[string]bool{t.header.ID: true, "": true}
	for i := range t.threads.list {
		if id := t.threads.list[i].Session; !met[id] {
			met[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}

// EntrySessionID returns the id of the session of the entry at p.
func (t *Tree) EntrySessionID(p Pos) string {
	on := map[Pos]string{}
	for i := range t.threads.list {
		for _, at := range t.threads.list[i].Entries {
			on[at] = t.threads.list[i].Session
		}
	}
	for ; p != NoPos; p = t.parent[p] {
		if id, ok := on[p]; ok && id != "" {
			return id
		}
	}
	return t.header.ID
}
