package components

// NowModel is the page of the sessions that run, wait or have just finished.
type NowModel struct {
	Page
	Rev          string     // revision of the list
	Reading      string     // progress of the reading of all sessions, "" when complete
	Counts       []NowCount // of the states that the page shows
	Waiting      int        // number of sessions that wait
	Agents       []Chip     // "All", then those with sessions
	Groups       []NowGroup
	NoSessionsOf string          // title or name of the chosen agent if it has no sessions, else ""
	Hidden       int             // sessions beyond the limit of a group
	Rules        []NowRule       // how states are decided
	Known        map[string]bool // hashes of the rows that the browser has
	At           int64           // the server's time, in ms
	NextChange   string          // when a state changes without a further line, RFC 3339; "" never
}

// NowCount is the number of sessions in a state.
type NowCount struct {
	Name, Text string // "waits", "wait for you"
	Count      int
}

// NowGroup is the sessions in one state.
type NowGroup struct {
	Name, Title, Note string // "waits", "Waits for you", "longest wait first"
	Rows              []NowRow
}

// NowRow is a session.
type NowRow struct {
	Key, Href, Title                 string
	Format, FormatTitle, FormatGlyph string
	Project                          string
	Prompt                           string
	State                            string // "waits", "working", "finished", "failed", "stopped" or "quiet"
	SubAgents                        int    // running ones, as far as the calls show
	Since                            Elapsed
	Tokens, Cost                     string
	FailedInRow                      int // how many of the last tool results are errors

	Question     string   // what the user is asked
	Options      []string // to choose from
	QuestionIcon string
	Why          string // how certain the wait is
	Call         NowCall
	MoreCalls    int // further calls without a result
	Thinking     bool
	Last         string // last line of text, or of thinking
	Error        string
}

// NowCall is a tool call that has no result.
type NowCall struct {
	Name, Arg string // Name is "" if there is no call
	Since     Elapsed
}

// Elapsed is the time since a moment. The browser counts on.
type Elapsed struct {
	Millis int64  // the moment, 0 unknown
	How    string // "clock", "words" or "ago"
	Text   string // now
}

// NowRule is how the states of one agent's sessions are decided.
type NowRule struct {
	Agent string
	Texts []string
}
