package session

import (
	"fmt"
	"strings"
)

// Filter decides which entries get a row.
type Filter uint8

// The filters, in the order the interface shows them.
const (
	FilterDefault Filter = iota
	FilterNoTools
	FilterUserOnly
	FilterLabeledOnly
	FilterAll
)

var filterNames = [...]string{"default", "no-tools", "user-only", "labeled-only", "all"}

func (f Filter) String() string { return filterNames[f] }

// ParseFilter reads a filter's name; "" is FilterDefault.
func ParseFilter(s string) (Filter, error) {
	if s == "" {
		return FilterDefault, nil
	}
	for i, n := range filterNames {
		if n == s {
			return Filter(i), nil
		}
	}
	return 0, fmt.Errorf("%w: no filter %q; there are %s", ErrInvalid, s, strings.Join(filterNames[:], ", "))
}

// Layout decides how rows are ordered and indented.
type Layout uint8

// LayoutSpine keeps the path to the leaf in lane 0 and gives other branches lanes
// of their own. LayoutOutline is pi's own order and indentation.
const (
	LayoutSpine Layout = iota
	LayoutOutline
)

func (l Layout) String() string {
	if l == LayoutOutline {
		return "outline"
	}
	return "spine"
}

// ParseLayout reads a layout's name; "" is LayoutSpine.
func ParseLayout(s string) (Layout, error) {
	switch s {
	case "", "spine":
		return LayoutSpine, nil
	case "outline":
		return LayoutOutline, nil
	}
	return 0, fmt.Errorf("%w: no layout %q; there are %s and %s", ErrInvalid, s, LayoutSpine, LayoutOutline)
}

// View is everything that decides which rows are visible. It is a plain value:
// it comes from a URL or the command line and keys a cache.
type View struct {
	Leaf   Pos // end of the viewed path; NoPos = before the first entry
	Entry  Pos // the selected entry, NoPos when none
	Filter Filter
	Layout Layout
	Query  string
	// Open: branches (by the id of their head) whose state differs from the
	// default. Spine: a branch is closed unless the selected entry is in it, folded
	// bookkeeping (by the id of its first line) is closed.
	// Outline: everything is open, false folds.
	Open map[string]bool
	// Root: spine: id of the entry the rows begin with, in lane 0; "" or an id that
	// is not there: all roots.
	Root string
	// DefaultOpen: spine: the default is open for every branch.
	DefaultOpen bool
	// OpenAll: spine: every branch and every fold is open, whatever Open says.
	OpenAll bool
	// MatchesEntry, when set, decides which entries match Query in place of Match.
	MatchesEntry func(Pos) bool
}

// RowKind says what a row stands for.
type RowKind uint8

// The kinds of rows. All but RowEntry occur in the spine layout only.
const (
	RowEntry         RowKind = iota // an entry
	RowBranch                       // a branch: Pos is its head
	RowCall                         // a tool call without a result: Pos its assistant entry, Call its index
	RowFoldedGroup                  // bookkeeping branches folded under Pos, their parent: Count lines, Title the first
	RowBranchMark                   // "branched here": Pos is the entry that keeps the branch
	RowSessionHeader                // the header of another session, which begins with Pos, within a lane
)

// Row is one visible line of an Outline. Rows are plain values without pointers: an
// outline may have a million, and the collector has nothing to look at in them.
type Row struct {
	Pos       Pos
	Count     int32 // RowStub: entries in the branch. RowFold: lines folded. Outline: rows hidden by a fold
	ParentRow int32 // index of the row that Left goes to (a stub, a fold, or the fold parent); -1 none
	PosInRun  int32 // this row's place among the rows of its run, from 1
	run       int32 // rows in the same lane under the same stub or fold, see Outline.Set
	Call      int16
	Lane      int16 // spine: the lane the row's node stands in. Outline: pi's indent
	// Title: RowStub: the entry whose text the row shows, the branch's first
	// prompt, else its first visible entry, else its head. When that entry would
	// be the first row inside, it has no row of its own: the stub is its row.
	// RowFold: the first line folded, by whose id it is opened. Other rows: the
	// same as Pos.
	Title Pos
	Kind  RowKind
	Open  bool // RowStub, RowFold: its rows follow. Outline: not folded
	// DefaultOpen: RowStub: open by default, because what is looked at lies in it.
	DefaultOpen bool
	// LeafOnly: RowStub: it is all there is to see of its branch under the filter, so
	// there is nothing to open.
	LeafOnly bool
	// OnPath: part of the viewed path. A stub is on it when its head is.
	OnPath     bool
	Leaf       bool // carries the leaf tag: the leaf, or its nearest visible ancestor
	Hit        bool // matches the query
	OffChain   bool // spine: stands in its lane without being part of the chain
	First      bool // first row of its lane: the lane starts at its centre
	Last       bool // last row of its lane: the lane ends at its centre
	RuleAbove  bool // a rule stands above: the first row of a further root
	startsRoot bool // the lane of a root begins here
	// Outline layout, as pi draws it.
	Connector, IsLast bool
	gutters           int32 // see Outline.Gutters
	// Spine. Bit k: lane k runs through this row (Through), is part of the viewed
	// path here (Path). Lanes of 63 and more share bit 63.
	Through, Path uint64
}

// Gutter is a column left of an outline row; Show draws a line in it.
type Gutter struct {
	Position int  `json:"position"`
	Show     bool `json:"show"`
}

// Outline is the visible rows of a tree for one View. It is immutable.
type Outline struct {
	Rows     Rows
	Selected int          // index of the row where the cursor starts; -1 when there are no rows
	Hits     []int32      // indexes of rows that match the query, in order
	Found    []FoundEntry // entries that match the query, in the order of their rows
	Entries  int          // entries in the tree, without metadata
	Visible  int          // of these, those with a row of their own, in open and closed branches
	Branches int          // branches a reader can go to
	Agents   int          // lines of agents

	runSizes []int32    // how many rows each run has
	gutters  [][]Gutter // the lists that rows of the outline layout have; the first one is empty

	resumeState *resumeState // where to go on when the tree has grown; nil: nowhere
}

// FindRow answers the row of an entry, or -1. A stub is the row of its title
// where that has no other.
func (o *Outline) FindRow(p Pos) int {
	stub := -1
	for i, r := range o.Rows.All() {
		switch {
		case r.Title != p || r.Kind == RowFoldedGroup || r.Kind == RowSessionHeader:
		case r.Kind == RowBranch:
			stub = i
		default:
			return i
		}
	}
	return stub
}

// RunSize returns how many rows the run of a row has: those in the same lane under the
// same stub or fold.
func (o *Outline) RunSize(r *Row) int { return int(o.runSizes[r.run]) }

// WindowRange returns the indexes of at most n rows from index at: from the first up to
// and without the second.
func (o *Outline) WindowRange(at, n int) (first, end int) {
	first = min(max(at, 0), o.Rows.Len())
	return first, min(first+max(n, 0), o.Rows.Len())
}
