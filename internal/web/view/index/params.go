package index

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// Params is a view of the session list as encoded in its URL.
type Params struct {
	Query             string
	Format            string
	Running, Waiting  bool
	Unread, Starred   bool
	Branches, Labeled bool
	Deleted           bool // the file was deleted
	DeletedSoon       bool // an agent deletes the file soon
	Dates             DateRange
	Sort              string // "active", "cost", "messages", "name"; by date it is always "active"
	By                string // how sessions are grouped: ByProject, ByDate, "" as the last time
	LastBy            string // how they were grouped the last time; not in the URL
	// At and N select N rows from index At; 0 = the default number.
	At, N int
}

// Values of Params.By.
const (
	ByProject = "project"
	ByDate    = "date"
)

type sortOption struct{ name, text string }

var sortOptions = []sortOption{
	{"active", "Last activity"}, {"cost", "Cost"}, {"messages", "Messages"}, {"name", "Name"},
}

// ParseParams parses the parameters of the session list. Errors wrap
// session.ErrInvalid.
func ParseParams(q url.Values) (Params, error) {
	p := Params{
		Query: strings.TrimSpace(q.Get("q")), Format: q.Get("format"),
		Running: q.Get("running") == "1", Waiting: q.Get("waiting") == "1", Branches: q.Get("branches") == "1", Labeled: q.Get("labeled") == "1",
		Deleted: q.Get("deleted") == "1", DeletedSoon: q.Get("soon") == "1",
		Unread: q.Get("unread") == "1", Starred: q.Get("starred") == "1",
		Sort: cmp.Or(q.Get("sort"), "active"), By: q.Get("by"),
	}
	if len(p.Query) > view.MaxQueryBytes {
		return p, fmt.Errorf("%w: a query may have %d bytes", session.ErrInvalid, view.MaxQueryBytes)
	}
	if !slices.ContainsFunc(sortOptions, func(s sortOption) bool { return s.name == p.Sort }) {
		return p, fmt.Errorf("%w: no order %q", session.ErrInvalid, p.Sort)
	}
	if !slices.Contains([]string{"", ByProject, ByDate}, p.By) {
		return p, fmt.Errorf("%w: sessions cannot be grouped by %q", session.ErrInvalid, p.By)
	}
	var err error
	if p.Dates, err = parseDateRange(q); err != nil {
		return p, err
	}
	if p.At, err = view.ParseCount(q, "at", 0); err == nil {
		p.N, err = view.ParseCount(q, "n", 0)
	}
	return p, err
}

// IsByDate reports whether sessions are grouped by date.
func (p Params) IsByDate() bool { return cmp.Or(p.By, p.LastBy) == ByDate }

// Href returns the URL of the list with these parameters.
func (p Params) Href() string {
	var parts []string
	for _, f := range p.fields() {
		parts = append(parts, f.Name+"="+url.QueryEscape(f.Value))
	}
	if len(parts) == 0 {
		return "/"
	}
	return "/?" + strings.Join(parts, "&")
}

// fields returns the parameters of the URL that differ from their defaults.
func (p Params) fields() (all []components.Pair) {
	add := func(name, value string) {
		if value != "" {
			all = append(all, components.Pair{Name: name, Value: value})
		}
	}
	flag := map[bool]string{true: "1"}
	add("by", p.By)
	add("q", p.Query)
	add("format", p.Format)
	add("running", flag[p.Running])
	add("waiting", flag[p.Waiting])
	add("unread", flag[p.Unread])
	add("starred", flag[p.Starred])
	add("branches", flag[p.Branches])
	add("labeled", flag[p.Labeled])
	add("deleted", flag[p.Deleted])
	add("soon", flag[p.DeletedSoon])
	add("date", p.Dates.Name)
	add("from", p.Dates.From)
	add("to", p.Dates.To)
	if p.Sort != "active" {
		add("sort", p.Sort)
	}
	if p.N > 0 {
		add("n", strconv.Itoa(p.N))
	}
	return all
}

// hiddenFields returns the parameters that the search form keeps.
func (p Params) hiddenFields() []components.Pair {
	p.Query, p.N = "", 0
	return p.fields()
}

// withoutFilters returns p without anything that hides sessions, except the query.
func (p Params) withoutFilters() Params {
	return Params{Query: p.Query, Sort: p.Sort, By: p.By, LastBy: p.LastBy}
}
