package pi

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"sessiontree/internal/session"
)

// arrangement is a session with its sub-agents.
type arrangement struct {
	unit    session.Unit
	files   map[int32]*fileTree // by Span.File
	byName  map[string]*fileTree
	sorted  []*fileTree // by name; the session's own file first
	out     session.Arranged
	changed map[session.Pos]bool // entries that others changed
	noted   []session.Note       // that were made
}

// fileTree is one file of a session: its own, or one of an agent.
type fileTree struct {
	name string        // its path below the session, without its end; "" of the session's own
	tree *session.Tree // its entries as they were recorded
	at   []session.Pos // in the session, by position in tree
	line int           // of out.Lines, -1 while it has no entry
	up   session.Pos   // of an agent: the entry it is attached to

	spawns  []*spawn
	byCall  map[string]*spawn
	told    map[string]session.Pos // agents that messages tell of
	claimed map[string]claim       // agents that it started
}

// agentEntry is the Extra of an entry of an agent's file: how it was recorded.
type agentEntry struct{ recorded *session.Entry }

// recordedEntry is an entry as its own file has it.
func recordedEntry(e *session.Entry) *session.Entry {
	if x, ok := e.Extra.(*agentEntry); ok {
		return x.recorded
	}
	return e
}

// add takes in entries in the order of positions. It reports whether a file has to be
// hung anew.
func (c *arrangement) add(fresh []*session.Entry) (rebuilt bool) {
	parts := map[int32][]*session.Entry{}
	for _, e := range fresh {
		parts[e.Span.File] = append(parts[e.Span.File], e)
	}
	for file, entries := range parts {
		f := c.file(file)
		rebuilt = f.tree.Link(entries) && len(f.at) > 0 || rebuilt
	}
	if rebuilt {
		return true
	}
	first := len(c.out.Entries)
	for _, e := range fresh {
		f := c.files[e.Span.File]
		if p := f.tree.Find(e.ID); int(p) == len(f.at) { // where the id was recorded first
			f.at = append(f.at, session.Pos(len(c.out.Entries)))
			c.out.Entries = append(c.out.Entries, nil)
			c.out.Parent = append(c.out.Parent, session.NoPos)
		}
	}
	for _, e := range fresh {
		f := c.files[e.Span.File]
		if p := f.tree.Find(e.ID); int(f.at[p]) >= first && c.out.Entries[f.at[p]] == nil {
			c.take(f, p)
		}
	}
	if own := c.files[0]; own != nil && own.tree.Leaf() != session.NoPos {
		c.out.Leaf = own.at[own.tree.Leaf()]
	}
	return false
}

// file is what is known of one of the session's files.
func (c *arrangement) file(i int32) *fileTree {
	if f := c.files[i]; f != nil {
		return f
	}
	f := &fileTree{tree: session.Link(session.Header{}, nil), line: -1, up: session.NoPos, byCall: map[string]*spawn{}, told: map[string]session.Pos{}}
	if i > 0 && int(i) < len(c.unit.Names) {
		f.name = agentName(c.unit.Names[0], c.unit.Names[i])
	}
	c.files[i], c.byName[f.name] = f, f
	at, _ := slices.BinarySearchFunc(c.sorted, f.name, func(f *fileTree, name string) int { return cmp.Compare(f.name, name) })
	c.sorted = slices.Insert(c.sorted, at, f)
	return f
}

// agentName is the path of an agent's file below its session's, without its end.
func agentName(own, name string) string {
	name = strings.TrimSuffix(name, suffix)
	return strings.TrimPrefix(name, strings.TrimSuffix(own, suffix)+"/")
}

// take gives the entry at p of a file its place in the session.
func (c *arrangement) take(f *fileTree, p session.Pos) {
	at, e := f.at[p], f.tree.At(p)
	up := f.tree.Parent(p)
	if up != session.NoPos {
		c.out.Parent[at] = f.at[up]
	}
	if x, ok := e.Extra.(*spawned); ok {
		f.learn(at, e, x)
	}
	if f.name != "" {
		e = c.renamed(f, e)
		if first := f.tree.Roots()[0]; p == first {
			e.Flags |= session.FlagAgent
		} else if up == session.NoPos { // what an orphan of an agent hung on is recorded nowhere
			c.out.Parent[at] = f.at[first]
		}
	}
	c.out.Entries[at] = e
	c.enter(f, at)
}

// renamed is an entry of an agent under the names that it and those it is about have in
// the session.
func (c *arrangement) renamed(f *fileTree, e *session.Entry) *session.Entry {
	own := *e
	own.Extra = &agentEntry{e}
	own.ID = c.nameIn(f, e.ID)
	if e.Has(session.FlagHasParent) {
		own.Parent = c.nameIn(f, e.Parent)
	}
	if e.Target != "" && e.Kind != session.KindCustomMessage { // that names an agent
		own.Target = c.nameIn(f, e.Target)
	}
	return &own
}

// nameIn is the name in the session of an id in an agent's file. An entry of the session
// itself may be called so already.
func (c *arrangement) nameIn(f *fileTree, id string) string {
	name := strings.ReplaceAll(f.name, ":", "_") + ":" + id
	for own := c.files[0]; own != nil && own.tree.Find(name) != session.NoPos; {
		name += "'"
	}
	return name
}

// enter adds an entry to the line of its file.
func (c *arrangement) enter(f *fileTree, at session.Pos) {
	if f.line < 0 {
		f.line = len(c.out.Lines)
		l := session.DAGLine{Name: c.unit.Session, Session: c.unit.Session, At: session.NoPos, Leaf: session.NoPos}
		if f.name != "" {
			l.Agent, l.Title = path.Base(f.name), path.Base(f.name)
			l.Name += "#agent-" + f.name
		}
		c.out.Lines = append(c.out.Lines, l)
	}
	l := &c.out.Lines[f.line]
	l.Entries = append(l.Entries, at)
}
