package session

import (
	"fmt"
	"strings"
)

// Filter decides which entries get a row.
type Filter uint8

// The filters, in the order of the interface.
const (
	FilterDefault Filter = iota
	FilterNoTools
	FilterUserOnly
	FilterLabeledOnly
	FilterAll
)

var filterNames = [...]string{"default", "no-tools", "user-only", "labeled-only", "all"}

func (f Filter) String() string { return filterNames[f] }

// ParseFilter parses a filter's name; "" is FilterDefault.
func ParseFilter(s string) (Filter, error) {
	if s == "" {
		return FilterDefault, nil
	}
	for i, n := range filterNames {
		if n == s {
			return Filter(i), nil
		}
	}
	return 0, fmt.Errorf("%w: unknown filter %q; valid filters: %s", ErrInvalid, s, strings.Join(filterNames[:], ", "))
}

// Layout decides how rows are ordered and indented.
type Layout uint8

// LayoutSpine keeps the path to the leaf in lane 0 and gives other branches further
// lanes. LayoutOutline is pi's own order and indentation.
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

// ParseLayout parses a layout's name; "" is LayoutSpine.
func ParseLayout(s string) (Layout, error) {
	switch s {
	case "", "spine":
		return LayoutSpine, nil
	case "outline":
		return LayoutOutline, nil
	}
	return 0, fmt.Errorf("%w: unknown layout %q; valid layouts: %s and %s", ErrInvalid, s, LayoutSpine, LayoutOutline)
}

// View is everything that decides which rows are visible. It is a plain value: it is
// read from a URL or the command line and is the key of a cache.
type View struct {
	Leaf   Pos // end of the viewed path; NoPos = before the first entry
	Entry  Pos // the selected entry, NoPos when none
	Filter Filter
	Layout Layout
	Query  string
	// Open holds the branches, by the id of their head, whose state differs from the
	// default. Spine: a branch is closed unless the selected entry is in it; folded
	// bookkeeping, by the id of its first line, is closed. Outline: everything is open,
	// false folds.
	Open map[string]bool
	// Root is the id of the entry that the rows start with, in lane 0 (spine). "" or an
	// unknown id: all roots.
	Root string
	// DefaultOpen opens every branch by default (spine).
	DefaultOpen bool
	// OpenAll opens every branch and every folded group, whatever Open says (spine).
	OpenAll bool
	// MatchesEntry, if set, decides which entries match Query, in place of
	// Tree.MatchesQuery.
	MatchesEntry func(Pos) bool
}

// RowKind is what a row displays.
type RowKind uint8

// The kinds of rows. All but RowEntry are in the spine layout only.
const (
	RowEntry         RowKind = iota // an entry
	RowBranch                       // a branch: Pos is its head
	RowCall                         // a tool call without a result: Pos its assistant entry, Call its index
	RowFoldedGroup                  // bookkeeping branches folded under Pos, their parent: Count lines, Title the first
	RowBranchMark                   // "branched here": Pos is the mark that keeps the branch
	RowSessionHeader                // the header of another session in a lane, which starts with Pos
)

// Row is one visible line of an Outline. Rows are plain values without pointers: an
// outline may have a million, and the collector has nothing to look at in them.
type Row struct {
	Pos       Pos
	Count     int32 // RowBranch: entries in the branch. RowFoldedGroup: folded lines. Outline: rows hidden by a fold
	ParentRow int32 // index of the row that Left goes to (a branch row, a folded group, or the fold parent), or -1
	PosInRun  int32 // position among the rows of its run, from 1
	run       int32 // rows in the same lane below the same branch row or folded group, see Outline.RunSize
	Call      int16
	Lane      int16 // spine: the lane of the row's node. Outline: pi's indent
	// Title is the entry whose text a RowBranch shows: the branch's first prompt, else
	// its first visible entry, else its head. If that entry would be the first row
	// inside, it has no row of its own. RowFoldedGroup: the first folded line, by whose
	// id it is opened. Other rows: the same as Pos.
	Title Pos
	Kind  RowKind
	Open  bool // RowBranch, RowFoldedGroup: its rows follow. Outline: not folded
	// DefaultOpen: the branch is open by default because it has the viewed or selected
	// entry.
	DefaultOpen bool
	// LeafOnly: the branch has nothing to open under the filter.
	LeafOnly bool
	// OnPath: the row is on the viewed path. A branch row is if its head is.
	OnPath     bool
	Leaf       bool // carries the leaf tag: the leaf, or its nearest visible ancestor
	Hit        bool // matches the query
	OffChain   bool // spine: in its lane but not part of the chain
	First      bool // first row of its lane: the lane starts at its center
	Last       bool // last row of its lane: the lane ends at its center
	RuleAbove  bool // a rule is drawn above: the first row of a further root
	startsRoot bool // the lane of a root starts here
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
	Selected int          // index of the row where the cursor starts; -1 if there are no rows
	Hits     []int32      // indexes of rows that match the query, in order
	Found    []FoundEntry // entries that match the query, in the order of their rows
	Entries  int          // entries in the tree, without metadata
	Visible  int          // number of entries with a row, in open and closed branches
	Branches int          // number of branches
	Agents   int          // number of agents

	runSizes []int32    // how many rows each run has
	gutters  [][]Gutter // the lists that rows of the outline layout have; the first one is empty

	resumeState *resumeState // where to resume when the tree has grown, or nil
}

// FindRow returns the index of the row of an entry, or -1. A branch row is the row of
// its title if that has no other.
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

// RunSize returns the number of rows in the run of a row: those in the same lane below
// the same branch row or folded group.
func (o *Outline) RunSize(r *Row) int { return int(o.runSizes[r.run]) }

// WindowRange returns the range of at most n rows from index at, end exclusive.
func (o *Outline) WindowRange(at, n int) (first, end int) {
	first = min(max(at, 0), o.Rows.Len())
	return first, min(first+max(n, 0), o.Rows.Len())
}
