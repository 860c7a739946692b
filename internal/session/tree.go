package session

import "sync/atomic"

// Tree is a forest of entries with exactly one parent edge each: the recorded parent,
// except that orphans are roots and cycles are cut (each with a Note). It grows by
// AppendEntries and is not safe for concurrent use; store.Session guards it. Methods
// that do not change the tree may run at the same time.
type Tree struct {
	header         Header
	entries        []*Entry // point into the slices that were passed in
	byID           stringIndex
	parent         []Pos
	traits         []Traits
	childIndex     childIndex
	roots          []Pos
	leaf           Pos
	hasLateParents bool // some parent follows its child in file order

	metadata int // number of entries with FlagMetadata
	calls    int // tool calls that have ended
	failed   int // number of entries with TraitFailed

	missingParents map[string]bool // ids that orphans have as parents
	labels         labelSet
	annotations    annotationIndex // override the labels and the name of the file
	archivedIDs    map[string]bool // archived targets, by id
	resultsByCall  stringIndex     // tool results, by the id of their call
	callIndex      callIndex

	arrange           func([]*Entry) Arrangement // nil: recorded parents are used
	extendArrangement func([]*Entry) (ArrangementDelta, bool)
	arrangedInput     []*Entry                 // argument of arrange
	buildContext      func(*Tree, Pos) Context // nil: Context has the rules
	threads           Threads
	files             fileNames

	readNotes      []Note // of the decoder
	duplicateNotes []Note // about ids recorded again
	parentNotes    []Note // about orphans and cycles

	// Caches for a state of the tree; nil until needed.
	subtreeStats   atomic.Pointer[Subtrees]
	lastCallsCache atomic.Pointer[map[string]callPlace]
	branchCount    atomic.Pointer[int]
	leafPathCache  atomic.Pointer[leafPathMarks]
	trail          atomic.Pointer[Trail] // of the leaf
	attachment     atomic.Value
	// shapeVersion counts the changes of existing entries: new parents and archiving.
	// Growth does not count.
	shapeVersion int
}

// BuildTree builds a tree of all entries of a session, in file order. The tree keeps
// pointers to the entries: the caller must not change them.
func BuildTree(h Header, entries []Entry, notes []Note) *Tree {
	return BuildFromParts(h, [][]Entry{entries}, notes)
}

// BuildFromParts is BuildTree for entries in several slices.
func BuildFromParts(h Header, parts [][]Entry, notes []Note) *Tree {
	t := &Tree{leaf: NoPos}
	t.AppendParts(h, parts, notes)
	return t
}

// BuildArranged builds a tree whose parents are decided by a format's Arrange.
func BuildArranged(h Header, parts [][]Entry, notes []Note, arrange func([]*Entry) Arrangement) *Tree {
	t := &Tree{leaf: NoPos, arrange: arrange}
	t.AppendParts(h, parts, notes)
	return t
}

// Header returns the header with the current name.
func (t *Tree) Header() Header {
	h := t.header
	h.Name = t.annotations.name.UnlessUserTitled(h.Name, h.UserTitled).effectiveName(h.Name)
	return h
}

// Len returns the number of entries.
func (t *Tree) Len() int { return len(t.entries) }

// EntryCount returns the number of entries without metadata.
func (t *Tree) EntryCount() int { return len(t.entries) - t.metadata }

// CountEntries returns the number of entries without metadata.
func CountEntries(entries []Entry) (n int) {
	for i := range entries {
		if !entries[i].HasFlag(FlagMetadata) {
			n++
		}
	}
	return n
}

// CallCounts returns the number of tool calls that have ended, and of entries with a
// failed one.
func (t *Tree) CallCounts() (ended, failed int) { return t.calls, t.failed }

// Attachment is a place for a value that another package computes from the tree and its
// growth. It is empty in a new tree.
func (t *Tree) Attachment() *atomic.Value { return &t.attachment }

// At returns the entry at p. It must not be changed.
func (t *Tree) At(p Pos) *Entry { return t.entries[p] }

// FindID returns the position of the entry with an id, or NoPos.
func (t *Tree) FindID(id string) Pos { return Pos(t.byID.findNumber(id)) }

// Parent returns the parent of p, NoPos for a root.
func (t *Tree) Parent(p Pos) Pos { return t.parent[p] }

// Roots returns the roots in file order. The slice is shared and must not be changed.
func (t *Tree) Roots() []Pos { return t.roots }

// Children returns the children of p by time, oldest first. The slice is shared and
// must not be changed.
func (t *Tree) Children(p Pos) []Pos { return t.childIndex.childrenAt(p) }

// Leaf returns the leaf, which is usually the last entry of the file, or NoPos.
func (t *Tree) Leaf() Pos { return t.leaf }

// Path returns the entries from a root to leaf, root first; nil for NoPos.
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

// FindToolResult returns the last tool result with a call id, or NoPos.
func (t *Tree) FindToolResult(call string) Pos { return Pos(t.resultsByCall.findNumber(call)) }

// MarkPath marks the entries from a root to leaf.
func (t *Tree) MarkPath(leaf Pos) Marks {
	marks := make(Marks, len(t.entries))
	for p := leaf; p != NoPos; p = t.parent[p] {
		marks[p] = true
	}
	return marks
}

// ShapeVersion returns the number of changes of existing entries: new parents and
// archiving. Growth does not count.
func (t *Tree) ShapeVersion() int { return t.shapeVersion }

// HasArchived reports whether an archive entry hides any entry.
func (t *Tree) HasArchived() bool { return len(t.archivedIDs) > 0 }

// IsArchived reports whether an archive entry hides p.
func (t *Tree) IsArchived(p Pos) bool {
	return len(t.archivedIDs) > 0 && t.archivedIDs[t.entries[p].ID]
}

// Preorder returns the entries depth first, siblings in order except that the one with
// leaf in its subtree is first.
func (t *Tree) Preorder(leaf Pos) []Pos {
	active := t.MarkPath(leaf)
	order := make([]Pos, 0, len(t.entries))
	stack := pushActiveFirst(nil, t.roots, active)
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		order = append(order, p)
		stack = pushActiveFirst(stack, t.childIndex.childrenAt(p), active)
	}
	return order
}

// pushActiveFirst pushes ps on a stack so that the active one is popped first.
func pushActiveFirst(stack, ps []Pos, active []bool) []Pos {
	first := NoPos
	for i := len(ps) - 1; i >= 0; i-- {
		if active[ps[i]] {
			first = ps[i]
		} else {
			stack = append(stack, ps[i])
		}
	}
	if first != NoPos {
		stack = append(stack, first)
	}
	return stack
}
