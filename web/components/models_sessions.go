package components

// SessionsModel is the list of all sessions.
type SessionsModel struct {
	Page
	Rev         string // revision of the list
	ByDate      bool   // sessions are grouped by date, else by project
	Groups      []SessionGroup
	Total       int // number of known sessions
	Shown       int // number of sessions that pass the filters
	Chips       []Chip
	Sorts       []Chip // "Last activity", "Cost", "Messages", "Name"; none by date
	Views       []Chip // "By date", "By project"
	Dates       DateMenu
	Query       string
	Fields      []Pair // parameters that the search form keeps
	Back        string // address of this list
	Complete    bool
	Progress    string   // "412 of 1,001 files read", "" when complete
	SessionDirs []string // directories searched for sessions
	Warning     string   // why the list may be outdated, or ""
	Unreadable  []UnreadableFile
	More        *Link        // to a page with further rows, nil if all are shown
	Empty       *EmptyList   // nil if there are rows
	Keep        *KeepSummary // nil without a state directory
	NextDay     string       // when the groups by date change, RFC 3339
}

// DateMenu is the filter by date.
type DateMenu struct {
	Text     string // the choice that is on
	Choices  []Chip
	From, To string // dates in the fields, "2026-11-22"
	Zone     string // of the dates: "CET"
	Fields   []Pair // the other parameters of the list
}

// EmptyList says why no session is shown, and what to do.
type EmptyList struct {
	Title, Text  string // Text is "" if no single filter is the reason
	Total        int    // number of hidden sessions
	Action, Href string // "Remove Labeled"
}

// Chip is a filter or sort choice. Href toggles it.
type Chip struct {
	Name, Text, Href string
	Count            int // -1 = not shown
	On               bool
	Icon             string // "live", "branch", "label", "" none
	Group            string // chips of different groups are separated; those of "more" are in a menu
}

// UnreadableFile is a file that could not be listed.
type UnreadableFile struct{ Path, Reason string }

// SessionGroup is the sessions of one working directory or period.
type SessionGroup struct {
	ID           string // differs from those of other groups
	Name, Detail string // "pi-mono", "~/workspaces/pi-mono"; "Today", "Sunday, 22 November"
	IsProject    bool
	Sessions     int
	Cost         string // "$412.80", "" none
	Rows         []SessionRow
	Folded       FoldedRows // at the end of the group
}

// FoldedRows are sessions folded into one line. There are none if Text is "".
type FoldedRows struct {
	Text string // "4 empty and 9 agent-only sessions"
	Rows []SessionRow
	Open bool
	// Hidden is the number of further sessions without a row.
	Hidden int
}

// SessionRow is a session in the list.
type SessionRow struct {
	Key, Href       string
	Title, Subtitle string // name, or first prompt; first prompt if there is a name
	Format          string // "pi", "omp": CSS class suffix
	FormatTitle     string
	FormatGlyph     string // "π"
	Model, Project  string // Model and Messages only by project, Project only by date
	Cost            string
	Messages, Forks int
	Agents          int
	Labels          int
	Notes           int
	Damage          string // one of the notes: data of the explorer that cannot be read
	Live            bool
	Large           bool // opening it takes time
	Starred, Unread bool // Unread: messages were added after the last visit
	Active          Time
	ActiveText      string // "14:02", "Fri"; "" by project, where it is an age
	Shape           []ShapePath
	Running         bool
	Waiting         bool // for its user
	Files           int  // changed, with the lines Added and Removed
	Added, Removed  int
	ForkedFrom      Link // to the session it was forked from; "" none
	Deleted         bool // the file was deleted; the session is read from a copy
	CanRestore      bool
	DeletedSoon     string // "Deleted by Claude Code in 4 days", or ""
	ForkedTo        int    // number of sessions that were forked from it
}

// ShapePath is an SVG path of the small tree, in a 92 by 22 box.
type ShapePath struct {
	D     string
	Class string  // "s" spine, "b" branch
	EndX  float64 // position of the dot, spine only
	EndY  float64
}
