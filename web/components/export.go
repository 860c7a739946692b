package components

// ExportMenu lists the exports of a session or a part of it.
type ExportMenu struct {
	Page
	Back   Link
	Quote  *Quote
	Groups []ExportGroup
	Copy   string // address of the path as Markdown, for copying
}

// ExportGroup is a part of a session with its exports.
type ExportGroup struct {
	Title string // "This path, 412 entries"
	Items []ExportItem
}

// ExportItem links to the dialog of an export.
type ExportItem struct{ Text, Hint, Icon, Href string }

// ExportModel is the dialog before a download: the sensitive values found in the part, and
// which of them are redacted.
type ExportModel struct {
	Page
	Back    Link
	Title   string
	Post    string // address of the file
	Hidden  []Pair
	Quote   *Quote
	Scope   string
	Reason  string // why it cannot be exported, or ""
	Include []IncludeOption
	Classes []FindingClass
	Found   []FindingModel
	More    string // what is not listed
	Omitted string // what the file will not contain
}

// FindingClass is a class of findings. It is redacted if On is set.
type FindingClass struct {
	Name, Text string
	Count      string
	On         bool
}

// FindingModel is a sensitive value that was found. It is redacted if On is set.
type FindingModel struct {
	Kind    string
	ValueID string // identifies it in the form
	Excerpt string // enough to recognize it
	Place   Link   // first occurrence
	Count   string // "214 places", "" = one
	On      bool
}
