package session

import "sync/atomic"

// Tree is a forest of entries with exactly one parent edge each: the recorded
// parent, except that orphans are roots and cycles are cut (each with a Note).
// It grows by Append and is not safe for concurrent use; store.Session guards
// it. All methods but Append may run at the same time.
type Tree struct {
	header  Header
	entries []*Entry // the lists that the entries came in are kept
	byID    index
	parent  []Pos
	looks   []look
	kids    children
	roots   []Pos
	leaf    Pos
	late    bool // some parent stands after its child in file order

	metadata int // entries with FlagMetadata

	waiting map[string]bool // ids that orphans name as parents
	labels  labels
	aside   aside           // what is shown over the file's own
	hidden  map[string]bool // archived targets, by id
	answers index           // tool results, by the id of their call
	calls   calls

	arrange func([]*Entry) Arranged // nil: the recorded parents stand
	more    func([]*Entry) (Growth, bool)
	all     []*Entry                 // what arrange was given
	context func(*Tree, Pos) Context // nil: the rules of Context
	lines   []DAGLine
	begun   map[Pos]int32 // lines by the entry they begin with
	files   []string      // names of the session's files, by Span.File

	given   []Note // what the decoder said
	repeats []Note // ids recorded again
	edges   []Note // orphans and cycles

	// What is counted once for a state of the tree; nil until asked for.
	facts    atomic.Pointer[facts]
	shown    atomic.Pointer[map[string]callRef]
	branches atomic.Pointer[int]
	toLeaf   atomic.Pointer[leafPath]
	// shape counts the changes of what the tree had already: entries that were hung
	// elsewhere or put out of sight. Growth is none.
	shape int
}

// Build makes a tree of all entries of a session, in file order. The tree keeps
// the entries where they are: they must not be changed any more.
func Build(h Header, entries []Entry, notes []Note) *Tree {
	return Join(h, [][]Entry{entries}, notes)
}

// Join is Build for entries in several parts.
func Join(h Header, parts [][]Entry, notes []Note) *Tree {
	t := &Tree{leaf: NoPos}
	t.append(h, parts, notes)
	return t
}

// BuildArranged makes a tree whose edges a format's Arrange decides.
func BuildArranged(h Header, parts [][]Entry, notes []Note, arrange func([]*Entry) Arranged) *Tree {
	t := &Tree{leaf: NoPos, arrange: arrange}
	t.append(h, parts, notes)
	return t
}

// Lines lists the lines of the session's graph; nil where its format has none.
func (t *Tree) Lines() []DAGLine { return t.lines }

// Header describes the session, under the name in force.
func (t *Tree) Header() Header {
	h := t.header
	h.Name = t.aside.name.Since(h.Name, h.Titled).named(h.Name)
	return h
}

// Len counts the entries.
func (t *Tree) Len() int { return len(t.entries) }

// Count counts the entries without metadata.
func (t *Tree) Count() int { return len(t.entries) - t.metadata }

// CountEntries counts entries without metadata.
func CountEntries(entries []Entry) (n int) {
	for i := range entries {
		if !entries[i].Has(FlagMetadata) {
			n++
		}
	}
	return n
}

// At answers the entry at p. It must not be changed.
func (t *Tree) At(p Pos) *Entry { return t.entries[p] }

// Find answers the position of an id, or NoPos.
func (t *Tree) Find(id string) Pos { return Pos(t.byID.find(id)) }

// Parent answers the arranged parent, NoPos for a root.
func (t *Tree) Parent(p Pos) Pos { return t.parent[p] }

// Roots lists the roots in file order. The slice is shared: do not change it.
func (t *Tree) Roots() []Pos { return t.roots }

// Children lists the children of p by time, oldest first. The slice is shared:
// do not change it.
func (t *Tree) Children(p Pos) []Pos { return t.kids.of(p) }

// Leaf is the last entry of the file, of any kind; NoPos when there is none.
func (t *Tree) Leaf() Pos { return t.leaf }

// Path lists the entries from a root to leaf, root first; nil for NoPos.
func (t *Tree) Path(leaf Pos) []Pos {
	n := 0
	for p := leaf; p != NoPos; p = t.parent[p] {
		n++
	}
	if n == 0 {
		return nil
	}
	path := make([]Pos, n)
	for p := leaf; p != NoPos; p = t.parent[p] {
		n--
		path[n] = p
	}
	return path
}

// Answer is the tool result that answers a call id, NoPos when there is none.
// The last one counts.
func (t *Tree) Answer(call string) Pos { return Pos(t.answers.find(call)) }

// siblings lists p and the entries beside it.
func (t *Tree) siblings(p Pos) []Pos {
	if t.parent[p] == NoPos {
		return t.roots
	}
	return t.kids.of(t.parent[p])
}

// onPath marks the entries from a root to leaf.
func (t *Tree) onPath(leaf Pos) []bool {
	marks := make([]bool, len(t.entries))
	for p := leaf; p != NoPos; p = t.parent[p] {
		marks[p] = true
	}
	return marks
}

// leafPath marks the entries from the root to a leaf.
type leafPath struct {
	leaf  Pos
	marks marks
}

// leafPath marks the entries on the path to the leaf. It is kept up to date while the
// session grows: whoever asks must not keep it.
func (t *Tree) leafPath() marks {
	if known := t.toLeaf.Load(); known != nil {
		return known.marks
	}
	known := &leafPath{t.leaf, t.onPath(t.leaf)}
	t.toLeaf.Store(known)
	return known.marks
}

// extendLeafPath takes the leaf into what leafPath knows, where it moved down to an
// entry from position first on, and else forgets that and the branches counted by it.
func (t *Tree) extendLeafPath(first Pos) {
	known := t.toLeaf.Load()
	if known == nil {
		t.branches.Store(nil)
		return
	}
	known.marks = append(known.marks, make(marks, len(t.entries)-len(known.marks))...)
	p := t.leaf
	for ; p != NoPos && p >= first && p != known.leaf; p = t.parent[p] {
		known.marks[p] = true
	}
	if p != known.leaf {
		t.toLeaf.Store(nil)
		t.branches.Store(nil)
		return
	}
	known.leaf = t.leaf
}

// reshape notes that the tree changed other than by growth.
func (t *Tree) reshape() {
	t.shape++
	t.branches.Store(nil)
	t.toLeaf.Store(nil)
}
