// Package components holds the pages and their parts as templ components with
// typed view models. A model says what is shown, already formatted where
// formatting needs knowledge of sessions; components decide how it looks. They
// know no session types and read nothing.
package components

// Page is what every page needs.
type Page struct {
	Title  string
	Static string // URL prefix of static files: "/static/<hash>"
	Theme  string // "light", "dark", "" = the reader's system
	Live   string // URL of the socket, "" on pages without one
	Epoch  string // server start, so that a page notices another server
}

// SessionsModel is the index of all sessions.
type SessionsModel struct {
	Page
	Rev         string // revision of the list, which the socket goes on from
	Groups      []FolderGroup
	Total       int // sessions known
	Shown       int // sessions after filters
	Chips       []Chip
	Sorts       []Chip // "Last activity", "Cost", "Messages", "Name"
	Query       string
	Complete    bool
	Progress    string   // "412 of 1,001 files read", "" when complete
	SessionDirs []string // where sessions are looked for
	Warning     string   // what keeps the list from being right, "" nothing
	Unreadable  []UnreadableFile
	More        *Link // to a page with further rows, nil when all are here
}

// Chip is a filter or sort choice; Href switches it.
type Chip struct {
	Name, Text, Href string
	Count            int // -1: none shown
	On               bool
	Icon             string // "live", "branch", "label", "" none
	Group            string // chips of another group stand after a separator
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

// FoldedRows are sessions that one line stands for; without Text there are none.
type FoldedRows struct {
	Text string // "2 sessions without messages"
	Rows []SessionRow
	Open bool
}

// SessionRow is one session in the index.
type SessionRow struct {
	Key, Href       string
	Title, Subtitle string // name, or first prompt; first prompt when there is a name
	Format          string // "pi", "omp": CSS class suffix
	FormatTitle     string
	FormatGlyph     string // "π"
	Model           string
	Cost            string
	Messages, Forks int
	Agents          int
	Labels          int
	Notes           int
	Damage          string // one of the notes: what the explorer keeps cannot be read
	Live            bool
	Active          Time
	Shape           []ShapePath
	ForkedFrom      string // href of the parent session, "" none
}

// ShapePath is one SVG path of the tree in small, in a 90 by 30 box.
type ShapePath struct {
	D     string
	Class string // "s" spine, "b" branch
	EndX  int    // where a dot stands, spine only
	EndY  int
}

// Time is a moment to show. The browser writes it in the reader's own zone and
// relative where asked; without script the text stands.
type Time struct {
	ISO  string // RFC 3339 UTC, "" = unknown
	Text string // server's rendering with zone: "2026-02-03 09:00 UTC"
}

// SessionModel is one session's page.
type SessionModel struct {
	Page
	Key          string
	Rev          string
	Name         string // title: name, or first prompt, or id
	SetName      string // the name alone, "" when it has none
	Project      string // last element of the cwd
	Cwd          string
	File         string // path of the file, home as ~
	Format       string
	Live         bool
	View         ViewState
	Rows         RowsModel
	Path         PathModel
	Facts        Facts
	Banners      []Banner
	Capabilities CapabilitiesModel
	Notes        []NoteModel
	BadLines     int    // lines of the file that could not be read; Notes has them
	Filters      []Chip // the five, in order
	Layouts      []Chip // spine, outline
	LeafHref     string // reset to leaf
	TreeHref     string // shows the whole tree
	Ticks        []Tick
	Parent       *Link // the session this one was forked from
	Resume       string
	Snapshot     *SnapshotHeader // set for readers, who can change nothing
	PlainRows    bool            // small enough to be used without script: all rows are in the page
}

// Link is a named URL.
type Link struct{ Text, Href string }

// ViewState is the view as the URL says it, for the browser to build further
// URLs from. AtLeaf: the viewed path is the path to the leaf.
type ViewState struct {
	Base   string // "/sessions/<key>"
	Entry  string // "" = none given: the leaf
	Leaf   string // end of the viewed path
	Filter string
	Query  string
	Layout string
	Root   string // head of the branch that is focused, "" none
	Open   string // ids, comma separated; "-" before an id closes
	AtLeaf bool
	// SessionLeaf is where the agent stands.
	SessionLeaf string
}

// Facts is the bar above the path and the foot of the tree.
type Facts struct {
	PathEntries string // "412"
	Tokens      string // "118k", "" unknown
	Cost        string // of the path, "$4.21", "" none
	TotalCost   string // of the whole session
	Model       string
	Thinking    string
	Visible     string // rows' entries: "752"
	Entries     string // "1,050"
	Branches    int
	Agents      int
	Labels      int
	Hits        int // entries that match the query; -1 without one
}

// Banner is a notice above the path.
type Banner struct {
	Kind         string // "info", "warn", "err"
	Text         string
	Strong       string // leading words in bold
	Action       *Link
	Change       *Link // a dialog that mends it
	RefetchAfter int   // seconds after which there may be something else to say, 0 none
}

// NoteModel is one line of the notes list.
type NoteModel struct {
	Code, Text string
	Line       int
	Href       string // to the entry, "" none
	RawHref    string // the recorded line, "" none
}

// Tick is a mark on the ruler: Y in thousandths of the path.
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
	Total int // rows in all
	Rows  []RowModel
	// Selected is the index of the selected row, -1 none; Focus the row that is
	// the one tab stop.
	Selected int
	Focus    int
	Hits     []int // indexes of rows that match, when there is a query (at most 1,000)
	// Empty says why there are no rows and offers one way out.
	Empty     string
	EmptyLink *Link
	// From is set on a delta: rows before it are as they were, Rows replace what
	// is from there on.
	From int
}

// RowModel is one row of the tree.
type RowModel struct {
	ID       string // DOM id, unique on the page: "r-<entry>", stubs "b-<head>", ...
	Entry    string // entry id the row leads to
	Index    int
	Class    string // "user", "asst", "tool", "stub", "pack", "sum", "note", "fold", "shell", "mark", "head"
	Thread   string // "agent", "session": what begins here, "" nothing
	Href     string // views the entry
	Toggle   string // stubs, folds and foldable rows: href that opens or closes
	Focus    string // stubs too deep for a lane of their own: href that begins the rows with the branch
	Expanded int    // -1 not expandable, 0 closed, 1 open
	Level    int
	Set, Nth int
	Up       int // index of the row that Left goes to, -1 none

	Selected, OnPath, Current bool // Current: end of the viewed path
	Leaf                      bool // carries the leaf tag
	Hit                       bool
	Rule                      bool   // a rule above: further root
	Warn                      string // warning glyph with this title: "Parent abc is not in the file"

	Lanes []LaneCell
	Node  string // "user", "asst", "tool", "pack", "sum", "note", "leaf", "tog", "" none
	More  int    // number shown in the shared cell of lanes 4 and up; 0 none

	Tool string // tool name in mono before the text
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
	Count          int    // stub: entries; fold: lines; 0 none
	Age            Time   // stub: newest entry
}

// LaneCell is one lane of a row: classes of app.css (".ln").
type LaneCell struct {
	Color string // "p" viewed path, "s" spine, "b" other branch
	Shape string // "" through, "start", "end", "elbow", "elbow start", "elbow none", "none"
}

// Span is a piece of text; Mark highlights a search hit.
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
	More     string // href of the page before, "" at the start
	After    string // href of the page after, "" at the end
	Anchor   string // entry after which a growing path is asked for again: what stands above it can no longer change
	AtEnd    bool
	AtLeaf   bool
	Skipped  int // entries before the first item of this page
	Left     int // entries after the last item
	Selected string
}

// ItemModel is one item of the path: an entry, or the switcher before one.
type ItemModel struct {
	Kind   string // "user", "asst", "tools", "fork", "pack", "sum", "note", "system", "custom", "shell", "message", "join", "leaf", "end"
	ID     string // DOM id "e-<entry>"
	Entry  string
	Href   string // deep link
	Raw    string // href of the recorded line
	Change string // address of the session, below which changes of the entry are asked for; "" offers none
	Time   Time
	Label  string
	Who    string // "You", "System", custom type, role
	Target bool   // the viewed entry

	Blocks []BlockModel
	Tools  []ToolModel // Kind "tools"
	Switch *SwitchModel
	Title  string     // pack, sum, note: the line
	Detail string     // small text after it
	Icon   string     // note: "model", "thinking", "name", "label", "usage", "edit", "reset", "event", "warn"
	Also   []NotePart // note: the changes of the entries after it, on the same line. asst: the entries before it of the same reply. shell: what it printed
	Folded bool       // shown closed: system prompts, hidden custom messages
	Error  string     // failed or aborted answer
	Edited string     // "left out of the context from here on", "replaced in the context". join: "continues from"
	Edit   *Link      // to the entry that did it. join: the other side
	Pairs  []Pair     // further facts
}

// NotePart is what an entry adds to the line of a note above it.
type NotePart struct {
	Entry, Title, Detail string
}

// Pair is a named value.
type Pair struct{ Name, Value string }

// BlockModel is a piece of content.
type BlockModel struct {
	// "md", "text", "thinking", "aside", "image", "json", "out", "file", "todos",
	// "error"; "rest" stands for blocks that are left out.
	Kind string
	HTML string // md: sanitised HTML. out with colours: sanitised HTML of classes only. Else ""
	Text string
	// Cut: more than is shown; More fetches the whole.
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

// Todo is one line of an agent's list of what is to be done.
type Todo struct {
	Text  string
	State string // "done", "doing", "open"
}

// ToolModel is one tool call with its result, a one-line card that opens.
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
	Blocks   []BlockModel // arguments worth showing, then the result
	Diff     []DiffLine
	DiffLeft string // "Show 49 more changed lines"
	More     string // href of the whole
	Label    string
	Raw      string // href of the result's recorded line
	RawCall  string
}

// DiffLine is one line of a diff.
type DiffLine struct {
	Class    string // "", "add", "del", "hunk"
	Old, New string
	Sign     string
	HTML     string // highlighted, sanitised; "" = Text
	Text     string
}

// SwitchModel is the branch switcher.
type SwitchModel struct {
	At, Of     int    // 1-based
	Prev, Next string // hrefs, "" at the ends
	NextText   string // first prompt of the next branch
	NextCount  string // "6 entries"
	Head       string // entry id of this branch's head
}

// EntryModel is one entry in full, by itself.
type EntryModel struct {
	Page
	Back Link
	Item ItemModel
	Part string // "item" (the li), "block" (one block), "rest", "page"
	// Block is set when one block was asked for.
	Block *BlockModel
	// Rest is set when the blocks were asked for that a page leaves out.
	Rest []BlockModel
	// Raw is the recorded line, pretty-printed, when asked for as a page.
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
	Hint   []string // commands or ways to get in
}
