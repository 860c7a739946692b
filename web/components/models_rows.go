package components

// RowsModel is a window of the tree.
type RowsModel struct {
	Rev   string
	At    int // index of the first row
	Total int // number of rows in the tree
	Rows  []RowModel
	// Selected is the index of the selected row, -1 = none. Focus is the index of the row
	// with the tab stop.
	Selected int
	Focus    int
	Hits     []int // indexes of rows that match the query (at most 1,000)
	// Empty explains why there are no rows; EmptyLink offers a way out.
	Empty     string
	EmptyLink *Link
	// From is the first changed row of a delta. Rows replaces everything from there on.
	From int
}

// RowModel is a row of the tree.
type RowModel struct {
	ID       string // DOM id, unique on the page: "r-<entry>", for branches "b-<head>", ...
	Entry    string // id of the entry that the row links to
	Index    int
	Class    string // "user", "answer", "tool", "branch", "compaction", "summary", "note", "fold", "shell", "mark", "head"
	Thread   string // "agent", "session", "rewound": kind of the thread that begins here, "" = none
	Href     string // views the entry
	Toggle   string // branch, folded and foldable rows: href that opens or closes
	Focus    string // branches too deep for a lane of their own: href that focuses the branch
	Expanded int    // -1 not expandable, 0 closed, 1 open
	Level    int
	Set, Nth int
	Up       int // index of the parent row, -1 = none

	Selected, OnPath, Current bool // Current: end of the viewed path
	Leaf                      bool // has the leaf tag
	Hit                       bool
	HitDot                    bool   // the hit is not in the visible text
	Rule                      bool   // has a rule above: a further root
	Warn                      string // title of the warning icon: "Parent abc is not in the file"

	Lanes []LaneCell
	Node  string // "user", "answer", "tool", "compaction", "summary", "note", "leaf", "toggle", "" none
	More  int    // number in the shared cell of lanes 4 and up, 0 = none

	Tool string // name of the tool, in monospace before the text
	Text []Span
	// Outline layout: indentation and glyphs as text.
	Prefix string

	Time           Time
	Label          string
	LabelTime      Time
	Added, Removed int
	Status         string // "exit 1"
	Running        bool   // tool call without a result in a live session
	Meta           string // "115k → 14k tokens", "no result"
	Count          int    // branch: number of entries; folded: number of lines; 0 = none
	Age            Time   // branch: time of the newest entry
	Hits           int    // closed branch: number of hits in it, shown in place of Count and Age
	HitsFailed     bool   // Hits are failed tool calls
}

// LaneCell is one lane of a row: classes of app.css (".lane").
type LaneCell struct {
	Color string // "path" viewed, "spine", "branch" any other
	Shape string // "" through, "start", "end", "elbow", "elbow start", "elbow none", "none"
}

// Span is a piece of text. Mark highlights a search hit.
type Span struct {
	Text string
	Mark bool
}
