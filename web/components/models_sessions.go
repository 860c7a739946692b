package components

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
	Damage          string // one of the notes: data of the explorer that cannot be read
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
