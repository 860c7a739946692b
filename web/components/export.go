package components

// ExportMenu is what a session or a part of it can be exported as.
type ExportMenu struct {
	Page
	Back   Link
	Quote  *Quote
	Groups []ExportGroup
	Copy   string // address of the path as Markdown, to copy
}

// ExportGroup is one part of a session.
type ExportGroup struct {
	Title string // "This path, 412 entries"
	Items []ExportItem
}

// ExportItem opens the dialog of one export.
type ExportItem struct{ Text, Hint, Icon, Href string }

// ExportModel is the dialog before a download: what is found in the part that
// should not be told, and what of it is replaced.
type ExportModel struct {
	Page
	Back    Link
	Title   string
	Post    string // address that answers the file
	Hidden  []Pair
	Quote   *Quote
	Scope   string
	Reason  string // why it cannot be exported, "" when it can
	Include []IncludeOption
	Classes []FindingClass
	Found   []FindingModel
	More    string // what is not listed
	Omitted string // what the file will not have
}

// FindingClass is a class of findings, which is replaced when it is on.
type FindingClass struct {
	Name, Text string
	Count      string
	On         bool
}

// FindingModel is a value that was found, which is replaced when it is on.
type FindingModel struct {
	Kind    string
	ValueID string // names it in the form
	Excerpt string // enough to know it by
	Place   Link   // the first
	Count   string // "214 places", "" one
	On      bool
}
