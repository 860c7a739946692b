// Package components contains the pages and their parts as templ components with typed view
// models. A model holds what is shown, already formatted if that needs knowledge of
// sessions; components define the markup. They use no session types and read no files.
package components

// Page is the common model of all pages.
type Page struct {
	Title  string
	Static string // URL prefix of static files: "/static/<hash>"
	Theme  string // "light", "dark", "" = as the browser prefers
	Live   string // URL of the socket, "" on pages without one
	Epoch  string // identifies the run of the server
}

// SessionsModel is the list of all sessions.
type SessionsModel struct {
	Page
	Rev         string // revision of the list
	Groups      []FolderGroup
	Total       int // number of known sessions
	Shown       int // number of sessions that pass the filters
	Chips       []Chip
	Sorts       []Chip // "Last activity", "Cost", "Messages", "Name"
	Query       string
	Complete    bool
	Progress    string   // "412 of 1,001 files read", "" when complete
	SessionDirs []string // directories searched for sessions
	Warning     string   // why the list may be outdated, or ""
	Unreadable  []UnreadableFile
	More        *Link // to a page with further rows, nil if all are shown
}

// Chip is a filter or sort choice. Href toggles it.
type Chip struct {
	Name, Text, Href string
	Count            int // -1 = not shown
	On               bool
	Icon             string // "live", "branch", "label", "" none
	Group            string // chips of different groups are separated
}

// UnreadableFile is a file that could not be listed.
type UnreadableFile struct{ Path, Reason string }

// FolderGroup is the sessions of one working directory.
type FolderGroup struct {
	Name, Cwd string // "pi-mono", "~/workspaces/pi-mono"
	Sessions  int
	Cost      string // "$412.80", "" none
	Rows      []SessionRow
	Folded    FoldedRows // at the end of the group
}

// FoldedRows are sessions folded into one line. There are none if Text is "".
type FoldedRows struct {
	Text string // "2 sessions without messages"
	Rows []SessionRow
	Open bool
}

// SessionRow is a session in the list.
type SessionRow struct {
	Key, Href       string
	Title, Subtitle string // name, or first prompt; first prompt if there is a name
	Format          string // "pi", "omp": CSS class suffix
	FormatTitle     string
	FormatGlyph     string // "π"
	Model           string
	Cost            string
	Messages, Forks int
	Agents          int
	Labels          int
	Notes           int
	Live            bool
	Active          Time
	Shape           []ShapePath
	ForkedFrom      string // href of the parent session, "" none
}

// ShapePath is an SVG path of the small tree, in a 90 by 30 box.
type ShapePath struct {
	D     string
	Class string // "s" spine, "b" branch
	EndX  int    // position of the dot, spine only
	EndY  int
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
	Parent       *Link // the session that this one was forked from
	Resume       string
	Snapshot     *SnapshotHeader // set for viewers of a share or an export, who cannot change anything
	PlainRows    bool            // few enough rows to work without script: the page has all of them
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
	Cost        string // of the path, "$4.21", "" none
	TotalCost   string // of the whole session
	Model       string
	Thinking    string
	Visible     string // number of entries in the rows: "752"
	Entries     string // "1,050"
	Branches    int
	Agents      int
	Labels      int
	Hits        int // number of entries that match the query; -1 without one
}

// Banner is a notice above the path.
type Banner struct {
	Kind         string // "info", "warn", "err"
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
	Class string // "u" prompt, "f" fork, "l" label, "p" compaction
	Href  string
	Title string
	Time  Time // of a compaction
}

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
	Class    string // "user", "asst", "tool", "stub", "pack", "sum", "note", "fold", "shell", "mark", "head"
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
	Rule                      bool   // has a rule above: a further root
	Warn                      string // title of the warning icon: "Parent abc is not in the file"

	Lanes []LaneCell
	Node  string // "user", "asst", "tool", "pack", "sum", "note", "leaf", "tog", "" none
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
}

// LaneCell is one lane of a row: classes of app.css (".ln").
type LaneCell struct {
	Color string // "p" viewed path, "s" spine, "b" other branch
	Shape string // "" through, "start", "end", "elbow", "elbow start", "elbow none", "none"
}

// Span is a piece of text. Mark highlights a search hit.
type Span struct {
	Text string
	Mark bool
}

// PathModel is a page of the path.
type PathModel struct {
	Rev      string
	Items    []ItemModel
	Total    int    // entries on the path
	First    string // id of the first and last entry on this page
	Last     string
	More     string // href of the previous page, "" at the start
	After    string // href of the next page, "" at the end
	Anchor   string // entry after which a growing path is requested again: nothing above it can change
	AtEnd    bool
	AtLeaf   bool
	Skipped  int // entries before the first item of this page
	Left     int // entries after the last item
	Selected string
}

// ItemModel is an item of the path: an entry, or the switcher before one.
type ItemModel struct {
	Kind   string // "user", "asst", "tools", "fork", "pack", "sum", "note", "system", "custom", "shell", "message", "join", "leaf", "end"
	ID     string // DOM id "e-<entry>"
	Entry  string
	Href   string // deep link
	Raw    string // href of the raw line
	Change string // address below which changes of the entry are requested; "" = no changes
	Time   Time
	Label  string
	Who    string // "You", "System", custom type, role
	Target bool   // the viewed entry

	Blocks []BlockModel
	Tools  []ToolModel // Kind "tools"
	Switch *SwitchModel
	Title  string     // pack, sum, note: text of the line
	Detail string     // small text after it
	Icon   string     // note: "model", "thinking", "name", "label", "usage", "edit", "reset", "event", "warn"
	Also   []NotePart // note: notes merged into the line. asst: earlier entries of the same reply. shell: the entry with the output
	Folded bool       // closed by default: system prompts, hidden custom messages
	Error  string     // failed or aborted answer
	Edited string     // "left out of the context from here on", "replaced in the context". join: "continues from"
	Edit   *Link      // link to the entry that edits it. join: link to the other thread
	Pairs  []Pair     // further facts
}

// NotePart is a note merged into the line of the note above it.
type NotePart struct {
	Entry, Title, Detail string
}

// Pair is a named value.
type Pair struct{ Name, Value string }

// BlockModel is a piece of content.
type BlockModel struct {
	// "md", "text", "thinking", "aside", "image", "json", "out", "file", "todos", "error";
	// "rest" is a placeholder for blocks that are left out.
	Kind string
	HTML string // md: sanitized HTML. out with colors: sanitized HTML with classes only. Else ""
	Text string
	// Cut is set if the content is truncated; More is the address of the complete block.
	Cut   bool
	More  string
	Left  string // "Show 49 more lines"
	Name  string // file path, MIME type
	Src   string // image URL
	Alt   string
	Short string // thinking, aside: first words
	Todos []Todo
	W, H  int
}

// Todo is an item of an agent's todo list.
type Todo struct {
	Text  string
	State string // "done", "doing", "open"
}

// ToolModel is a tool call with its result, as a line that opens.
type ToolModel struct {
	ID       string // DOM id
	Entry    string // the assistant entry
	Result   string // the result's entry id, "" none
	Name     string
	Icon     string // "bash", "read", "edit", "write", "search", "agent", "web", "todo", "plan", "ask", "script", "tool"
	Arg      string
	ArgNote  string // "424–444"
	Meta     string // "20 lines", "0.2s"
	Status   string // "exit 1", "running", "no result"
	Err      bool
	Open     bool
	Running  bool
	Added    int
	Removed  int
	Blocks   []BlockModel // request, then result
	Diff     []DiffLine
	DiffLeft string // "Show 49 more changed lines"
	More     string // href of the complete call
	Label    string
	Raw      string // href of the result's raw line
	RawCall  string
}

// DiffLine is a line of a diff.
type DiffLine struct {
	Class    string // "", "add", "del", "hunk"
	Old, New string
	Sign     string
	HTML     string // highlighted, sanitized; "" = use Text
	Text     string
}

// SwitchModel is the branch switcher.
type SwitchModel struct {
	At, Of     int    // 1-based
	Prev, Next string // hrefs, "" at the ends
	NextText   string // first prompt of the next branch
	NextCount  string // "6 entries"
	Head       string // entry id of the branch's head
}

// EntryModel is one entry in full.
type EntryModel struct {
	Page
	Back Link
	Item ItemModel
	Part string // "item" (the li), "block" (one block), "rest", "page"
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
