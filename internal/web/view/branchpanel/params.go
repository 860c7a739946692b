// Package branchpanel builds the list of branches that takes the place of the path.
package branchpanel

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
)

// Params is the state of the list as encoded in its URL, besides the view of the session.
type Params struct {
	Sort      string // name of a column
	Ascending bool
	Show      string // "", "abandoned", "labeled", "agents"
	Find      string // words in title, label or first prompt
}

// column is a column by which the list can be sorted.
type column struct {
	name, text string
	ascending  bool // the list begins with the lowest value at first
}

var columns = []column{
	{"name", "Branch", true}, {"where", "Where in session", true}, {"entries", "Entries", false},
	{"cost", "Cost", false}, {"tokens", "Tokens", false}, {"time", "Last active", false},
}

type show struct{ name, text string }

// shows are the choices of which branches are listed.
var shows = []show{{"", "All"}, {"abandoned", "Abandoned"}, {"labeled", "Labeled"}, {"agents", "Sub-agents"}}

// defaultSort is the column by which the list is sorted at first.
const defaultSort = "time"

// ParseParams parses the parameters of the list. Errors wrap session.ErrInvalid.
func ParseParams(q url.Values) (Params, error) {
	p := Params{Sort: q.Get("sort"), Show: q.Get("show"), Find: strings.TrimSpace(q.Get("find"))}
	if p.Sort == "" {
		p.Sort = defaultSort
	}
	at := slices.IndexFunc(columns, func(c column) bool { return c.name == p.Sort })
	if at < 0 {
		return p, fmt.Errorf("%w: branches cannot be sorted by %q", session.ErrInvalid, p.Sort)
	}
	switch order := q.Get("order"); order {
	case "":
		p.Ascending = columns[at].ascending
	case "asc", "desc":
		p.Ascending = order == "asc"
	default:
		return p, fmt.Errorf("%w: order=%q", session.ErrInvalid, order)
	}
	if !slices.ContainsFunc(shows, func(s show) bool { return s.name == p.Show }) {
		return p, fmt.Errorf("%w: show=%q", session.ErrInvalid, p.Show)
	}
	if len(p.Find) > view.MaxQueryBytes {
		return p, fmt.Errorf("%w: a filter may have %d bytes", session.ErrInvalid, view.MaxQueryBytes)
	}
	return p, nil
}

// isFiltered reports whether some branches may be missing from the list.
func (p Params) isFiltered() bool { return p.Find != "" || p.Show != "" }

// values returns the parameters that differ from the defaults.
func (p Params) values() url.Values {
	v := url.Values{}
	if p.Show != "" {
		v.Set("show", p.Show)
	}
	if p.Find != "" {
		v.Set("find", p.Find)
	}
	for _, c := range columns {
		if c.name != p.Sort {
			continue
		}
		if p.Sort != defaultSort {
			v.Set("sort", p.Sort)
		}
		if p.Ascending != c.ascending {
			v.Set("order", map[bool]string{true: "asc", false: "desc"}[p.Ascending])
		}
	}
	return v
}

// href returns the URL of the list in a view of the session.
func (p Params) href(s view.Scene) string {
	v := s.Params.Values()
	for name, list := range p.values() {
		v[name] = list
	}
	if q := v.Encode(); q != "" {
		return panelBase(s) + "?" + q
	}
	return panelBase(s)
}

// panelBase returns the address of the list.
func panelBase(s view.Scene) string { return s.Base() + "/branches" }
