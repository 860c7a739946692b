// Package report sums what requests cost by day, project, model, agent, session, branch and
// tool.
package report

import (
	"time"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/prices"
	"sessiontree/internal/session/query"
	"sessiontree/internal/session/spend"
)

// Filter selects requests.
type Filter struct {
	Query  *query.Query // agents, projects and times; nil: all
	Models []string     // no models: all
	Zone   *time.Location
	// TitleOfFormat returns the name of an agent, which queries also find.
	TitleOfFormat func(format string) string
}

// Report is what requests cost. All lists begin with what costs most, except Days.
type Report struct {
	Prices   *prices.Table
	Total    spend.Sums
	Left     spend.Sums // of Total, on branches that were left
	Other    spend.Sums // of Total, requests that only running totals include
	Before   spend.Sums // of the same span of time before Filter.Query.After
	Days     []Day
	Projects []Group // by working directory
	Models   []Group
	Agents   []Group // by format
	Sessions []Session
	Branches []Branch // that were left
	Tools    []Tool
	Kinds    prices.Parts // of Total, as far as prices tell the parts of recorded costs
	// Oldest and Newest are the times of requests that pass all filters but those of time,
	// zero if there are none.
	Oldest, Newest time.Time
}

// Day is what a day cost.
type Day struct {
	Date  time.Time // its first moment
	Total spend.Sums
	Left  spend.Sums
}

// Group is what requests with one property cost.
type Group struct {
	Name  string
	Total spend.Sums
	Left  spend.Sums
}

// Session is what a session cost.
type Session struct {
	catalog.Summary
	Total spend.Sums
	Left  spend.Sums
}

// Branch is what a branch that was left cost.
type Branch struct {
	spend.Branch
	Session catalog.Summary
	Total   spend.Sums
}

// Tool is how often a tool was called.
type Tool struct {
	Name          string
	Calls, Failed int64
}
