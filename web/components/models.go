// Package components contains the pages and their parts as templ components. A view model
// contains what is shown, already formatted if that needs knowledge of sessions;
// components define the markup. They use no session types and read no files.
package components

// Page is the common model of all pages.
type Page struct {
	Title  string
	Static string // URL prefix of static files: "/static/<hash>"
	Theme  string // "light", "dark", "" = as the browser prefers
	Live   string // URL of the socket, "" on pages without one
	Epoch  string // identifies the run of the server
}

// Time is a time to show. The script writes it in the browser's zone, and relative where
// requested; without script Text is shown.
type Time struct {
	ISO  string // RFC 3339 UTC, "" = unknown
	Text string // rendered with zone: "2026-02-03 09:00 UTC"
}

// SessionModel is the page of a session.
type SessionModel struct {
	Page
	Key          string
	Rev          string
	Name         string // title: name, or first prompt, or id
	SetName      string // the name only, "" if it has none
	Project      string // last element of the cwd
	Cwd          string
	File         string // path of the file, home directory as ~
	Format       string
	Live         bool
	OnHub        bool // the team shares it on its list; its file is on another computer
	View         ViewState
	Rows         RowsModel
	Path         PathModel
	Facts        Facts
	Banners      []Banner
	Capabilities CapabilitiesModel
	Notes        []NoteModel
	BadLines     int    // number of lines that could not be read; Notes lists them
	Filters      []Chip // the five filters, in order
	Layouts      []Chip // spine, outline
	LeafHref     string // resets the view to the leaf
	TreeHref     string // shows the whole tree
	Ticks        []Tick
	Switcher     *BranchSwitcher // the switcher that changes while the leaf grows on another branch, or nil
	Parent       *Link           // the session that this one was forked from
	Agent        string          // name of the sub-agent whose path is viewed, "" none
	Resume       string
	Snapshot     *SnapshotHeader   // set for viewers of a share or an export, who cannot change anything
	Panel        *BranchPanelModel // takes the place of the path, nil = closed
	PlainRows    bool              // few enough rows to work without script: the page has all of them
}

// Link is a named URL.
type Link struct{ Text, Href string }

// ViewState is the view as encoded in the URL, from which the browser builds further URLs.
// AtLeaf is set if the viewed path is the path to the leaf.
type ViewState struct {
	Base   string // "/sessions/<key>"
	Entry  string // "" = the leaf
	Leaf   string // end of the viewed path
	Filter string
	Query  string
	Layout string
	Root   string // head of the focused branch, "" = none
	Open   string // ids, comma separated; "-" before an id closes
	AtLeaf bool
	// SessionLeaf is the leaf of the session.
	SessionLeaf string
}

// Facts is the content of the bar above the path and of the footer of the tree.
type Facts struct {
	PathEntries string // "412"
	Tokens      string // "118k", "" unknown
	Context     string // address of the context, "" for viewers of a snapshot
	ContextUse  int    // of the model's context, in thousandths; 0 unknown
	Spent       *Spent // nil = nothing
	Model       string
	Thinking    string
	Visible     string // number of entries in the rows: "752"
	Hidden      int    // entries without a row
	Entries     string // "1,050"
	Branches    int
	Agents      int
	Labels      int
	Hits        int // number of entries that match the query; -1 without one
	Calls       int // tool calls that have ended, and entries with failed ones
	Failed      int
}

// Spent is what a session cost.
type Spent struct {
	Path, Total     string // "$4.21", "-" if no price is known
	Left, LeftShare string // on branches that were left: "$0.85", "17%"
	Unpriced        string // "2 requests without a price", "" none
	Prices          string // where the prices are from
	Rows            []Fact
	All             string // address of the spend of all sessions, "" none
}

// Fact is a name and a value.
type Fact struct{ Name, Value string }

// Banner is a notice above the path.
type Banner struct {
	Kind         string // "info", "warn", "error"
	Text         string
	Strong       string // leading words in bold
	Action       *Link
	Change       *Link // a dialog that fixes the problem
	RefetchAfter int   // seconds until the banners may change, 0 = never
}

// NoteModel is a line in the list of notes.
type NoteModel struct {
	Code, Text string
	Line       int
	Href       string // to the entry, "" none
	RawHref    string // to the raw line, "" none
}

// Tick is a mark on the ruler, at Y thousandths of the path.
type Tick struct {
	Y     int
	Class string // "prompt", "fork", "label", "compaction", "failed", "hit"
	Href  string
	Title string
	Time  Time // of a compaction
}

// EntryModel is one entry in full.
type EntryModel struct {
	Page
	Back      Link
	Entry     string // its id
	CanChange bool
	Item      Item
	Part      string // "item" (the li), "block" (one block), "rest", "page"
	// Block is set if one block was requested.
	Block *BlockModel
	// Rest is set if the remaining blocks were requested.
	Rest []BlockModel
	// RawText is the raw line, pretty-printed.
	RawText string
}

// ErrorModel is an error page.
type ErrorModel struct {
	Page
	Status int
	Title  string
	Text   string
	Detail string
	Links  []Link
	Hint   []string // commands or addresses that help
}

// LoadingModel is what a session's page shows while its file is read.
type LoadingModel struct {
	Session SessionModel // what the catalog knows about it
	Text    string       // "Reading 106 MB"
}
