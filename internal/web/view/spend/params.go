// Package spend builds the model of the page about what requests cost.
package spend

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/query"
	"sessiontree/internal/session/spend/report"
	"sessiontree/internal/web/view"
)

// Params are the parameters in the URL of the page.
type Params struct {
	Period        string // see periods; "dates": After and Before
	After, Before string // days, both included
	Agents        []string
	Projects      []string
	Models        []string
	Unit          string // "cost", "tokens", "requests"
}

// A period is a number of days before now.
type period struct {
	name, text string
	days       int // 0 = all
}

var periods = []period{{"7d", "7 days", 7}, {"30d", "30 days", 30}, {"90d", "90 days", 90}, {"year", "Year", 365}, {"all", "All", 0}}

// units are what the bars of the chart can show.
var units = []struct{ name, text string }{{"cost", "Cost"}, {"tokens", "Tokens"}, {"requests", "Requests"}}

const (
	defaultPeriod = "30d"
	defaultUnit   = "cost"
)

// ParseParams parses the query of a URL.
func ParseParams(q url.Values) (Params, error) {
	p := Params{Period: q.Get("period"), After: q.Get("after"), Before: q.Get("before"), Agents: q["agent"], Projects: q["project"], Models: q["model"], Unit: q.Get("bars")}
	if p.After != "" || p.Before != "" {
		p.Period = "dates"
	}
	if p.Period == "" {
		p.Period = defaultPeriod
	}
	if p.Unit == "" {
		p.Unit = defaultUnit
	}
	if p.Period != "dates" && !slices.ContainsFunc(periods, func(k period) bool { return k.name == p.Period }) {
		return p, fmt.Errorf("%w: there is no period %q", session.ErrInvalid, p.Period)
	}
	if !slices.ContainsFunc(units, func(u struct{ name, text string }) bool { return u.name == p.Unit }) {
		return p, fmt.Errorf("%w: bars cannot show %q", session.ErrInvalid, p.Unit)
	}
	for _, day := range []string{p.After, p.Before} {
		if _, err := time.Parse(time.DateOnly, day); day != "" && err != nil {
			return p, fmt.Errorf("%w: %q is not a date", session.ErrInvalid, day)
		}
	}
	return p, nil
}

// href returns the address of the page with these parameters.
func (p Params) href() string { return "/spend" + p.queryText() }

func (p Params) queryText() string {
	q := url.Values{}
	if p.Period == "dates" {
		set(q, "after", p.After)
		set(q, "before", p.Before)
	} else if p.Period != defaultPeriod {
		q.Set("period", p.Period)
	}
	for name, values := range map[string][]string{"agent": p.Agents, "project": p.Projects, "model": p.Models} {
		if len(values) > 0 {
			q[name] = values
		}
	}
	if p.Unit != defaultUnit {
		q.Set("bars", p.Unit)
	}
	if len(q) == 0 {
		return ""
	}
	return "?" + q.Encode()
}

func set(q url.Values, name, value string) {
	if value != "" {
		q.Set(name, value)
	}
}

// with returns the parameters after a change.
func (p Params) with(change func(*Params)) Params {
	change(&p)
	return p
}

// withDay returns the parameters for some days, the last one included.
func (p Params) withDays(first, last time.Time) Params {
	p.Period, p.After, p.Before = "dates", first.Format(time.DateOnly), last.Format(time.DateOnly)
	return p
}

// isFiltered reports whether something other than times is filtered.
func (p Params) isFiltered() bool { return len(p.Agents)+len(p.Projects)+len(p.Models) > 0 }

// Filter returns the filter of the requests.
func (p Params) Filter(c view.Config, now time.Time) (report.Filter, error) {
	now = c.InZone(now)
	var terms []string
	add := func(key string, values ...string) {
		for _, v := range values {
			terms = append(terms, key+":"+query.Quote(v))
		}
	}
	add("agent", p.Agents...)
	add("project", p.Projects...)
	q, err := query.Parse(strings.Join(terms, " "), now)
	if err != nil {
		return report.Filter{}, fmt.Errorf("%w: %w", session.ErrInvalid, err)
	}
	first, last := p.span(now)
	q.After = first
	if p.Before != "" {
		q.Before = last.AddDate(0, 0, 1)
	}
	return report.Filter{Query: q, Models: p.Models, Zone: now.Location(), TitleOfFormat: c.TitleOfFormat}, nil
}

// span returns the first day, zero if there is no limit, and the last day.
func (p Params) span(now time.Time) (first, last time.Time) {
	last = time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	if p.Period == "dates" {
		if at, err := time.ParseInLocation(time.DateOnly, p.After, now.Location()); err == nil {
			first = at
		}
		if at, err := time.ParseInLocation(time.DateOnly, p.Before, now.Location()); err == nil {
			last = at
		}
		return first, last
	}
	for _, k := range periods {
		if k.name == p.Period && k.days > 0 {
			first = last.AddDate(0, 0, 1-k.days)
		}
	}
	return first, last
}
