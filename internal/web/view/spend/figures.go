package spend

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/query"
	"sessiontree/internal/session/spend"
	"sessiontree/internal/session/spend/report"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// The lists have at most this many rows.
const (
	maxGroups = 6
	maxRows   = 8
)

// percent writes a part of a whole: "17%", below ten percent with digits decimals.
func percent(part, whole float64, digits int) string {
	if whole <= 0 {
		return ""
	}
	share := 100 * part / whole
	if share > 0 && share < .5 && digits == 0 {
		return "<1%"
	}
	return fmt.Sprintf("%.*f%%", digits, share)
}

// statModels returns the six figures.
func (b *builder) statModels() []components.SpendStat {
	t, l := &b.report.Total, &b.report.Left
	stats := []components.SpendStat{
		{Title: "Total", Value: view.FormatCost(t), Note: b.changeText()},
		{Title: "Spent on branches you left", Value: view.FormatCost(l), Strong: percent(l.Cost, t.Cost, 0), Note: "of the total"},
		{Title: "Cache hit rate", Value: cmp.Or(percent(float64(t.CacheRead), float64(t.InputTokens()), 1), "-"), Note: view.FormatTokens(t.CacheRead) + " of " + view.FormatTokens(t.InputTokens()) + " input tokens"},
		{Title: "Requests", Value: components.FormatCount(int(t.Requests)), Note: view.FormatTokens(t.Output) + " output tokens"},
		{Title: "Failed tool calls", Value: components.FormatCount(int(t.ToolFailures)), Note: "of " + components.FormatCount(int(t.ToolCalls))},
		{Title: "Waiting for models", Value: waitText(t.ModelWait), Note: "and " + waitText(t.ToolWait) + " for tools"},
	}
	if share := percent(float64(t.ToolFailures), float64(t.ToolCalls), 1); share != "" {
		stats[4].Note = share + " " + stats[4].Note
	}
	return stats
}

// waitText writes a duration in its largest unit: "61 h", "12 min", "4 s".
func waitText(ms int64) string {
	switch minutes := ms / 60_000; {
	case minutes >= 600:
		return components.FormatCount(int((minutes+30)/60)) + " h"
	case minutes >= 60:
		return fmt.Sprintf("%.1f h", float64(minutes)/60)
	case minutes >= 1:
		return fmt.Sprintf("%d min", minutes)
	}
	return fmt.Sprintf("%d s", (ms+500)/1000)
}

// changeText compares the total with the same time before.
func (b *builder) changeText() string {
	days := 0
	for _, k := range periods {
		if k.name == b.params.Period {
			days = k.days
		}
	}
	before, now := b.report.Before.Cost, b.report.Total.Cost
	if days == 0 || before == 0 {
		return components.Pluralize(len(b.report.Sessions), "session", "sessions")
	}
	change := math.Round(100 * (now - before) / before)
	switch {
	case change > 999:
		return fmt.Sprintf("%.0f times the %d days before", now/before, days)
	case change > 0:
		return fmt.Sprintf("%.0f%% more than the %d days before", change, days)
	case change < 0:
		return fmt.Sprintf("%.0f%% less than the %d days before", -change, days)
	}
	return fmt.Sprintf("as much as the %d days before", days)
}

// groupModels returns the most expensive values of a property, and the others together.
func (b *builder) groupModels(title string, groups []report.Group, name, href func(string) string) components.SpendGroups {
	m := components.SpendGroups{Title: title}
	if len(groups) == 0 {
		return m
	}
	shown := groups
	if len(groups) > maxGroups+1 {
		others := report.Group{Name: fmt.Sprintf("%d others", len(groups)-maxGroups)}
		for i := range groups[maxGroups:] {
			others.Total.Add(&groups[maxGroups+i].Total)
			others.Left.Add(&groups[maxGroups+i].Left)
		}
		shown = append(slices.Clone(groups[:maxGroups]), others)
	}
	widest := 0.0
	for i := range shown {
		widest = max(widest, shown[i].Total.Cost)
	}
	for i := range shown {
		g := &shown[i]
		one := b.groupModel(&g.Total, &g.Left, widest)
		if one.Name, one.Hint = g.Name, view.OneLine(g.Name); i < maxGroups || len(groups) == len(shown) {
			one.Name = cmp.Or(name(g.Name), "Unknown")
			if g.Name != "" {
				one.Href = href(g.Name)
			}
		}
		m.List = append(m.List, one)
	}
	return m
}

func (b *builder) groupModel(total, left *spend.Sums, widest float64) components.SpendGroup {
	width := func(cost float64) float64 {
		if widest == 0 {
			return 0
		}
		return 100 * cost / widest
	}
	kept := width(total.Cost - left.Cost)
	m := components.SpendGroup{Amount: view.FormatCost(total), Share: percent(total.Cost, b.report.Total.Cost, 0), Kept: formatNumber(max(kept, 0))}
	if l := width(left.Cost); l >= .1 {
		m.LeftX, m.LeftWd = formatNumber(kept+.5), formatNumber(max(l-.5, .1))
	}
	return m
}

// kindModels returns what each kind of token cost.
func (b *builder) kindModels() components.SpendGroups {
	k := &b.report.Kinds
	type kind struct {
		name string
		cost float64
	}
	kinds := []kind{{"Input", k.Input}, {"Output", k.Output}, {"Cache read", k.CacheRead}, {"Cache write, 5 min", k.CacheWrite5m}, {"Cache write, 1 h", k.CacheWrite1h}}
	rest := b.report.Total.Cost - k.Sum()
	if rest > b.report.Total.Cost/1000 {
		kinds = append(kinds, kind{"Not known", rest})
	}
	slices.SortStableFunc(kinds, func(x, y kind) int { return cmp.Compare(y.cost, x.cost) })
	m := components.SpendGroups{Title: "By kind of token"}
	for _, one := range kinds {
		if one.cost > 0 {
			g := b.groupModel(&spend.Sums{Usage: session.Usage{Cost: one.cost}}, &spend.Sums{}, kinds[0].cost)
			g.Name = one.name
			m.List = append(m.List, g)
		}
	}
	return m
}

// sessionModels returns the most expensive sessions.
func (b *builder) sessionModels() (list []components.SpendSession) {
	for i := range b.report.Sessions[:min(len(b.report.Sessions), maxRows)] {
		s := &b.report.Sessions[i]
		m := components.SpendSession{
			Format: s.Format, FormatTitle: b.view.TitleOfFormat(s.Format), FormatGlyph: b.view.GlyphOfFormat(s.Format),
			Title: sessionTitle(&s.Summary), Href: view.SessionURL(s.Key), Project: projectName(b.view, s.Cwd), Cost: view.FormatCost(&s.Total),
		}
		if s.Total.Unpriced > 0 {
			m.Unpriced = components.Pluralize(int(s.Total.Unpriced), "request has", "requests have") + " no price"
		}
		if s.Left.Cost > 0 {
			m.Left, m.Share = view.FormatCost(&s.Left), percent(s.Left.Cost, s.Total.Cost, 0)
		}
		list = append(list, m)
	}
	return list
}

func sessionTitle(s *catalog.Summary) string { return view.OneLine(report.SessionTitle(s)) }

// branchModels returns the most expensive branches that were left.
func (b *builder) branchModels() (list []components.SpendBranch) {
	for i := range b.report.Branches[:min(len(b.report.Branches), maxRows)] {
		k := &b.report.Branches[i]
		list = append(list, components.SpendBranch{
			Format: k.Session.Format, FormatTitle: b.view.TitleOfFormat(k.Session.Format), FormatGlyph: b.view.GlyphOfFormat(k.Session.Format),
			Title: cmp.Or(view.OneLine(k.Title), "Branch"), Href: view.Params{Entry: k.Tip}.Href(view.SessionURL(k.Session.Key)), Session: sessionTitle(&k.Session), Cost: view.FormatCost(&k.Total),
		})
	}
	return list
}

// toolModels returns the tools that failed most often.
func (b *builder) toolModels() (list []components.SpendTool) {
	widest := 0.0
	share := func(t *report.Tool) float64 { return float64(t.Failed) / float64(max(t.Calls, 1)) }
	tools := b.report.Tools[:min(len(b.report.Tools), maxRows)]
	for i := range tools {
		widest = max(widest, share(&tools[i]))
	}
	for i := range tools {
		t := &tools[i]
		m := components.SpendTool{Name: cmp.Or(view.OneLine(t.Name), "unknown"), Calls: components.FormatCount(int(t.Calls)), Failed: components.FormatCount(int(t.Failed)),
			Share: percent(float64(t.Failed), float64(t.Calls), 1), Bar: "0"}
		if widest > 0 {
			m.Bar = formatNumber(100 * share(t) / widest)
		}
		if t.Name != "" {
			m.Href = "/search?q=" + url.QueryEscape("tool:"+query.Quote(t.Name)+" is:failed")
		}
		list = append(list, m)
	}
	return list
}

// unpricedModels returns the models without a price.
func (b *builder) unpricedModels() (list []components.SpendUnpriced) {
	models := b.report.Unpriced()
	for i := range models[:min(len(models), 2*maxRows)] {
		g := &models[i]
		list = append(list, components.SpendUnpriced{Model: cmp.Or(view.OneLine(g.Name), "unknown model"), Requests: components.FormatCount(int(g.Total.Unpriced)), Tokens: view.FormatTokens(g.Total.Tokens())})
	}
	return list
}
