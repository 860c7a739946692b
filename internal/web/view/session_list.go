package view

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/catalog"
	"sessiontree/web/components"
)

// SessionListParams is a view of the session list as encoded in its URL.
type SessionListParams struct {
	Query                   string
	Format                  string
	Live, Branches, Labeled bool
	Sort                    string // "active", "cost", "messages", "name"
	// At and N select N rows from index At; 0 = the default number.
	At, N int
}

// listPageRows is the number of rows on a page of the list. Further rows are requested
// separately.
const listPageRows = 200

type sortOption struct{ name, text string }

var sortOptions = []sortOption{
	{"active", "Last activity"}, {"cost", "Cost"}, {"messages", "Messages"}, {"name", "Name"},
}

// ParseSessionListParams parses the parameters of the session list. Errors wrap
// session.ErrInvalid.
func ParseSessionListParams(q url.Values) (SessionListParams, error) {
	p := SessionListParams{
		Query: strings.TrimSpace(q.Get("q")), Format: q.Get("format"),
		Live: q.Get("live") == "1", Branches: q.Get("branches") == "1", Labeled: q.Get("labeled") == "1",
		Sort: cmp.Or(q.Get("sort"), "active"),
	}
	if len(p.Query) > maxQueryBytes {
		return p, fmt.Errorf("%w: a query may have %d bytes", session.ErrInvalid, maxQueryBytes)
	}
	if !slices.ContainsFunc(sortOptions, func(s sortOption) bool { return s.name == p.Sort }) {
		return p, fmt.Errorf("%w: no order %q", session.ErrInvalid, p.Sort)
	}
	var err error
	if p.At, err = parseCount(q, "at"); err == nil {
		p.N, err = parseCount(q, "n")
	}
	return p, err
}

func parseCount(q url.Values, name string) (int, error) {
	v := q.Get(name)
	if v == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%w: %s=%q is no count", session.ErrInvalid, name, v)
	}
	return n, nil
}

// Href returns the URL of the list with these parameters.
func (p SessionListParams) Href() string {
	var parts []string
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name+"="+url.QueryEscape(value))
		}
	}
	flag := map[bool]string{true: "1"}
	add("q", p.Query)
	add("format", p.Format)
	add("live", flag[p.Live])
	add("branches", flag[p.Branches])
	add("labeled", flag[p.Labeled])
	if p.Sort != "active" {
		add("sort", p.Sort)
	}
	if p.N > 0 {
		add("n", strconv.Itoa(p.N))
	}
	if len(parts) == 0 {
		return "/"
	}
	return "/?" + strings.Join(parts, "&")
}

// LibraryState is what the list knows about all sessions.
type LibraryState struct {
	Sessions    []catalog.Summary
	Unreadable  []catalog.Unreadable
	Progress    catalog.Progress
	SessionDirs []string
}

// SessionListModel returns the sessions selected by p, grouped by working directory. Counts
// include all of them, rows only those of the window.
func SessionListModel(c Config, page components.Page, l LibraryState, p SessionListParams, now time.Time) components.SessionsModel {
	found, asides := splitFolded(matchSessions(l.Sessions, p.Query), now)
	shown, folded := p.filterSessions(found, now), p.filterSessions(asides, now)
	at, end := p.At, p.At+max(p.N, listPageRows)
	p.At, p.N = 0, 0 // links to other filters start at the top
	m := components.SessionsModel{
		Page:     page,
		Groups:   buildFolderGroups(c, l.Sessions, shown, folded, listWindow{at, end, p.Query != ""}, now),
		Total:    countUnfolded(l.Sessions, now),
		Shown:    len(shown),
		Chips:    listChips(c, found, p, now),
		Sorts:    sortChips(p),
		Query:    p.Query,
		Complete: l.Progress.Complete,
	}
	if left := len(shown) - end; left > 0 {
		p.N = end + listPageRows
		m.More = &components.Link{Text: components.Pluralize(left, "more session", "more sessions"), Href: p.Href() + lastRowAnchor(m.Groups)}
	}
	m.Page.Title = "Sessions"
	if !l.Progress.Complete {
		m.Progress = components.Pluralize(l.Progress.Files, "file", "files") + " read"
	}
	for _, dir := range l.SessionDirs {
		m.SessionDirs = append(m.SessionDirs, escapeInvisible(homePath(dir, c.Home)))
	}
	for _, u := range l.Unreadable {
		m.Unreadable = append(m.Unreadable, components.UnreadableFile{Path: escapeInvisible(homePath(u.Path, c.Home)), Reason: escapeInvisible(u.Reason)})
	}
	return m
}

// filterSessions returns the sessions that pass the filters, sorted.
func (p SessionListParams) filterSessions(list []*catalog.Summary, now time.Time) (shown []*catalog.Summary) {
	for _, s := range list {
		if p.matchesFilters(s, now) {
			shown = append(shown, s)
		}
	}
	sortSummaries(shown, p.Sort)
	return shown
}

func (p SessionListParams) matchesFilters(s *catalog.Summary, now time.Time) bool {
	return (p.Format == "" || s.Format == p.Format) &&
		(!p.Live || isSummaryLive(s, now)) && (!p.Branches || s.Branches > 0) && (!p.Labeled || s.Labels > 0)
}

func isSummaryLive(s *catalog.Summary, now time.Time) bool {
	return session.IsLive(s.AgentWrote.UnixMilli(), now.UnixMilli())
}

// matchSessions returns the sessions whose title, prompt, directory or model contain every
// word of the query.
func matchSessions(all []catalog.Summary, query string) []*catalog.Summary {
	words := splitQuery(query)
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
			order = cmp.Compare(strings.ToLower(summaryTitle(a)), strings.ToLower(summaryTitle(b)))
		}
		return cmp.Or(order, b.Modified.Compare(a.Modified), cmp.Compare(a.Key, b.Key))
	})
}
