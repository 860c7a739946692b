package components

// SearchModel is the page that searches all sessions.
type SearchModel struct {
	Page
	Query     string // as typed
	Sessions  int    // number of sessions
	Zone      string // of dates in queries
	Facets    []Facet
	Labels    []FacetValue   // suggested for label:
	Results   []SearchResult // only for browsers without script
	HitsText  string         // of the results: "23 hits in 4 sessions"
	Problem   *SearchProblem // of the query
	PlainHref string         // shows the results without script
	OnlyTexts int            // sessions of which only texts were searched for Results
	AllHref   string         // searches all of them, without script
}

// Facet is a group of filters next to the results.
type Facet struct {
	Name   string // "agent"
	Title  string
	Values []FacetValue
}

// FacetValue is a filter of a facet.
type FacetValue struct {
	Token    string // in a query: "agent:pi"
	Text     string
	Sessions int // with this value, 0 = not counted
	On       bool
}

// SearchProblem is a reason why a query cannot be searched.
type SearchProblem struct {
	Title  string
	Reason string
	Shown  string // the part of the query, in one line
	Caret  string // what to write below Shown: spaces up to the place, and a caret
	AsText string // the query that searches for the part as a text, "" if there is none
}

// SearchResult is a session with hits.
type SearchResult struct {
	Row      SessionRow
	Project  string
	Hits     int
	Branches []ResultBranch
	More     int    // hits that are not listed
	MoreHref string // lists all hits, "" = the session does
}

// ResultBranch is a branch with hits.
type ResultBranch struct {
	Class string // "path", "left", "agent"
	Title string
	Hits  int
	List  []HitModel
}

// HitModel is an entry that matches.
type HitModel struct {
	Entry string
	Href  string
	Sign  HitSign
	Mono  bool
	Parts []Span
	Time  Time
	Facts []HitFact
}

// HitFact is a fact about the entry of a hit.
type HitFact struct {
	Text  string
	Class string // "error", "lines-added", "lines-removed", or ""
}

// branchTags are the tags of branches off the path.
var branchTags = map[string]string{"left": "abandoned branch", "agent": "sub-agent"}

// branchIcons are the icons of branches off the path.
var branchIcons = map[string]string{"left": "fork", "agent": "agent"}

// onlyTextsText says what was not searched. describeOld in messages.js has the same text.
func (m SearchModel) onlyTextsText() string {
	return "In " + Pluralize(m.OnlyTexts, "old session", "old sessions") + " only prompts, answers and labels were searched."
}
