package outline

import "sessiontree/internal/session"

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
	Pos       session.Pos
	Count     int32 // RowBranch: entries in the branch. RowFoldedGroup: folded lines. Outline: rows hidden by a fold
	ParentRow int32 // index of the row that Left goes to (a branch row, a folded group, or the fold parent), or -1
	PosInRun  int32 // position among the rows of its run, from 1
	run       int32 // rows in the same lane below the same branch row or folded group, see Outline.RunSize
	// Title is the entry whose text a RowBranch shows: the branch's first prompt, else
	// its first visible entry, else its head. If that entry would be the first row
	// inside, it has no row of its own. RowFoldedGroup: the first folded line, by whose
	// id it is opened. Other rows: the same as Pos.
	Title     session.Pos
	Lane      int16 // spine: the lane of the row's node. Outline: pi's indent
	Kind      RowKind
	Open      bool // RowBranch, RowFoldedGroup: its rows follow. Outline: not folded
	OnPath    bool // the row is on the viewed path. A branch row is if its head is
	Leaf      bool // has the leaf tag: the leaf, or its nearest visible ancestor
	Hit       bool // matches the query, or is or holds a failed call under FilterFailed
	RuleAbove bool // a rule is drawn above: the first row of a further root
	SpineRow
	PiRow
}

// SpineRow is the part of a Row that only the spine layout has.
type SpineRow struct {
	// Bit k: lane k runs through this row (Through), is part of the viewed path here
	// (Path). Lanes of 63 and more share bit 63.
	Through, Path uint64
	Call          int16 // RowCall: index of the call
	// DefaultOpen: the branch is open by default because it has the viewed or selected
	// entry.
	DefaultOpen bool
	LeafOnly    bool // the branch has nothing to open under the filter
	OffChain    bool // in its lane but not part of the chain
	First       bool // first row of its lane: the lane starts at its center
	Last        bool // last row of its lane: the lane ends at its center
	startsRoot  bool // the lane of a root starts here
}

// PiRow is the part of a Row that only the outline layout has, as pi draws it.
type PiRow struct {
	gutters           int32 // see Outline.Gutters
	Connector, IsLast bool
}

// Gutter is a column left of an outline row; Show draws a line in it.
type Gutter struct {
	Position int  `json:"position"`
	Show     bool `json:"show"`
}
