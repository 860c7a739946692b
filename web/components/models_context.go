package components

// ContextModel is what a model was sent before an answer.
type ContextModel struct {
	Page
	Name      string // of the session
	Back      string // views the answer in its session
	Entry     string // id of the answer, "" if there is none yet
	Number    string // of its entry: "1,049"
	Time      Time
	Panel     string // address of the page
	Request   string // address of the recorded request, "" none
	Total     string // tokens: "118,204"
	Window    string // "200,000", "" unknown
	Recorded  bool   // the file holds the request
	Uncounted bool   // the file holds no number of tokens
	Parts     []ContextPart
	Free      *ContextPart // nil = unknown
	Change    *ContextChange
	Shown     string       // name of the part that is listed, "new", "" = everything
	All       string       // lists everything
	Before    []ContextRow // the system prompt and the tools
	LeftOut   *ContextLeftOut
	Messages  string // "139 in order"
	Sent      string // JSON list of the ids of the entries that are sent, "" = too many
	Rows      []ContextRow
	Removed   []ContextRow
	Previous  string // shows the request before this one, "" none
	Next      string
}

// ContextPart is a part of a context.
type ContextPart struct {
	Name   string // stable
	Text   string
	Count  string // of messages, "" none
	Tokens string
	Share  string // of the window, or else of the total: "7 %"
	Width  string // of its bar in the view box: "71"
	X      string // where its bar starts
	Href   string // lists the part alone, "" for what has no messages
}

// ContextChange is the difference to the previous request.
type ContextChange struct {
	Messages string // "+5"
	Tokens   string // "+1,615", "" unknown
	Cache    string // "116,589 read, 1,615 written", "" none
	OnlyNew  string // lists the new messages alone
}

// ContextLeftOut is what a compaction or a reset left out.
type ContextLeftOut struct {
	Title string // "Left out by a reset"
	Text  string // "610 entries, 101k tokens"
	Href  string // views the first of them
	Rows  []ContextRow
	More  string // "608 more entries, up to entry 610", "" none
}

// ContextRow is a message, or a group of messages that are not listed.
type ContextRow struct {
	Part   string // name of its part
	Icon   string
	Tool   string // in monospace before the text
	Text   string
	Note   string // "kept", "result cleared, was 18,400"
	Number string // of its entry
	Href   string // views its entry, "" unknown
	Tokens string
	New    bool
	Body   string // text that the row opens, "" none
	More   string // "128 more messages": not a message
	All    string // lists them, "" not possible
}
