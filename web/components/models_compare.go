package components

// CompareModel is the page that compares branches.
type CompareModel struct {
	Page      Page
	Base      string // address of the session
	Project   string
	Back      Link  // to the session
	Ancestor  *Link // the last entry of all branches; nil if they share none
	Shared    string
	At        string // "entry 214"
	Time      Time   // of Ancestor
	Names     []string
	Sides     []CompareSide
	Tab       string // "talk", "files" or "failures"
	Tabs      []Chip
	Swap      string // href of the same comparison the other way round
	Equal     string // what is the case if a side has nothing of its own
	Steps     []CompareStep
	Later     *Link // to the next steps
	Files     []CompareFile
	FileCount int    // of all files
	FileEnd   string // how the files end, such as "and 12 more files"
}

// isPair reports whether two branches are compared, in full.
func (m CompareModel) isPair() bool { return len(m.Sides) == 2 }

// CompareSide is one of the compared branches.
type CompareSide struct {
	Letter       string // "A"
	ID           string // of its last entry
	Name         string
	Href         string
	Current      bool
	Entries      string
	Time         Time
	Cells        []CompareCell // one for each of CompareModel.Names
	Summary      string        // "$1.32 and 38 calls"
	Files        string        // "4 files"
	Others       []Link        // the same comparison with another branch on this side
	More         string        // href of the list of all branches, if Others is not complete
	Failures     []ToolModel
	FailureCount int    // with the earlier ones
	Earlier      string // "12 earlier failures are not listed"
	Prompts      []Link // of a comparison of more than two
	PromptCount  int    // with the rest
	Rest         string // "and 12 more"
}

// CompareCell is a number of a branch. Share is in thousandths of the largest one.
type CompareCell struct {
	Text    string
	Lines   *LineCounts // instead of Text
	Share   int
	IsLeast bool
}

// LineCounts are numbers of changed lines.
type LineCounts struct{ Added, Removed int }

// CompareStep is a pair of prompts with what followed them.
type CompareStep struct {
	Title string // "Prompt 2"
	Word  string // "one phrase differs"
	Same  bool
	Turns []CompareTurn // one per side
}

// CompareTurn is a prompt of one side. Who is "" if the side has none.
type CompareTurn struct {
	Letter  string
	Who     string
	Time    Time
	Href    string
	Prompt  []Span // empty if the turn continues a prompt that all sides share
	Only    string // what a reader hears before a marked part: "only in A: "
	Answer  string // the start of the last answer, "" if there is no text
	Calls   string // "14 calls"
	Failed  string // "2 failed"
	Changed LineCounts
	Took    string
	First   []CompareCall
	Others  []CompareCall
	Rest    string // "120 more calls", which are in the session only

	Blocks     []BlockModel // the answer, if it is longer than the two lines that are shown folded
	AnswerHref string       // of the answer in the session, if Blocks are cut
}

// CompareCall is a tool call in one line.
type CompareCall struct {
	Icon, Name, Arg, Status, Href string

	Err     bool
	Changed LineCounts
}

// CompareFile is a file that a side changed.
type CompareFile struct {
	Dir, Name, Word string

	History string // address of the edits of the file in all sessions
	Sides   []CompareFileSide
}

// CompareFileSide is what a side changed in a file.
type CompareFileSide struct {
	Letter    string
	Touched   bool
	Unknown   bool // it cannot be told what one of the edits changed
	Changed   LineCounts
	Edits     []Link // the single edits
	EditCount int    // with those not in Edits
	Diff      ToolModel
}
