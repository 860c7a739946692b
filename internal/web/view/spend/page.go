package spend

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/spend/report"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// builder builds the model of the page.
type builder struct {
	view   view.Config
	params Params
	report *report.Report
	now    time.Time // in the zone of the page
}

// PageModel returns the model of the page without figures: what can be chosen.
func PageModel(c view.Config, page components.Page, sessions []catalog.Summary, models []string, p Params, now time.Time) components.SpendModel {
	now = c.InZone(now)
	m := components.SpendModel{Page: page, CSV: "/spend.csv" + p.queryText()}
	for _, k := range periods {
		m.Periods = append(m.Periods, components.Chip{Text: k.text, On: p.Period == k.name, Href: p.with(func(p *Params) { p.Period, p.After, p.Before = k.name, "", "" }).href()})
	}
	first, last := p.span(now)
	m.Span = "Until " + formatLongDay(last)
	if !first.IsZero() {
		m.Span = spanText(first, last)
	}
	m.Dates = datesModel(p, first, last)
	var formats, projects []string
	for i := range sessions {
		formats, projects = append(formats, sessions[i].Format), append(projects, sessions[i].Cwd)
	}
	m.Agents = chips("All agents", formats, p.Agents, c.TitleOfFormat, func(v []string) string { return p.with(func(p *Params) { p.Agents = v }).href() })
	m.Projects = chips("All projects", projects, p.Projects, func(cwd string) string { return projectName(c, cwd) }, func(v []string) string { return p.with(func(p *Params) { p.Projects = v }).href() })
	m.Models = chips("All models", models, p.Models, view.OneLine, func(v []string) string { return p.with(func(p *Params) { p.Models = v }).href() })
	return m
}

// spanText writes two days: "24 October to 22 November 2026".
func spanText(first, last time.Time) string {
	switch {
	case first.Equal(last):
		return formatLongDay(first)
	case first.Year() == last.Year():
		return first.Format("2 January") + " to " + formatLongDay(last)
	}
	return formatLongDay(first) + " to " + formatLongDay(last)
}

// datesModel returns the form for dates.
func datesModel(p Params, first, last time.Time) components.SpendDates {
	d := components.SpendDates{On: p.Period == "dates", Before: last.Format(time.DateOnly)}
	if !first.IsZero() {
		d.After = first.Format(time.DateOnly)
	}
	add := func(name string, values ...string) {
		for _, v := range values {
			d.Hidden = append(d.Hidden, components.Pair{Name: name, Value: v})
		}
	}
	add("agent", p.Agents...)
	add("project", p.Projects...)
	add("model", p.Models...)
	if p.Unit != defaultUnit {
		add("bars", p.Unit)
	}
	return d
}

// maxChoices is how many values a menu has.
const maxChoices = 100

// chips returns a choice of values, all of them first.
func chips(all string, values, chosen []string, title func(string) string, href func([]string) string) []components.Chip {
	list := []components.Chip{{Text: all, On: len(chosen) == 0, Href: href(nil)}}
	values = slices.Clone(values)
	values = append(values, chosen...)
	slices.Sort(values)
	for _, v := range slices.Compact(values) {
		if v != "" && len(list) <= maxChoices {
			list = append(list, components.Chip{Name: v, Text: title(v), On: slices.Contains(chosen, v), Href: href([]string{v})})
		}
	}
	return list
}

// projectName returns the last element of a working directory.
func projectName(c view.Config, cwd string) string {
	if cwd == "" {
		return "Unknown directory"
	}
	if cwd == c.Home {
		return "~"
	}
	return view.OneLine(view.LastPathElement(cwd))
}

// AddReport adds the figures to the model of the page.
func AddReport(m *components.SpendModel, c view.Config, r *report.Report, p Params, now time.Time) {
	b := &builder{view: c, params: p, report: r, now: c.InZone(now)}
	if r.Total.Requests == 0 {
		m.Empty = b.emptyModel()
		return
	}
	first, last := p.span(b.now)
	if first.IsZero() {
		first = r.Oldest.In(b.now.Location())
		first = time.Date(first.Year(), first.Month(), first.Day(), 0, 0, 0, 0, first.Location())
		m.Span = spanText(first, last)
	}
	m.Stats = b.statModels()
	m.Note = b.noteModel()
	if len(r.Days) > 0 && !first.After(last) {
		m.Chart = b.chartModel(first, last)
	}
	m.ByProject = b.groupModels("By project", r.Projects, func(name string) string { return projectName(c, name) }, func(v string) string { return b.params.with(func(p *Params) { p.Projects = []string{v} }).href() })
	m.ByModel = b.groupModels("By model", r.Models, view.OneLine, func(v string) string { return b.params.with(func(p *Params) { p.Models = []string{v} }).href() })
	m.ByAgent = b.groupModels("By agent", r.Agents, c.TitleOfFormat, func(v string) string { return b.params.with(func(p *Params) { p.Agents = []string{v} }).href() })
	m.ByKind = b.kindModels()
	m.Sessions, m.Branches, m.Tools, m.Unpriced = b.sessionModels(), b.branchModels(), b.toolModels(), b.unpricedModels()
}

// emptyModel says that there are no requests, and when there were.
func (b *builder) emptyModel() *components.SpendEmpty {
	e := &components.SpendEmpty{Title: "No requests in this time", Text: "No session has recorded a request to a model."}
	for _, k := range periods {
		if k.name == b.params.Period && k.days > 0 {
			e.Title = fmt.Sprintf("No requests in these %d days", k.days)
		}
	}
	if b.report.Newest.IsZero() {
		if b.params.isFiltered() {
			e.Title, e.Text = "No requests", "No request passes these filters."
			e.Action = &components.Link{Text: "Remove the filters", Href: b.params.with(func(p *Params) { p.Agents, p.Projects, p.Models = nil, nil, nil }).href()}
		}
		return e
	}
	newest := b.report.Newest.In(b.now.Location())
	e.Text = "The last one was on " + formatLongDay(newest) + "."
	e.Action = &components.Link{Text: "Show all", Href: b.params.with(func(p *Params) { p.Period, p.After, p.Before = "all", "", "" }).href()}
	for _, k := range periods {
		if k.days > 0 && b.now.AddDate(0, 0, 1-k.days).Before(newest) {
			e.Action = &components.Link{Text: "Show " + strings.ToLower(k.text), Href: b.params.with(func(p *Params) { p.Period, p.After, p.Before = k.name, "", "" }).href()}
			break
		}
	}
	return e
}

// noteModel says where the prices are from.
func (b *builder) noteModel() components.SpendNote {
	r := b.report
	n := components.SpendNote{Text: "of " + formatLongDay(r.Prices.Date)}
	if r.Prices.File != "" {
		n.Text += " (" + view.OneLine(path.Base(r.Prices.File)) + ")"
	}
	n.Text += "; a subscription may cost less. Each request is counted once, also when forks and resumed sessions copy it."
	if r.Other.Requests > 0 {
		n.Text += " " + cmp.Or(view.FormatDollars(r.Other.Cost), "Some") + " are other requests, such as compactions, which are known from running totals."
	}
	if k := len(r.Unpriced()); k > 0 {
		n.Unpriced = components.Pluralize(k, "model has", "models have") + " no price"
	}
	return n
}
