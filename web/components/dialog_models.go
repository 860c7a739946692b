package components

import "net/url"

// Dialog is what all dialogs that change a session have. Script shows one over
// the page; without script it is a page of its own, with the same form.
type Dialog struct {
	Page
	Action      string // the last part of the address it is posted to: "branch"
	Title       string
	Post        string // address
	Back        Link   // the session, or the entry it is about
	Hidden      []Pair // what the server gets back as it is
	Quote       *Quote
	Effects     []string // what will happen, in sentences
	Reason      string   // why it cannot be done, "" when it can
	InSidecar   bool     // not in the file but in the explorer's own state
	Alert       *Alert   // what came of the last try
	Prompt      *Prompt
	Lines       *LinesModel
	Unchanged   string // what stays as it is
	Submit      string // the button's words
	Alternative *Link  // a neighbouring way to do it
	// Summary lets the reader say what the branch that is left found; nil offers
	// no summary. Label offers a label.
	Summary *SummaryModel
	Label   *LabelField
	Name    *NameField
}

// Quote is the entry that a dialog is about.
type Quote struct {
	Text string
	Time Time
}

// Alert tells that the last try wrote nothing.
type Alert struct {
	Kind         string // "warn", "err"
	Strong, Text string
	Resubmit     string // words of the button that tries again with what was typed, "" none
}

// Prompt is text to begin the next turn with, and how to get back to the agent.
type Prompt struct {
	Text   string
	Note   string
	Resume string // command, "" unknown
}

// LinesModel is what would be appended.
type LinesModel struct {
	Title   string   // "2 lines will be added to d703a1a9….jsonl"
	Lines   []string // as they would be appended
	Head    string   // what takes the place of the first line, "" when that stays
	Preview string   // address that answers them anew for what the form holds
	Open    bool
}

// SummaryModel is what a branch's beginning says of the one left behind.
type SummaryModel struct {
	Choice       string // "none", "write", "generate"
	Text         string
	Abandoned    string // "the 338 entries you leave"
	Instructions string
	Replace      bool
	NoWrite      string // why a summary makes no sense here, "" when it does
	NoGenerate   string // why none can be generated, "" when it can
}

// LabelField is a label to be set, beside those that exist.
type LabelField struct {
	Value       string
	Placeholder string
	Existing    []string
	CanRemove   bool // there is one that can be removed
}

// NameField is the session's name.
type NameField struct{ Value, Placeholder string }

// ChangeResultModel says what came of a change.
type ChangeResultModel struct {
	Text   string // "Labeled"
	Strong string // "live reload"
	More   string // a sentence after it
	Go     string // href to view, "" stays
	Link   *Link
	Copies []CopyModel
	Undo   *UndoModel
}

// CopyModel is a button that copies a text.
type CopyModel struct{ Text, Value, Done string }

// UndoModel is the change that takes another one back.
type UndoModel struct {
	Post   string
	Fields []Pair
}

// BranchesModel lists the tips of a session.
type BranchesModel struct {
	Page
	Back   Link
	Tips   []TipModel
	Reason string // why the leaf cannot be moved, "" when it can
	Pop    *Link  // back to the previous prompt
	More   string // "and 12 more branches"
}

// TipModel is a tip of the tree: the end of a branch.
type TipModel struct {
	Text    string // first prompt of the branch
	End     string // what the branch ends on
	Entries string // "14 entries"
	Age     Time
	Fork    *Link // the entry it leaves the path at
	Href    string
	Switch  string // address of the dialog that makes it current, "" when that cannot be done
	Current bool   // the agent stands here
	Label   string
}

// ActionsModel is what can be done with an entry.
type ActionsModel struct {
	Page
	Back  Link
	Quote *Quote
	Items []ActionModel
}

// ActionModel is one way to change something; Reason says why it is not open.
type ActionModel struct {
	Text, Icon, Href string
	Action           string // dialog it opens; "" is a plain link
	Keys             []string
	Reason           string
	Copy             string // text that is copied instead of opening Href
}

// CapabilitiesModel says what a session allows, for the commands: each a reason, ""
// allowed.
type CapabilitiesModel struct {
	Label, Name, Branch, Copy, Fork, Migrate string
	OldVersion                               bool // an older version, which Migrate rewrites
}

// changeHref is the address of a dialog about an entry.
func changeHref(it ItemModel, action string) string {
	return it.Change + "/" + action + "?entry=" + url.QueryEscape(it.Entry)
}
