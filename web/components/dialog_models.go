package components

// Dialog is the common model of all dialogs that change a session. The script shows it over
// the page; without script it is a page with the same form.
type Dialog struct {
	Page
	Action      string // last part of the address of the form: "branch"
	Title       string
	Post        string // address
	Back        Link   // the session, or the entry it is about
	Hidden      []Pair // fields that the form sends back unchanged
	Quote       *Quote
	Effects     []string // what will happen, one sentence each
	Reason      string   // why it is not possible, or ""
	InSidecar   bool     // saved in the sidecar, because the file cannot hold it
	OnHub       bool     // the sidecar is that of a hub
	Alert       *Alert   // result of the last attempt
	Prompt      *Prompt
	Lines       *LinesModel
	Unchanged   string // text on what stays unchanged
	Submit      string // text of the button
	Alternative *Link  // link to an alternative
	// Summary asks for a summary of the abandoned branch; nil offers none. Label asks for a
	// label.
	Summary *SummaryModel
	Label   *LabelField
	Name    *NameField
}

// Quote is the entry that a dialog is about.
type Quote struct {
	Text string
	Time Time
}

// Alert reports that the last attempt wrote nothing.
type Alert struct {
	Kind         string // "warn", "error"
	Strong, Text string
	Resubmit     string // text of the button that submits the form again, "" = no button
}

// Prompt is the prompt to send next and the command that resumes the agent.
type Prompt struct {
	Text   string
	Note   string
	Resume string // command, "" if unknown
}

// LinesModel is a preview of the lines to append.
type LinesModel struct {
	Title   string   // "2 lines will be added to d703a1a9….jsonl"
	Lines   []string // as they would be appended
	Head    string   // replacement of the first line, "" = none
	Preview string   // address of the preview for the current form
	Open    bool
}

// SummaryModel asks for a summary of the abandoned branch.
type SummaryModel struct {
	Choice       string // "none", "write", "generate"
	Text         string
	Abandoned    string // "the 338 entries you leave"
	Instructions string
	Replace      bool
	NoWrite      string // why a summary makes no sense here, or ""
	NoGenerate   string // why none can be generated, or ""
}

// LabelField is the input for a label, with the labels in use.
type LabelField struct {
	Value       string
	Placeholder string
	Existing    []string
	CanRemove   bool // there is a label to remove
}

// NameField is the input for the session's name.
type NameField struct{ Value, Placeholder string }

// ChangeResultModel describes the result of a change.
type ChangeResultModel struct {
	Text   string // "Labeled"
	Strong string // "live reload"
	More   string // a further sentence
	Go     string // href to view next, "" = stay
	Link   *Link
	Copies []CopyModel
	Undo   *UndoModel
}

// CopyModel is a button that copies a text.
type CopyModel struct{ Text, Value, Done string }

// UndoModel is the change that undoes another one.
type UndoModel struct {
	Post   string
	Fields []Pair
}

// ActionsModel lists the actions for an entry.
type ActionsModel struct {
	Page
	Back  Link
	Quote *Quote
	Items []ActionModel
}

// ActionModel is an action. Reason is why it is not available, or "".
type ActionModel struct {
	Text, Icon, Href string
	Action           string // dialog that it opens; "" = a plain link
	Keys             []string
	Reason           string
	Copy             string // text that is copied instead of opening Href
	HidesReason      bool   // the action above it shows the same reason
}

// CapabilitiesModel holds for each kind of change why the session does not allow it, or "".
type CapabilitiesModel struct {
	Label, Name, Branch, Copy, Fork, Migrate string
	OldVersion                               bool // file of an older version, which Migrate rewrites
}
