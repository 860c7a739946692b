package components

// FilesModel is the page of the files of a session.
type FilesModel struct {
	Page     Page
	Base     string // address of the session
	Project  string
	Back     Link   // to the session
	Shown    []Chip // changed files only, or all
	Dirs     []FileDir
	Rest     string       // "And 12 more files."
	Branches []FileBranch // of the listed files
	File     *FileDetails // the shown file, nil = none
}

// FileDir is a directory with files of a session.
type FileDir struct {
	Name  string
	Files []FileRow
}

// FileBranch is a branch that read or changed files. Class is "path", "branch", "other" or "agent".
type FileBranch struct{ Class, Name string }

// FileRow is a file that a session read or changed.
type FileRow struct {
	Href     string
	Kind     string // "new", "changed", "read"
	Name     string
	Branches []FileBranch
	Changed  LineCounts
	Unknown  bool // the size of its changes
	Failed   int  // failed edits
	On       bool
}

// FileDetails is what one branch of a session did to a file.
type FileDetails struct {
	Dir, Name string
	Path      string
	Counts    FileTab
	History   string // address of its edits in all sessions
	Tabs      []FileTab
	Views     []Chip // the net diff, or each edit
	Facts     string // "2 edits on this branch, 1 failed, read 3 times"
	Edits     []FileEditRow
	Rest      string // what is not listed
	Net       *ToolModel
}

// FileTab is a branch that changed a file.
type FileTab struct {
	FileBranch
	Changed LineCounts
	Unknown bool
	Href    string
	On      bool
}

// FileEditRow is a call that edited a file.
type FileEditRow struct {
	Time    Time
	Text    string
	Changed LineCounts
	Unknown bool
	Failed  string // "failed", "" for one that succeeded
	Href    string
	Entry   string // "entry 141"
	Diff    *ToolModel
}

// FileHistoryModel is the page of the edits of a file in all sessions.
type FileHistoryModel struct {
	Page    Page
	Query   string
	Project string
	Found   []FileCandidate // files whose paths end with the query; one is shown
	Near    bool            // Found only contain the query
	Rest    string
	Reading string // progress while the sessions are read for the first time
	File    *FileHistory
}

// FileCandidate is a file that a query matches.
type FileCandidate struct{ Dir, Name, Href, Sessions string }

// FileHistory is the edits of a file, and the lines that they wrote.
type FileHistory struct {
	Dir, Name string
	Path      string
	Count     string // "6 edits in 4 sessions"
	Hide      *Chip  // hides abandoned branches, nil if there are none
	Days      []FileHistoryDay
	Notes     []string
	Picked    *FileHistoryRow // with its diff
	Lines     []BlameLine
	NoLines   string // why there are none
	Earlier   *Link  // to the lines before
	Later     *Link  // to the next lines
	LineCount int    // of the whole file
	LinesPage int    // how many lines a page has at most
}

// FileHistoryDay is the edits of a day.
type FileHistoryDay struct {
	Name string
	Rows []FileHistoryRow
}

// FileHistoryRow is an edit of a file.
type FileHistoryRow struct {
	Hue     string // "1" to "6", of its session
	Name    string // of the session
	Format  string
	Glyph   string
	Agent   string
	Prompt  string
	Branch  string // title of its branch, "" on the path to the leaf
	Kind    string // "abandoned branch", "sub-agent", ""
	Changed LineCounts
	Unknown bool
	Time    Time
	Pick    string // address of the page with the diff of the edit
	Href    string // of its entry
	On      bool
	Copies  []Link // the same edit in other sessions
	Diff    *ToolModel
}

// BlameLine is a line of a file with the edit that wrote it.
type BlameLine struct {
	Number  string
	Text    string
	HTML    string // highlighted, sanitized; "" = use Text
	Hue     string // "" for a line that was not found in any recorded edit
	IsFirst bool   // of neighboring lines of the same edit
	On      bool   // it is of the picked edit
	Name    string
	Time    Time
	Pick    string
}
