package index

import (
	"fmt"
	"net/url"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// DateRange selects sessions by the day of their last activity. The zero value selects
// all.
type DateRange struct {
	Name     string // "today", "7d", "30d", or "" if From or To is set
	From, To string // first and last day, "2026-11-22"; "" is open
}

// namedRanges are the ranges with a name, and how many days before today they include.
var namedRanges = []struct {
	name, text string
	days       int
}{{"today", "Today", 0}, {"7d", "Last 7 days", 6}, {"30d", "Last 30 days", 29}}

// parseDateRange parses the parameters date, from and to. Dates win over a name.
func parseDateRange(q url.Values) (DateRange, error) {
	d := DateRange{Name: q.Get("date"), From: q.Get("from"), To: q.Get("to")}
	for _, day := range []string{d.From, d.To} {
		if _, err := time.Parse(time.DateOnly, day); day != "" && err != nil {
			return DateRange{}, fmt.Errorf("%w: %q is not a date such as 2026-11-22", session.ErrInvalid, day)
		}
	}
	if d.From != "" || d.To != "" {
		d.Name = ""
		if d.To != "" && d.From > d.To {
			d.From, d.To = d.To, d.From
		}
		return d, nil
	}
	for _, r := range namedRanges {
		if r.name == d.Name {
			return d, nil
		}
	}
	if d.Name != "" {
		return DateRange{}, fmt.Errorf("%w: no range of dates %q", session.ErrInvalid, d.Name)
	}
	return d, nil
}

// bounds returns the first moment of the range and the first one after it; the zero time is
// open.
func (d DateRange) bounds(c calendar) (from, end time.Time) {
	for _, r := range namedRanges {
		if r.name == d.Name {
			return c.today.AddDate(0, 0, -r.days), end
		}
	}
	if day, err := time.ParseInLocation(time.DateOnly, d.From, c.now.Location()); err == nil {
		from = day
	}
	if day, err := time.ParseInLocation(time.DateOnly, d.To, c.now.Location()); err == nil {
		end = day.AddDate(0, 0, 1)
	}
	return from, end
}

// text returns the name of the range.
func (d DateRange) text() string {
	for _, r := range namedRanges {
		if r.name == d.Name {
			return r.text
		}
	}
	switch {
	case d.From == "" && d.To == "":
		return "Any date"
	case d.To == "":
		return "From " + d.From
	case d.From == "":
		return "Until " + d.To
	case d.From == d.To:
		return d.From
	}
	return d.From + " to " + d.To
}

// dateMenu returns the choices of the date filter.
func dateMenu(c view.Config, p Params, now time.Time) components.DateMenu {
	m := components.DateMenu{Text: p.Dates.text(), From: p.Dates.From, To: p.Dates.To, Zone: c.InZone(now).Format("MST")}
	add := func(name, text string, d DateRange) {
		one := p
		one.Dates = d
		m.Choices = append(m.Choices, components.Chip{Name: "date-" + name, Text: text, Href: one.Href(), Count: -1, On: p.Dates == d})
	}
	add("any", DateRange{}.text(), DateRange{})
	for _, r := range namedRanges {
		add(r.name, r.text, DateRange{Name: r.name})
	}
	p.Dates = DateRange{}
	m.Fields = p.fields()
	return m
}
