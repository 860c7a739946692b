package results

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/query"
	"sessiontree/internal/session/searchall"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// maxValues is the number of values of a filter that are listed.
const maxValues = 200

// FacetCounts counts hits, by the text of the filter that selects them and by day.
type FacetCounts struct {
	Hits     int            `json:"hits"`
	Sessions int            `json:"sessions"` // with hits
	ByToken  map[string]int `json:"tokens"`
	ByDay    map[string]int `json:"days"`
}

// NewFacetCounts returns counts of nothing.
func NewFacetCounts() *FacetCounts {
	return &FacetCounts{ByToken: map[string]int{}, ByDay: map[string]int{}}
}

// SessionStates are the states of a session that filters select.
type SessionStates struct {
	Live    bool // its agent is writing it
	Starred bool
}

// AddResult adds the hits of a session.
func (f *FacetCounts) AddResult(c view.Config, r *searchall.Result, states SessionStates) {
	f.Hits += len(r.Hits)
	f.Sessions++
	f.ByToken[filterToken("agent", r.Session.Format)] += len(r.Hits)
	if name := view.LastPathElement(r.Session.Cwd); name != "" {
		f.ByToken[filterToken("project", name)] += len(r.Hits)
	}
	if states.Live {
		f.ByToken["is:live"] += len(r.Hits)
	}
	if states.Starred {
		f.ByToken["is:starred"] += len(r.Hits)
	}
	for i := range r.Hits {
		h := &r.Hits[i]
		f.ByToken["is:"+r.Branches[h.Branch].Kind.State()]++
		f.ByToken["role:"+string(h.Role)]++
		if h.Tool != "" {
			f.ByToken[filterToken("tool", h.Tool)]++
		}
		if h.Failed {
			f.ByToken["is:failed"]++
		}
		if !h.Time.IsZero() {
			f.ByDay[c.FormatISODay(h.Time)]++
		}
	}
}

// filterToken returns the text of a filter in a query.
func filterToken(key, value string) string {
	if value == "" || strings.ContainsFunc(value, func(r rune) bool { return r == '"' || unicode.IsSpace(r) }) {
		value = query.Quote(value)
	}
	return key + ":" + value
}

// FacetModels returns the filters for the sessions of a catalog. Those of q are on.
func FacetModels(c view.Config, sessions []catalog.Summary, q *query.Query) []components.Facet {
	agents, projects := map[string]int{}, map[string]int{}
	for i := range sessions {
		agents[sessions[i].Format]++
		if name := view.LastPathElement(sessions[i].Cwd); name != "" {
			projects[name]++
		}
	}
	facets := []components.Facet{
		{Name: "agent", Title: "Agent", Values: countedValues("agent", agents, c.TitleOfFormat)},
		{Name: "project", Title: "Project", Values: countedValues("project", projects, view.OneLine)},
		{Name: "time", Title: "Time", Values: fixedValues("after:1d", "Day", "after:7d", "Week", "after:30d", "Month")},
		{Name: "branch", Title: "Branch", Values: fixedValues("is:current", "Current path", "is:abandoned", "Abandoned", "is:sub-agent", "Sub-agents")},
		{Name: "role", Title: "Found in", Values: fixedValues("role:prompt", "Prompts", "role:answer", "Answers", "role:thinking", "Thinking",
			"role:input", "Tool input", "role:output", "Tool output", "role:summary", "Summaries", "role:label", "Labels and names")},
		{Name: "tool", Title: "Tool", Values: fixedValues("is:failed", "Failed only")},
		{Name: "session", Title: "Session", Values: fixedValues("is:live", "Live now", "is:starred", "Starred")},
	}
	if q != nil {
		for i := range facets {
			markSelected(facets[i].Values, q)
		}
	}
	return facets
}

// LabelValues returns the labels of the sessions of a catalog as filters.
func LabelValues(sessions []catalog.Summary) []components.FacetValue {
	labels := map[string]int{}
	for i := range sessions {
		for _, text := range sessions[i].LabelTexts {
			labels[text]++
		}
	}
	return countedValues("label", labels, view.OneLine)
}

// fixedValues returns filters from pairs of their texts in a query and on the page.
func fixedValues(pairs ...string) (values []components.FacetValue) {
	for pair := range slices.Chunk(pairs, 2) {
		values = append(values, components.FacetValue{Token: pair[0], Text: pair[1]})
	}
	return values
}

// countedValues returns filters for values with their numbers of sessions, the most common
// ones first.
func countedValues(key string, counts map[string]int, title func(string) string) (values []components.FacetValue) {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	for _, name := range names[:min(len(names), maxValues)] {
		values = append(values, components.FacetValue{Token: filterToken(key, name), Text: title(name), Sessions: counts[name]})
	}
	return values
}

// markSelected marks the filters that a query has.
func markSelected(values []components.FacetValue, q *query.Query) {
	for i := range values {
		values[i].On = slices.ContainsFunc(q.Tokens, func(t query.Token) bool {
			return t.Key != "" && strings.EqualFold(filterToken(t.Key, t.Value), values[i].Token)
		})
	}
}
