package components

// SpendModel is the page about what requests cost.
type SpendModel struct {
	Page
	Span     string // "24 October to 22 November 2026"
	Periods  []Chip
	Dates    SpendDates
	CSV      string // address of the file
	Agents   []Chip
	Projects []Chip
	Models   []Chip
	Reading  string // progress while the sessions are read: then there are no figures
	Empty    *SpendEmpty
	Stats    []SpendStat
	Note     SpendNote
	Chart    SpendChart
	// By project and model, then by agent and kind of token.
	ByProject, ByModel, ByAgent, ByKind SpendGroups
	Sessions                            []SpendSession
	Branches                            []SpendBranch
	Tools                               []SpendTool
	Unpriced                            []SpendUnpriced
}

// SpendDates is the form for dates of one's own.
type SpendDates struct {
	On            bool
	After, Before string // "2026-10-01", both included
	Hidden        []Pair
}

// SpendEmpty is shown instead of figures if there are no requests.
type SpendEmpty struct {
	Title, Text string
	Action      *Link
}

// SpendStat is one of the figures at the top.
type SpendStat struct{ Title, Value, Strong, Note string }

// SpendNote says where prices are from.
type SpendNote struct {
	Text     string // "of 2 July 2026; a subscription may cost less."
	Unpriced string // "3 models have no price", "" none
}

// SpendChart is the bars by day, week or month.
type SpendChart struct {
	Title   string // "By day"
	Unit    string // "Cost"
	Units   []Chip
	Summary string // for screen readers
	Grid    []string
	Width   string // of the drawing; its height is 160
	Bars    []SpendBar
	Axis    []string
	Header  string // of the first column of the table
}

// SpendBar is a bar of a chart and a row of its table.
type SpendBar struct {
	X, BarX                    string
	KeptY, KeptH, LeftY, LeftH string // "" = no such part
	Href                       string
	Title, Value, Left         string // "Friday, 13 November", "$96.75", "$11.24"
}

// SpendGroups is what each value of a property cost.
type SpendGroups struct {
	Title string
	List  []SpendGroup
}

// SpendGroup is what one value of a property cost.
type SpendGroup struct {
	Name, Hint, Href    string // Href "" = cannot be filtered
	Amount, Share       string
	Kept, LeftX, LeftWd string // of the bar, in percent; LeftWd "" = nothing
}

// SpendSession is a session in the list of the most expensive ones.
type SpendSession struct {
	Format, FormatTitle, FormatGlyph string
	Title, Href, Project             string
	Cost, Left, Share                string
	Unpriced                         string // why Cost is "-", or part of it is missing
}

// SpendBranch is a branch in the list of the most expensive ones.
type SpendBranch struct {
	Format, FormatTitle, FormatGlyph string
	Title, Href, Session, Cost       string
}

// SpendTool is how often a tool failed.
type SpendTool struct {
	Name, Href           string
	Calls, Failed, Share string
	Bar                  string // in percent of the widest
}

// SpendUnpriced is a model without a price.
type SpendUnpriced struct{ Model, Requests, Tokens string }
