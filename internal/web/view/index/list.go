package index

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/visits"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// listPageRows is the number of rows on a page of the list. Further rows are requested
// separately.
const listPageRows = 200

// LibraryState is what the list knows about all sessions.
type LibraryState struct {
	Sessions    []catalog.Summary
	Unreadable  []catalog.Unreadable
	Progress    catalog.Progress
	SessionDirs []string
	Visits      visits.Snapshot
	Keep        KeepState
}

// SessionListModel returns the sessions selected by p, grouped by working directory or by
// date. Counts include all of them, rows only those of the window.
func SessionListModel(c view.Config, page components.Page, l LibraryState, p Params, now time.Time) components.SessionsModel {
	now = c.InZone(now)
	if p.IsByDate() {
		p.Sort = "active"
	}
	matching := MatchSessions(l.Sessions, p.Query)
	found, asides := splitFolded(matching, now)
	filter := newFilter(p, &l, now)
	shown, folded := filter.selectSessions(found), filter.selectSessions(asides)
	back := p.Href()
	at, end := p.At, p.At+max(p.N, listPageRows)
	p.At, p.N = 0, 0 // links to other filters start at the top
	b := newRowBuilder(c, l, p, now)
	m := components.SessionsModel{
		Page:     page,
		ByDate:   p.IsByDate(),
		Groups:   b.buildGroups(shown, folded, listWindow{at, end, p.Query != ""}),
		Total:    countUnfolded(l.Sessions, now),
		Shown:    len(shown),
		Chips:    listChips(c, l.Sessions, found, filter),
		Views:    groupingChips(p),
		Dates:    dateMenu(c, p, now),
		Query:    p.Query,
		Fields:   p.hiddenFields(),
		Back:     back,
		Keep:     l.Keep.Summary,
		Complete: l.Progress.Complete,
		NextDay:  newCalendar(now).tomorrow().UTC().Format(time.RFC3339),
	}
	if !m.ByDate {
		m.Sorts = sortChips(p)
	}
	if len(shown) == 0 && len(m.Groups) == 0 {
		m.Empty = explainEmptyList(c, l, filter)
	}
	if left := len(shown) - end; left > 0 {
		p.N = end + listPageRows
		m.More = &components.Link{Text: components.Pluralize(left, "more session", "more sessions"), Href: p.Href() + lastRowAnchor(m.Groups)}
	}
	m.Page.Title = "Sessions"
	addLibraryState(&m, c, l)
	return m
}

// addLibraryState adds what is known about the files.
func addLibraryState(m *components.SessionsModel, c view.Config, l LibraryState) {
	if !l.Progress.Complete {
		m.Progress = components.Pluralize(l.Progress.Files, "file", "files") + " read"
	}
	for _, dir := range l.SessionDirs {
		m.SessionDirs = append(m.SessionDirs, view.EscapeInvisible(view.HomePath(dir, c.Home)))
	}
	for _, u := range l.Unreadable {
		m.Unreadable = append(m.Unreadable, components.UnreadableFile{Path: view.EscapeInvisible(view.HomePath(u.Path, c.Home)), Reason: view.EscapeInvisible(u.Reason)})
	}
}

// filter selects sessions.
type filter struct {
	Params
	visits         visits.Snapshot
	cleanUps       []CleanUp
	now, from, end time.Time // from and end are the bounds of Params.Dates
}

func newFilter(p Params, l *LibraryState, now time.Time) filter {
	f := filter{Params: p, visits: l.Visits, cleanUps: l.Keep.CleanUps, now: now}
	f.At, f.N = 0, 0
	f.from, f.end = p.Dates.bounds(newCalendar(now))
	return f
}

// selectSessions returns the sessions that pass the filter, sorted.
func (f *filter) selectSessions(list []*catalog.Summary) (shown []*catalog.Summary) {
	for _, s := range list {
		if f.matches(s) {
			shown = append(shown, s)
		}
	}
	sortSummaries(shown, f.Sort)
	return shown
}

func (f *filter) matches(s *catalog.Summary) bool {
	for i := range stateFilters {
		if o := &stateFilters[i]; *o.on(&f.Params) && !o.matches(f, s) {
			return false
		}
	}
	return (f.Format == "" || s.Format == f.Format) &&
		(f.from.IsZero() || !s.Modified.Before(f.from)) && (f.end.IsZero() || s.Modified.Before(f.end))
}

// MatchSessions returns the sessions whose title, prompt, directory or model contain every
// word of the query.
func MatchSessions(all []catalog.Summary, query string) []*catalog.Summary {
	words := view.SplitQuery(query)
	out := make([]*catalog.Summary, 0, len(all))
	for i := range all {
		s := &all[i]
		text := ""
		if len(words) > 0 {
			text = strings.ToLower(strings.Join([]string{s.Name, s.FirstMessage, s.Cwd, s.Model, s.ID}, "\n"))
		}
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			out = append(out, s)
		}
	}
	return out
}

func sortSummaries(list []*catalog.Summary, by string) {
	slices.SortStableFunc(list, func(a, b *catalog.Summary) int {
		order := 0
		switch by {
		case "cost":
			order = cmp.Compare(b.Cost, a.Cost)
		case "messages":
			order = cmp.Compare(b.Messages, a.Messages)
		case "name":
			order = cmp.Compare(strings.ToLower(SummaryTitle(a)), strings.ToLower(SummaryTitle(b)))
		}
		return cmp.Or(order, b.Modified.Compare(a.Modified), cmp.Compare(a.Key, b.Key))
	})
}
