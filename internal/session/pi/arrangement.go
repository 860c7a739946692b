package pi

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"sessiontree/internal/session"
)

// NoteNotAttached is the code of notes about sub-agents whose call is unknown.
const NoteNotAttached = "not-attached"

// arrangeAgents attaches the files of sub-agents to the calls that started them. Within a file
// entries keep their recorded parents. Entries of agents get new ids, because ids are unique within
// one file only.
func arrangeAgents(unit session.FileGroup, given []*session.Entry) session.Arrangement {
	c := &arrangement{group: unit, files: map[int32]*fileTree{}, byName: map[string]*fileTree{}}
	c.out.Leaf, c.out.KeepsRecordedParents, c.out.Files = session.NoPos, true, unit.Names
	c.addEntries(given)
	c.attachAgents()
	c.reportedNotes = c.treeNotes()
	c.out.Notes = c.reportedNotes
	c.out.Extend = c.extend
	return c.out
}

// treeNotes returns notes about where the tree differs from the recorded lines.
func (c *arrangement) treeNotes() (notes []session.Note) {
	for _, f := range c.sorted {
		for _, n := range f.tree.StructureNotes() {
			if f.name != "" {
				n.Entry = c.agentEntryID(f, n.Entry)
			}
			notes = append(notes, n)
		}
		if f.name == "" || len(f.sessionPos) == 0 || f.attachedTo != session.NoPos {
			continue
		}
		e := c.out.Entries[f.sessionPos[f.tree.Roots()[0]]]
		notes = append(notes, session.Note{Code: NoteNotAttached, File: int(e.Span.File), Line: int(e.Span.Line), Entry: e.ID,
			Text: "Parent unknown: no call in this session started the sub-agent " + path.Base(f.name) + ". It is shown as a root."})
	}
	return notes
}

// extend adds entries that were read later. ok is false if they change the parent of earlier
// entries.
func (c *arrangement) extend(fresh []*session.Entry) (g session.ArrangementDelta, ok bool) {
	first := len(c.out.Entries)
	c.changed = map[session.Pos]bool{}
	if slices.ContainsFunc(fresh, c.needsRebuild) || c.addEntries(fresh) {
		return g, false
	}
	if c.concernsAgents(fresh, first) {
		for _, f := range c.attachAgents() {
			c.changed[f.sessionPos[f.tree.Roots()[0]]] = true
		}
	}
	if !slices.Equal(c.treeNotes(), c.reportedNotes) {
		return g, false
	}
	for p := range c.changed {
		if int(p) < first {
			g.Moved = append(g.Moved, session.MovedEntry{Pos: p, Parent: c.out.Parent[p], Entry: c.out.Entries[p]})
		}
	}
	g.Entries, g.Parent, g.Leaf, g.Threads = c.out.Entries[first:], c.out.Parent[first:], c.out.Leaf, c.out.Threads
	return g, true
}

// needsRebuild reports whether an entry is of a file that is not in the group, or of the session's
// own file with an id like those of agents' entries, so that theirs may have to change.
func (c *arrangement) needsRebuild(e *session.Entry) bool {
	return int(e.Span.File) >= len(c.group.Names) || e.Span.File == 0 && strings.Contains(e.ID, ":")
}

// concernsAgents reports whether one of the new entries names agents or is an agent's first.
func (c *arrangement) concernsAgents(fresh []*session.Entry, first int) bool {
	return slices.ContainsFunc(fresh, func(e *session.Entry) bool {
		_, says := e.Extra.(*spawnFacts)
		f := c.files[e.Span.File]
		return says || f.name != "" && int(f.sessionPos[0]) >= first
	})
}

// arrangement is a session with its sub-agents.
type arrangement struct {
	group         session.FileGroup
	files         map[int32]*fileTree // by Span.File
	byName        map[string]*fileTree
	sorted        []*fileTree // by name, with the session's own file first
	out           session.Arrangement
	changed       map[session.Pos]bool // earlier entries that changed
	reportedNotes []session.Note       // the notes in the last result
}

// fileTree is the tree of one file: the session's own, or an agent's.
type fileTree struct {
	name       string        // path below the session's directory, without the file suffix; "" for the session's own file
	tree       *session.Tree // the entries as recorded
	sessionPos []session.Pos // positions in the session, by position in tree
	thread     int           // index in out.Threads, -1 while the file has no entry
	attachedTo session.Pos   // of an agent: the entry that it is attached to

	spawns    []*spawnCall
	byCall    map[string]*spawnCall
	announced map[string]session.Pos // agents named by messages, with the entries of these messages
	claimed   map[string]agentClaim  // agents that the entries of this file started
}

// agentEntry is the Extra of an entry that differs from the recorded one, which it holds.
type agentEntry struct{ recorded *session.Entry }

// recordedEntry returns an entry as its own file records it.
func recordedEntry(e *session.Entry) *session.Entry {
	if x, ok := e.Extra.(*agentEntry); ok {
		return x.recorded
	}
	return e
}

// addEntries adds entries in the order of positions. It returns early with rebuilt set if earlier
// entries of a file changed, so that everything must be arranged again.
func (c *arrangement) addEntries(fresh []*session.Entry) (rebuilt bool) {
	parts := map[int32][]*session.Entry{}
	for _, e := range fresh {
		parts[e.Span.File] = append(parts[e.Span.File], e)
	}
	for file, entries := range parts {
		f := c.fileTreeFor(file)
		rebuilt = f.tree.AppendLinked(entries) && len(f.sessionPos) > 0 || rebuilt
	}
	if rebuilt {
		return true
	}
	first := len(c.out.Entries)
	for _, e := range fresh {
		f := c.files[e.Span.File]
		if p := f.tree.FindID(e.ID); int(p) == len(f.sessionPos) { // the first record of this id
			f.sessionPos = append(f.sessionPos, session.Pos(len(c.out.Entries)))
			c.out.Entries = append(c.out.Entries, nil)
			c.out.Parent = append(c.out.Parent, session.NoPos)
		}
	}
	for _, e := range fresh {
		f := c.files[e.Span.File]
		if p := f.tree.FindID(e.ID); int(f.sessionPos[p]) >= first && c.out.Entries[f.sessionPos[p]] == nil {
			c.placeEntry(f, p)
		}
	}
	if own := c.files[0]; own != nil && own.tree.Leaf() != session.NoPos {
		c.out.Leaf = own.sessionPos[own.tree.Leaf()]
	}
	return false
}

// fileTreeFor returns the tree of file i and creates it if needed.
func (c *arrangement) fileTreeFor(i int32) *fileTree {
	if f := c.files[i]; f != nil {
		return f
	}
	f := &fileTree{tree: session.BuildLinked(session.Header{}, nil), thread: -1, attachedTo: session.NoPos, byCall: map[string]*spawnCall{}, announced: map[string]session.Pos{}}
	if i > 0 && int(i) < len(c.group.Names) {
		f.name = agentPath(c.group.Names[0], c.group.Names[i])
	}
	c.files[i], c.byName[f.name] = f, f
	at, _ := slices.BinarySearchFunc(c.sorted, f.name, func(f *fileTree, name string) int { return cmp.Compare(f.name, name) })
	c.sorted = slices.Insert(c.sorted, at, f)
	return f
}

// agentPath returns the path of an agent's file below the session's directory, without the suffix.
func agentPath(own, name string) string {
	name = strings.TrimSuffix(name, fileSuffix)
	return strings.TrimPrefix(name, strings.TrimSuffix(own, fileSuffix)+"/")
}

// placeEntry adds the entry at p of a file to the session.
func (c *arrangement) placeEntry(f *fileTree, p session.Pos) {
	at, e := f.sessionPos[p], f.tree.At(p)
	up := f.tree.Parent(p)
	if up != session.NoPos {
		c.out.Parent[at] = f.sessionPos[up]
	}
	if x, ok := e.Extra.(*spawnFacts); ok {
		f.recordSpawns(at, e, x)
	}
	if f.name != "" {
		e = c.withSessionIDs(f, e)
		if first := f.tree.Roots()[0]; p == first {
			e.Flags |= session.FlagAgent
		} else if up == session.NoPos { // an orphan of an agent, whose parent is not recorded
			c.out.Parent[at] = f.sessionPos[first]
		}
	}
	c.out.Entries[at] = e
	c.addToThread(f, at)
}

// withSessionIDs returns an agent's entry with the ids that it and the entries it names have in the
// session.
func (c *arrangement) withSessionIDs(f *fileTree, e *session.Entry) *session.Entry {
	own := *e
	own.Extra = &agentEntry{e}
	own.ID = c.agentEntryID(f, e.ID)
	if e.HasFlag(session.FlagHasParent) {
		own.Parent = c.agentEntryID(f, e.Parent)
	}
	if e.Target() != "" && e.Kind != session.KindCustomMessage { // that names an agent
		own.OwnDetails().Target = c.agentEntryID(f, e.Target())
	}
	return &own
}

// agentEntryID returns the id in the session of an entry in an agent's file. It differs from all
// ids in the session's own file.
func (c *arrangement) agentEntryID(f *fileTree, id string) string {
	name := strings.ReplaceAll(f.name, ":", "_") + ":" + id
	for own := c.files[0]; own != nil && own.tree.FindID(name) != session.NoPos; {
		name += "'"
	}
	return name
}

// addToThread appends an entry to the thread of its file.
func (c *arrangement) addToThread(f *fileTree, at session.Pos) {
	if f.thread < 0 {
		f.thread = len(c.out.Threads)
		l := session.Thread{Name: c.group.Session, Session: c.group.Session, At: session.NoPos, Leaf: session.NoPos}
		if f.name != "" {
			l.Agent, l.Title = path.Base(f.name), path.Base(f.name)
			l.Name += "#agent-" + f.name
		}
		c.out.Threads = append(c.out.Threads, l)
	}
	l := &c.out.Threads[f.thread]
	l.Entries = append(l.Entries, at)
}
