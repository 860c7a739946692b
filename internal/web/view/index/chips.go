package index

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"sessiontree/internal/session/bools"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/visits"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// stateFilter is a filter that is on or off.
type stateFilter struct {
	name, text, icon string
	words            string // in "No ... sessions"; after it if it starts with "with"
	group            string // of the chip: "state", "more" for the menu, "keep" is hidden without sessions; without any, states are in the menu
	on               func(*Params) *bool
	matches          func(f *filter, s *catalog.Summary) bool
}

var stateFilters = []stateFilter{
	{"running", "Working", "live", "working", "state", func(p *Params) *bool { return &p.Running },
		func(f *filter, s *catalog.Summary) bool { return s.IsRunning(f.now) }},
	{"waiting", "Waiting", "", "waiting", "state", func(p *Params) *bool { return &p.Waiting },
		func(f *filter, s *catalog.Summary) bool { return s.IsWaiting(f.now) }},
	{"unread", "Unread", "", "unread", "state", func(p *Params) *bool { return &p.Unread },
		func(f *filter, s *catalog.Summary) bool { return isUnread(f.visits, s) }},
	{"starred", "Starred", "star", "starred", "state", func(p *Params) *bool { return &p.Starred },
		func(f *filter, s *catalog.Summary) bool { return f.visits.IsStarred(s) }},
	{"deleted", "File deleted", "archive", "with a deleted file", "keep", func(p *Params) *bool { return &p.Deleted },
		func(_ *filter, s *catalog.Summary) bool { return s.Deleted }},
	{"soon", "Deleted soon", "clock", "with a file that is deleted soon", "keep", func(p *Params) *bool { return &p.DeletedSoon },
		func(f *filter, s *catalog.Summary) bool { return IsDeletedSoon(f.cleanUps, s, f.now) }},
	{"branches", "Has branches", "branch", "with branches", "more", func(p *Params) *bool { return &p.Branches },
		func(_ *filter, s *catalog.Summary) bool { return s.Branches > 0 }},
	{"labeled", "Labeled", "label", "labeled", "more", func(p *Params) *bool { return &p.Labeled },
		func(_ *filter, s *catalog.Summary) bool { return s.Labels > 0 }},
}

// isUnread reports whether a session has messages that were added after the last visit.
func isUnread(v visits.Snapshot, s *catalog.Summary) bool {
	return v[visits.KeyOf(s)].IsUnread(visits.SeenOf(s))
}

// listChips returns the filters of the list, each with its number of sessions among those
// that match the query. A format stays in its place if none of its sessions does.
func listChips(c view.Config, all []catalog.Summary, found []*catalog.Summary, f filter) []components.Chip {
	p := f.Params
	known, formats := map[string]int{}, map[string]int{}
	for i := range all {
		known[all[i].Format]++
	}
	counts := make([]int, len(stateFilters))
	for _, s := range found {
		formats[s.Format]++
		for i := range stateFilters {
			counts[i] += bools.ToInt(stateFilters[i].matches(&f, s))
		}
	}
	chips := []components.Chip{{Name: "all", Text: "All", Href: p.withoutFilters().Href(), Count: len(found), On: p == p.withoutFilters(), Group: "format"}}
	names := slices.SortedFunc(maps.Keys(known), func(a, b string) int {
		return cmp.Or(cmp.Compare(known[b], known[a]), strings.Compare(a, b))
	})
	for _, name := range names {
		one := p
		one.Format = name
		if p.Format == name {
			one.Format = ""
		}
		chips = append(chips, components.Chip{Name: "format-" + name, Text: c.TitleOfFormat(name), Href: one.Href(), Count: formats[name], On: p.Format == name, Group: "format"})
	}
	for i, f := range stateFilters {
		one := p
		on := f.on(&one)
		*on = !*on
		if f.group == "keep" && counts[i] == 0 && *on {
			continue
		}
		group := f.group
		if group == "state" && counts[i] == 0 && *on && f.name != "running" {
			group = "more" // the row has no space for what is of no use now
		}
		chips = append(chips, components.Chip{Name: f.name, Text: f.text, Href: one.Href(), Count: counts[i], On: !*on, Icon: f.icon, Group: group})
	}
	return chips
}

func sortChips(p Params) []components.Chip {
	var chips []components.Chip
	for _, s := range sortOptions {
		one := p
		one.Sort = s.name
		chips = append(chips, components.Chip{Name: s.name, Text: s.text, Href: one.Href(), Count: -1, On: p.Sort == s.name})
	}
	return chips
}

// groupingChips returns the ways to group sessions.
func groupingChips(p Params) []components.Chip {
	date, project := p, p
	date.By, project.By = ByDate, ByProject
	return []components.Chip{
		{Name: "by-date", Text: "By date", Href: date.Href(), Count: -1, On: p.IsByDate()},
		{Name: "by-project", Text: "By project", Href: project.Href(), Count: -1, On: !p.IsByDate()},
	}
}

// explainEmptyList returns why no session is shown, and the filter whose removal shows most.
func explainEmptyList(c view.Config, l LibraryState, f filter) *components.EmptyList {
	p := f.Params
	m := &components.EmptyList{Title: emptyListTitle(c, p), Total: countUnfolded(l.Sessions, f.now), Action: "Show all", Href: Params{By: p.By, Sort: "active"}.Href()}
	best := 0
	try := func(text string, without Params) {
		f := newFilter(without, &l, f.now)
		shown, _ := splitFolded(MatchSessions(l.Sessions, without.Query), f.now)
		if n := len(f.selectSessions(shown)); n > best {
			best = n
			m.Text = components.Pluralize(n, "session matches", "sessions match") + " without “" + text + "”."
			m.Action, m.Href = "Remove "+text, without.Href()
		}
	}
	for _, f := range stateFilters {
		if without := p; *f.on(&p) {
			*f.on(&without) = false
			try(f.text, without)
		}
	}
	if without := p; p.Dates != (DateRange{}) {
		without.Dates = DateRange{}
		try(p.Dates.text(), without)
	}
	if without := p; p.Format != "" {
		without.Format = ""
		try(c.TitleOfFormat(p.Format), without)
	}
	if without := p; p.Query != "" {
		without.Query = ""
		try(view.EscapeInvisible(p.Query), without)
	}
	return m
}

// emptyListTitle names what there is none of: "No labeled pi sessions today".
func emptyListTitle(c view.Config, p Params) string {
	words, after := []string{"No"}, []string{}
	for _, f := range stateFilters {
		switch {
		case !*f.on(&p):
		case strings.HasPrefix(f.words, "with"):
			after = append(after, f.words)
		default:
			words = append(words, f.words)
		}
	}
	if p.Format != "" {
		words = append(words, c.TitleOfFormat(p.Format))
	}
	words = append(append(words, "sessions"), after...)
	switch d := p.Dates; {
	case d.Name == "today":
		words = append(words, "today")
	case d.Name != "":
		words = append(words, "in the", strings.ToLower(d.text()))
	case d != DateRange{}:
		words = append(words, strings.ToLower(d.text()[:1])+d.text()[1:])
	}
	if p.Query != "" {
		words = append(words, "match “"+view.EscapeInvisible(p.Query)+"”")
	}
	return strings.Join(words, " ")
}
