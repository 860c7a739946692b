package components

// BranchPanelModel is the list of all branches, which takes the place of the path.
type BranchPanelModel struct {
	Title  string // of the document
	Base   string // address of the panel
	Close  string // address of the session in the same view
	Search string // searches the text of all branches for Find
	Find   string // text of the filter
	Total  int    // number of branches besides the current path
	Agents int    // number of sub-agents, which are no branches
	Hidden []Pair // parameters that the form preserves
	// SessionCost, PathCost, LeftCost and AgentCost are the costs of the session and of its
	// parts; "" if nothing was recorded. LeftShare is the part of the session's cost that
	// was spent on abandoned branches: "27%".
	SessionCost, PathCost, LeftCost, LeftShare, AgentCost string

	Shows   []Chip // which branches are listed
	Columns []BranchColumn
	Rows    BranchRowsModel
	Plain   bool // few enough rows to work without script: the page has all of them
}

// BranchColumn is a column of the list of branches.
type BranchColumn struct {
	Name string // "name", "where", "entries", "cost", "tokens", "time"
	Text string
	Href string // sorts by the column
	Sort string // "ascending", "descending", "" = not sorted by it
}

// BranchRowsModel is a window of the list of branches.
type BranchRowsModel struct {
	Rev   string
	At    int // index of the first row
	Total int // number of rows that pass the filter
	Count int // number of branches
	Rows  []BranchRow
}

// BranchRow is a branch in the list.
type BranchRow struct {
	ID      string // DOM id
	Head    string // id of its first entry
	Index   int
	Class   string // "now", "left", "agent"
	Name    string
	Text    []Span
	Label   []Span
	Tag     string // "abandoned", "sub-agent", "archived"
	Href    string // views it
	Switch  string // opens the dialog that makes it current, "" if not possible
	Current bool   // it is the path to the leaf
	From    int    // where it leaves, in thousandths of the longest path
	To      int    // where it ends
	Entries string
	Cost    string
	Tokens  string
	Time    Time
}
