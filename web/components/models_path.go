package components

// PathModel is a page of the path.
type PathModel struct {
	Rev      string
	Items    []Item
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

// BlockModel is a piece of content.
type BlockModel struct {
	// "md", "text", "thinking", "aside", "image", "json", "out", "file", "todos", "pairs",
	// "questions", "links", "reply", "error";
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

	Pairs     []Pair          // pairs: the arguments of a call
	Questions []AskedQuestion // questions
	Links     []FoundPage     // links: what a search of the web found
	Time      Time            // reply: when the user did what Name says, for the reason Text
}

// RejectedReply is the Name of a reply that refuses a call.
const RejectedReply = "Rejected"

// FoundPage is a page that a search of the web found.
type FoundPage struct {
	Title, Host string
	Href        string // "" unless it is a safe address
}

// AskedQuestion is a question of an agent, with what the user answered.
type AskedQuestion struct {
	Text    string
	Options []AskedOption
	Chosen  string // labels of the chosen options, "" none
	Added   string // the user's own words, "" none
}

// AskedOption is an answer that an agent offered.
type AskedOption struct {
	Label, Detail string
	Chosen        bool
}

// Todo is an item of an agent's todo list.
type Todo struct {
	Text  string
	State string // "done", "doing", "open", "dropped"
	Group string // heading of the part of the list that begins with the item, ""
}

// ToolModel is a tool call with its result, as a line that opens.
type ToolModel struct {
	ID       string // DOM id
	Entry    string // the assistant entry
	Result   string // the result's entry id, "" none
	Name     string
	Server   string // that offers the tool, "" the agent itself
	Icon     string // "bash", "read", "edit", "write", "search", "agent", "web", "todo", "plan", "ask", "script", "skill", "code", "tool"
	Arg      string
	ArgNote  string // "424–444"
	Meta     string // "20 lines", "0.2s"
	Status   string // "exit 1", "running", "no result"
	Err      bool
	Open     bool
	Running  bool
	Since    Elapsed // of a running call
	Added    int
	Removed  int
	Blocks   []BlockModel // request, then result
	Diff     []DiffLine
	DiffLeft string // "Show 49 more changed lines"
	More     string // href of the complete call
	Label    string
	Raw      string // href of the result's raw line
	RawCall  string
	Text     string // href of the output's text
	History  string // address of the edits of the changed file in all sessions, "" none
	Cost     string // of the answer that called it, if it has no item of its own
}

// DiffLine is a line of a diff.
type DiffLine struct {
	Class    string // "", "added", "removed", "hunk"
	Old, New string
	Sign     string
	HTML     string // highlighted, sanitized; "" = use Text
	Text     string
}
