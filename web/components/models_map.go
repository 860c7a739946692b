package components

// MapModel is the page with the map of a session.
type MapModel struct {
	Page
	Part    string // "" for the page, body, panel or branch
	Key     string
	Rev     string
	Base    string // URL of the session
	Name    string // of the session
	Project string
	Live    bool
	Facts   []string // of the whole session
	Axes    []Chip
	ZoomIn  string // URL, "" at the largest zoom
	ZoomOut string // URL, "" at the smallest
	Fit     string
	Picture MapPicture
	Picked  *MapBranchDetails // nil: no branch is picked
	Panel   *MapPanel         // for the part panel, instead of all but Rev
}

// MapPicture is the picture of a session. Places are SVG coordinates.
type MapPicture struct {
	Width, Height string
	ViewBox       string
	Scrolls       bool   // it is as wide as Width, else as its place
	Summary       string // for screen readers
	Bottom        string // y of its lower edge
	Ticks         []MapText
	Pauses        []MapPause
	Context       MapContext
	Flags         []MapText
	Bars          []MapBar
	Lines         []MapLine
}

// MapText is a text at a place, with a link if Href is set.
type MapText struct {
	X, Y, Text string
	LineY      string // the other end of its line
	Href       string
}

// MapPause is a folded pause.
type MapPause struct{ X, Width, Middle, Text string }

// MapContext is the number of tokens in the context over the axis; Line is "" if it is unknown.
type MapContext struct{ Line, Area, X, Y, Text string }

// MapBar is a number of tool calls.
type MapBar struct {
	X, Y, Height string
	Failed       bool
	Small        MapSmallBar
}

// MapSmallBar is a MapBar in the overview.
type MapSmallBar struct{ Y, Height string }

// MapLine is a branch.
type MapLine struct {
	Class    string // path, branch, agent or merged
	Path     string // d of its line
	Viewed   string // d of the part on the viewed path, "" if there is none
	Small    string // d of its line in the overview
	Href     string // picks it; of merged branches, zooms in
	ID       string // of its first entry, "" of the path to the leaf and of merged branches
	Picked   bool
	Name     string // for screen readers
	Title    string
	Count    string // number of entries
	TitleX   string
	TitleY   string
	EndX     string
	Y        string
	Dots     []MapDot
	Failures []MapText
	Glyphs   []MapText // compactions
}

// MapDot is a prompt on a line.
type MapDot struct{ X, Href, Title string }

// MapBranchDetails is the picked branch.
type MapBranchDetails struct {
	Title   string
	Agent   bool
	From    string // what it branches off after, "" if nothing
	When    Time
	Facts   []NamedValue
	Open    string // URL
	Compare string // URL, "" if it is on the viewed path
	Close   string // URL of the map without it
	Rows    []MapEntry
	More    string // "and 12 more entries"
}

// NamedValue is a value with its name. Bad values are shown in red.
type NamedValue struct {
	Name, Value string
	Bad         bool
}

// MapEntry is an entry of the picked branch.
type MapEntry struct {
	Kind   string // user, answer, tool or note
	Failed bool
	Text   string
	Href   string
	When   Time
}

// MapPanel is the map next to the path. Its axis goes from top to bottom.
type MapPanel struct {
	Height   string // px
	ViewBox  string
	Summary  string // for screen readers
	Page     string // URL of the map as a page
	Stops    string // JSON: places of entries of the viewed path
	Axes     []Chip
	Pauses   []MapPause // X and Width are along the axis
	Failures []string   // places of failed calls
	Lines    []MapPanelLine
	Labels   []MapPanelLabel
}

// MapPanelLine is a branch in the panel.
type MapPanelLine struct {
	Class   string // path, branch, agent or merged
	Path    string // d of its line
	Viewed  string // d of the part on the viewed path, "" if there is none
	X, EndY string
	Href    string // shows it in the path, "" if it cannot
	Name    string // for screen readers
	Dots    []MapDot
}

// MapPanelLabel is a text right of the lines.
type MapPanelLabel struct {
	Class       string // leaf, label, compaction, branch, agent or merged
	X, Y, FromX string
	Text, Count string
	Href        string
}
