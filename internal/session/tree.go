package session

import "sync/atomic"

// Tree is a forest of entries with exactly one parent edge each: the recorded
// parent, except that orphans are roots and cycles are cut (each with a Note).
// It grows by Append and is not safe for concurrent use; store.Session guards
// it. All methods but Append may run at the same time.
type Tree struct {
	header         Header
	entries        []*Entry // the lists that the entries came in are kept
	byID           stringIndex
	parent         []Pos
	traits         []rowTraits
	childIndex     childIndex
	roots          []Pos
	leaf           Pos
	hasLateParents bool // some parent stands after its child in file order

	metadata int // entries with FlagMetadata

	missingParents map[string]bool // ids that orphans name as parents
	labels         labelSet
	annotations    annotationIndex // what is shown over the file's own
	archivedIDs    map[string]bool // archived targets, by id
	resultsByCall  stringIndex     // tool results, by the id of their call
	callIndex      callIndex

	arrange           func([]*Entry) Arrangement // nil: the recorded parents stand
	extendArrangement func([]*Entry) (ArrangementDelta, bool)
	arrangedInput     []*Entry                 // what arrange was given
	buildContext      func(*Tree, Pos) Context // nil: the rules of Context
	threads           []Thread
	threadsByStart    map[Pos]int32 // lines by the entry they begin with
	files             []string      // names of the session's files, by Span.File

	readNotes      []Note // what the decoder said
	duplicateNotes []Note // ids recorded again
	parentNotes    []Note // orphans and cycles

	// What is counted once for a state of the tree; nil until asked for.
	subtreeStats   atomic.Pointer[subtreeStats]
	lastCallsCache atomic.Pointer[map[string]callPlace]
	branchCount    atomic.Pointer[int]
	leafPathCache  atomic.Pointer[leafPathMarks]
	// shapeVersion counts the changes of what the tree had already: entries that were hung
	// elsewhere or put out of sight. Growth is none.
	shapeVersion int
}

// BuildTree makes a tree of all entries of a session, in file order. The tree keeps
// the entries where they are: they must not be changed any more.
func BuildTree(h Header, entries []Entry, notes []Note) *Tree {
	return BuildFromParts(h, [][]Entry{entries}, notes)
}

// BuildFromParts is Build for entries in several parts.
func BuildFromParts(h Header, parts [][]Entry, notes []Note) *Tree {
	t := &Tree{leaf: NoPos}
	t.addParts(h, parts, notes)
	return t
}

// BuildArranged makes a tree whose edges a format's Arrange decides.
func BuildArranged(h Header, parts [][]Entry, notes []Note, arrange func([]*Entry) Arrangement) *Tree {
	t := &Tree{leaf: NoPos, arrange: arrange}
	t.addParts(h, parts, notes)
	return t
}

// Threads lists the lines of the session's graph; nil where its format has none.
func (t *Tree) Threads() []Thread { return t.threads }

// Header describes the session, under the name in force.
func (t *Tree) Header() Header {
	h := t.header
	h.Name = t.annotations.name.UnlessUserTitled(h.Name, h.UserTitled).effectiveName(h.Name)
	return h
}

// Len counts the entries.
func (t *Tree) Len() int { return len(t.entries) }

// EntryCount counts the entries without metadata.
func (t *Tree) EntryCount() int { return len(t.entries) - t.metadata }

// CountEntries counts entries without metadata.
func CountEntries(entries []Entry) (n int) {
	for i := range entries {
		if !entries[i].HasFlag(FlagMetadata) {
			n++
		}
	}
	return n
}

// At answers the entry at p. It must not be changed.
func (t *Tree) At(p Pos) *Entry { return t.entries[p] }

// FindID answers the position of an id, or NoPos.
func (t *Tree) FindID(id string) Pos { return Pos(t.byID.findNumber(id)) }

// Parent answers the arranged parent, NoPos for a root.
func (t *Tree) Parent(p Pos) Pos { return t.parent[p] }

// Roots lists the roots in file order. The slice is shared: do not change it.
func (t *Tree) Roots() []Pos { return t.roots }

// Children lists the children of p by time, oldest first. The slice is shared:
// do not change it.
func (t *Tree) Children(p Pos) []Pos { return t.childIndex.childrenAt(p) }

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

// FindToolResult is the tool result that answers a call id, NoPos when there is none.
// The last one counts.
func (t *Tree) FindToolResult(call string) Pos { return Pos(t.resultsByCall.findNumber(call)) }

// siblings lists p and the entries beside it.
func (t *Tree) siblings(p Pos) []Pos {
	if t.parent[p] == NoPos {
		return t.roots
	}
	return t.childIndex.childrenAt(t.parent[p])
}

// markPath marks the entries from a root to leaf.
func (t *Tree) markPath(leaf Pos) []bool {
	marks := make([]bool, len(t.entries))
	for p := leaf; p != NoPos; p = t.parent[p] {
		marks[p] = true
	}
	return marks
}

// leafPathMarks marks the entries from the root to a leaf.
type leafPathMarks struct {
	leaf  Pos
	marks entryMarks
}

// leafPath marks the entries on the path to the leaf. It is kept up to date while the
// session grows: whoever asks must not keep it.
func (t *Tree) leafPath() entryMarks {
	if known := t.leafPathCache.Load(); known != nil {
		return known.marks
	}
	known := &leafPathMarks{t.leaf, t.markPath(t.leaf)}
	t.leafPathCache.Store(known)
	return known.marks
}

// extendLeafPath takes the leaf into what leafPath knows, where it moved down to an
// entry from position first on, and else forgets that and the branches counted by it.
func (t *Tree) extendLeafPath(first Pos) {
	known := t.leafPathCache.Load()
	if known == nil {
		t.branchCount.Store(nil)
		return
	}
	known.marks = append(known.marks, make(entryMarks, len(t.entries)-len(known.marks))...)
	p := t.leaf
	for ; p != NoPos && p >= first && p != known.leaf; p = t.parent[p] {
		known.marks[p] = true
	}
	if p != known.leaf {
		t.leafPathCache.Store(nil)
		t.branchCount.Store(nil)
		return
	}
	known.leaf = t.leaf
}

// changeShape notes that the tree changed other than by growth.
func (t *Tree) changeShape() {
	t.shapeVersion++
	t.branchCount.Store(nil)
	t.leafPathCache.Store(nil)
}
