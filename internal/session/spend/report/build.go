package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/query"
	"sessiontree/internal/session/spend"
)

// builder adds requests to a report.
type builder struct {
	Report
	filter *Filter
	before time.Time // the start of the span that Report.Before is of

	days     map[time.Time]*Day
	projects map[string]*Group
	models   map[string]*Group
	agents   map[string]*Group
	tools    map[string]*Tool

	dayStart, dayEnd int64 // ms of the day of the last request
	day              time.Time
}

// Build returns the report of the requests of sessions that pass a filter.
func Build(l *spend.Ledger, sessions []catalog.Summary, f Filter) *Report {
	if f.Query == nil {
		f.Query = &query.Query{}
	}
	if f.TitleOfFormat == nil {
		f.TitleOfFormat = func(format string) string { return format }
	}
	if f.Zone == nil {
		f.Zone = time.Local
	}
	b := &builder{Report: Report{Prices: l.Prices}, filter: &f, days: map[time.Time]*Day{}, projects: map[string]*Group{}, models: map[string]*Group{}, agents: map[string]*Group{}, tools: map[string]*Tool{}}
	if q := f.Query; !q.After.IsZero() {
		end := q.Before
		if end.IsZero() {
			end = time.Now()
		}
		b.before = q.After.Add(-end.Sub(q.After))
	}
	for _, sum := range sessions {
		if !f.Query.HasAgent(sum.Format, f.TitleOfFormat(sum.Format)) || !f.Query.HasProject(sum.Cwd) {
			continue
		}
		if s := l.Session(sum.Path); s != nil {
			b.addSession(sum, s)
		}
	}
	return b.finish()
}

// addSession adds the requests of a session.
func (b *builder) addSession(sum catalog.Summary, s *spend.Session) {
	row := Session{Summary: sum}
	branches := make([]spend.Sums, len(s.Branches))
	calls, failed := make([]int64, len(s.Requests)), make([]int64, len(s.Requests))
	for _, u := range s.Uses {
		calls[u.Request]++
		if u.Failed {
			failed[u.Request]++
		}
	}
	counted := make([]bool, len(s.Requests))
	for i := range s.Requests {
		q := &s.Requests[i]
		if len(b.filter.Models) > 0 && !slices.Contains(b.filter.Models, q.Model) {
			continue
		}
		one := spend.Sums{ToolCalls: calls[i], ToolFailures: failed[i]}
		one.AddRequest(q, b.Prices)
		at, ok := b.noteTime(q)
		if !ok {
			if !b.before.IsZero() && !at.Before(b.before) && at.Before(b.filter.Query.After) {
				b.Before.Add(&one)
			}
			continue
		}
		counted[i] = true
		b.addRequest(q, &one, &sum)
		row.Total.Add(&one)
		if q.Branch > 0 {
			row.Left.Add(&one)
			branches[q.Branch-1].Add(&one)
		}
	}
	for _, u := range s.Uses {
		if counted[u.Request] {
			b.addToolUse(&u)
		}
	}
	if row.Total != (spend.Sums{}) {
		b.Sessions = append(b.Sessions, row)
	}
	for i, total := range branches {
		if total != (spend.Sums{}) {
			b.Branches = append(b.Branches, Branch{s.Branches[i], sum, total})
		}
	}
}

// noteTime returns the time of a request and whether it passes the filter.
func (b *builder) noteTime(q *spend.Request) (at time.Time, ok bool) {
	if q.Time != session.NoTime {
		at = time.UnixMilli(q.Time)
		if b.Oldest.IsZero() || at.Before(b.Oldest) {
			b.Oldest = at
		}
		if at.After(b.Newest) {
			b.Newest = at
		}
	}
	return at, b.filter.Query.HasTime(at)
}

// addRequest adds the sums of one request.
func (b *builder) addRequest(q *spend.Request, one *spend.Sums, sum *catalog.Summary) {
	add := func(total, left *spend.Sums) {
		total.Add(one)
		if q.Branch > 0 {
			left.Add(one)
		}
	}
	add(&b.Total, &b.Left)
	if q.Other {
		b.Other.Add(one)
	}
	b.addKinds(q, one.Cost)
	for _, g := range []*Group{groupNamed(b.projects, sum.Cwd), groupNamed(b.models, q.Model), groupNamed(b.agents, sum.Format)} {
		add(&g.Total, &g.Left)
	}
	if q.Time != session.NoTime {
		d := b.dayOf(q.Time)
		add(&d.Total, &d.Left)
	}
}

// addKinds adds the cost of a request by kind of token. A recorded cost is divided as by the
// prices of its model.
func (b *builder) addKinds(q *spend.Request, cost float64) {
	parts, ok := b.Prices.Split(q.Model, &q.Usage)
	sum := parts.Sum()
	if !ok || sum == 0 {
		return
	}
	k, scale := &b.Kinds, cost/sum
	k.Input, k.Output, k.CacheRead = k.Input+scale*parts.Input, k.Output+scale*parts.Output, k.CacheRead+scale*parts.CacheRead
	k.CacheWrite5m, k.CacheWrite1h = k.CacheWrite5m+scale*parts.CacheWrite5m, k.CacheWrite1h+scale*parts.CacheWrite1h
}

func groupNamed(groups map[string]*Group, name string) *Group {
	g := groups[name]
	if g == nil {
		g = &Group{Name: name}
		groups[name] = g
	}
	return g
}

// dayOf returns the day of a time.
func (b *builder) dayOf(ms int64) *Day {
	if ms < b.dayStart || ms >= b.dayEnd {
		at := time.UnixMilli(ms).In(b.filter.Zone)
		b.day = time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, b.filter.Zone)
		b.dayStart, b.dayEnd = b.day.UnixMilli(), b.day.AddDate(0, 0, 1).UnixMilli()
	}
	d := b.days[b.day]
	if d == nil {
		d = &Day{Date: b.day}
		b.days[b.day] = d
	}
	return d
}

func (b *builder) addToolUse(u *spend.ToolUse) {
	t := b.tools[u.Tool]
	if t == nil {
		t = &Tool{Name: u.Tool}
		b.tools[u.Tool] = t
	}
	t.Calls++
	if u.Failed {
		t.Failed++
	}
}

// finish sorts the lists.
func (b *builder) finish() *Report {
	r := &b.Report
	r.Days = sortedValues(b.days, func(x, y *Day) int { return x.Date.Compare(y.Date) })
	byCost := func(x, y *Group) int { return cmp.Or(compareSums(&x.Total, &y.Total), strings.Compare(x.Name, y.Name)) }
	r.Projects, r.Models, r.Agents = sortedValues(b.projects, byCost), sortedValues(b.models, byCost), sortedValues(b.agents, byCost)
	r.Tools = sortedValues(b.tools, func(x, y *Tool) int {
		return cmp.Or(cmp.Compare(y.Failed, x.Failed), cmp.Compare(y.Calls, x.Calls), strings.Compare(x.Name, y.Name))
	})
	slices.SortStableFunc(r.Sessions, func(x, y Session) int { return compareSums(&x.Total, &y.Total) })
	slices.SortStableFunc(r.Branches, func(x, y Branch) int { return compareSums(&x.Total, &y.Total) })
	return r
}

// compareSums orders what costs more first, and without costs what has more tokens.
func compareSums(a, b *spend.Sums) int {
	return cmp.Or(cmp.Compare(b.Cost, a.Cost), cmp.Compare(b.Tokens(), a.Tokens()))
}

func sortedValues[K comparable, V any](m map[K]*V, compare func(a, b *V) int) []V {
	sorted := slices.SortedFunc(maps.Values(m), compare)
	values := make([]V, len(sorted))
	for i, v := range sorted {
		values[i] = *v
	}
	return values
}
