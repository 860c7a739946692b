package session

// Tree is a forest of entries with exactly one parent edge each: the recorded
// parent, except that orphans are roots and cycles are cut (each with a Note).
// It grows by Append and is not safe for concurrent use; store.Session guards
// it.
type Tree struct{}

// Build makes a tree of all entries of a session, in file order.
func Build(h Header, entries []Entry, notes []Note) *Tree { panic("contract") }

// Append adds entries that were recorded after those the tree has. It costs in
// proportion to the new entries, unless one of them changes what older ones
// hang on (a repeated id, a parent that comes late). Then the tree is built
// again and rebuilt is true: positions taken before are void.
func (t *Tree) Append(h Header, entries []Entry, notes []Note) (rebuilt bool) { panic("contract") }

// Header describes the session.
func (t *Tree) Header() Header { panic("contract") }

// Len counts the entries.
func (t *Tree) Len() int { panic("contract") }

// At answers the entry at p. It must not be changed.
func (t *Tree) At(p Pos) *Entry { panic("contract") }

// Find answers the position of an id, or NoPos.
func (t *Tree) Find(id string) Pos { panic("contract") }

// Parent answers the arranged parent, NoPos for a root.
func (t *Tree) Parent(p Pos) Pos { panic("contract") }

// Roots lists the roots in file order.
func (t *Tree) Roots() []Pos { panic("contract") }

// Children lists the children of p by time, oldest first.
func (t *Tree) Children(p Pos) []Pos { panic("contract") }

// Leaf is the last entry of the file, of any kind; NoPos when there is none.
func (t *Tree) Leaf() Pos { panic("contract") }

// Path lists the entries from a root to leaf, root first; nil for NoPos.
func (t *Tree) Path(leaf Pos) []Pos { panic("contract") }

// NewestLeaf follows the last child from p down; bookkeeping branches beside
// conversation are passed by. The leaf itself wins where it lies below p.
func (t *Tree) NewestLeaf(p Pos) Pos { panic("contract") }

// Branches lists p and its siblings that are branches to a reader (not only
// bookkeeping), in time order; len 1 when p stands alone. For a root: the roots.
func (t *Tree) Branches(p Pos) []Pos { panic("contract") }

// Size counts the entries of the subtree at p, p included.
func (t *Tree) Size(p Pos) int { panic("contract") }

// Newest is the time of the newest entry in the subtree at p, ms or NoTime.
func (t *Tree) Newest(p Pos) int64 { panic("contract") }

// Answer is the tool result that answers a call id, NoPos when there is none.
func (t *Tree) Answer(call string) Pos { panic("contract") }

// LabelInfo is a label in force.
type LabelInfo struct {
	Target Pos
	Text   string
	Time   int64 // when it was set, ms or NoTime
}

// Label answers the label of p in force; ok is false when there is none.
func (t *Tree) Label(p Pos) (l LabelInfo, ok bool) { panic("contract") }

// Labels lists the labels in force whose target is in the tree, in the order in
// which they were first set since they were last cleared.
func (t *Tree) Labels() []LabelInfo { panic("contract") }

// Notes lists what the reader should know, in file order.
func (t *Tree) Notes() []Note { panic("contract") }

// Outline computes the visible rows for v.
func (t *Tree) Outline(v View) *Outline { panic("contract") }

// RowText is the text of entry p's row in the outline layout, as pi words it.
func (t *Tree) RowText(p Pos) string { panic("contract") }

// Match reports whether every word of query occurs in the searchable text of p
// (label, role, text), case folded, by pi's rules.
func (t *Tree) Match(p Pos, query string) bool { panic("contract") }

// Context is what the model would be sent at leaf.
func (t *Tree) Context(leaf Pos) Context { panic("contract") }

// Context is a model's context: messages in order, and the state on the path.
type Context struct {
	Items    []ContextItem
	Thinking string // "off" unless the path says otherwise
	Provider string // model; "" when the path names none
	Model    string
	Tokens   int64 // tokens in the context as the last answer counted them; 0 unknown
}

// ContextItem is one message of a Context.
type ContextItem struct {
	Pos  Pos
	Role string // "user", "assistant", "compactionSummary", "branchSummary", "custom", ...
	// Edit is the context_edit entry whose content replaces the message's, or NoPos.
	Edit Pos
	// Checkpoint: the system message recorded inside a compaction entry.
	Checkpoint bool
}
