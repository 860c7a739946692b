package index

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session/catalog"
	"sessiontree/web/components"
)

// berlin is a zone in which a day begins at another time than in UTC.
var berlin = time.FixedZone("CET", 3600)

// aged returns a session that was last active at a time.
func aged(key string, at time.Time) catalog.Summary {
	return catalog.Summary{Key: key, Format: "pi", ID: key, Cwd: "/home/dev/mono", Name: "Session " + key, Messages: 2, Cost: 1, Modified: at, FileTime: at, AgentWrote: at}
}

func dumpGroups(m components.SessionsModel) string {
	var b strings.Builder
	for _, g := range m.Groups {
		fmt.Fprintf(&b, "%s: %s (%s) %d %s:", g.ID, g.Name, g.Detail, g.Sessions, g.Cost)
		for _, r := range g.Rows {
			fmt.Fprintf(&b, " %s %s %s", r.Key, r.Project, r.ActiveText)
		}
		fmt.Fprintf(&b, " [%s]\n", g.Folded.Text)
	}
	return b.String()
}

// Days begin in the zone of the server. A group exists for folded sessions alone, too.
func TestSessions_byDate(t *testing.T) {
	now := time.Date(2026, 11, 22, 14, 30, 0, 0, berlin)
	empty, agents := aged("empty", now.AddDate(0, 0, -3)), aged("agents", now.AddDate(0, -8, 0))
	empty.Messages, agents.Orphaned = 0, true
	l := LibraryState{Progress: catalog.Progress{Complete: true}, Sessions: []catalog.Summary{
		aged("live", now.Add(-time.Second)), aged("future", now.AddDate(0, 0, 2)), aged("midnight", time.Date(2026, 11, 21, 23, 0, 0, 0, time.UTC)),
		aged("yesterday", time.Date(2026, 11, 21, 22, 59, 0, 0, time.UTC)), aged("friday", now.AddDate(0, 0, -2)), aged("monday", time.Date(2026, 11, 16, 0, 0, 0, 0, berlin)),
		aged("sunday", time.Date(2026, 11, 15, 23, 59, 0, 0, berlin)), aged("october", time.Date(2026, 10, 2, 9, 0, 0, 0, berlin)), aged("old", time.Date(2025, 11, 3, 9, 0, 0, 0, berlin)), empty, agents,
	}}
	c := testConfig()
	c.Zone = berlin
	m := SessionListModel(c, components.Page{}, l, Params{By: ByDate, Sort: "cost"}, now.UTC())
	want := `today: Today (Sunday, 22 November) 3 $3.00: future mono now live mono now midnight mono 00:00 []
yesterday: Yesterday (Saturday, 21 November) 1 $1.00: yesterday mono 23:59 []
week: Last week (16 to 20 November) 2 $2.00: friday mono Fri monday mono Mon [1 empty session]
2026-11: November 2026 (1 to 15 November) 1 $1.00: sunday mono 15 Nov []
2026-10: October 2026 () 1 $1.00: october mono 2 Oct []
2026-03: March 2026 () 0 : [1 agent-only session]
2025-11: November 2025 () 1 $1.00: old mono 3 Nov []
`
	if diff := cmp.Diff(want, dumpGroups(m)); diff != "" {
		t.Error(diff)
	}
	if !m.ByDate || len(m.Sorts) != 0 || m.Views[0].Href != "/?by=date" || !m.Views[0].On || m.Views[1].Href != "/?by=project" || m.NextDay != "2026-11-22T23:00:00Z" || m.Dates.Zone != "CET" {
		t.Errorf("%+v", m)
	}
	if m := SessionListModel(c, components.Page{}, l, Params{LastBy: ByDate}, now); !m.ByDate || m.Chips[1].Href != "/?format=pi" {
		t.Errorf("the last grouping is not kept: %v, %s", m.ByDate, m.Chips[1].Href)
	}
}

func TestCalendar(t *testing.T) {
	for _, c := range []struct{ now, at, want string }{
		{"2026-11-02", "2026-11-01", "Yesterday (Sunday, 1 November)"},
		{"2026-11-02", "2026-10-30", "Last week (27 to 31 October)"},
		{"2026-11-03", "2026-10-30", "Last week (28 October to 1 November)"},
		{"2026-11-03", "2026-10-27", "October 2026 (1 to 27 October)"},
		{"2026-11-08", "2026-11-01", "November 2026 (1 November)"},
		{"2026-11-07", "2026-10-31", "October 2026 ()"},
		{"2026-01-01", "2025-12-28", "Last week (26 to 30 December)"},
	} {
		day := func(s string) time.Time {
			d, err := time.ParseInLocation(time.DateOnly, s, berlin)
			if err != nil {
				t.Fatal(err)
			}
			return d.Add(12 * time.Hour)
		}
		p := newCalendar(day(c.now)).periodOf(day(c.at))
		if got := fmt.Sprintf("%s (%s)", p.name, p.detail); got != c.want {
			t.Errorf("%s on %s is in %s, want %s", c.at, c.now, got, c.want)
		}
	}
}

func TestDateRange(t *testing.T) {
	now := time.Date(2026, 11, 22, 14, 30, 0, 0, berlin)
	l := LibraryState{Progress: catalog.Progress{Complete: true}}
	for _, ago := range []int{0, 1, 6, 7, 29, 30} {
		l.Sessions = append(l.Sessions, aged(fmt.Sprint(ago), time.Date(2026, 11, 22-ago, 0, 0, 0, 0, berlin)))
	}
	c := testConfig()
	c.Zone = berlin
	for query, want := range map[string]string{
		"":                              "Any date: 0 1 6 7 29 30",
		"date=today":                    "Today: 0",
		"date=7d":                       "Last 7 days: 0 1 6",
		"date=30d":                      "Last 30 days: 0 1 6 7 29",
		"from=2026-11-16&date=today":    "From 2026-11-16: 0 1 6",
		"to=2026-11-15":                 "Until 2026-11-15: 7 29 30",
		"from=2026-11-21&to=2026-11-15": "2026-11-15 to 2026-11-21: 1 6 7",
		"from=2026-11-22&to=2026-11-22": "2026-11-22: 0",
	} {
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		p, err := ParseParams(q)
		if err != nil {
			t.Fatal(err)
		}
		p.By = ByDate
		m := SessionListModel(c, components.Page{}, l, p, now)
		got := m.Dates.Text + ":"
		for _, g := range m.Groups {
			for _, r := range g.Rows {
				got += " " + r.Key
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

// Windows of the list by date are parts of the whole list.
func TestSessions_byDateWindow(t *testing.T) {
	l := LibraryState{Progress: catalog.Progress{Complete: true}}
	for i := range 450 {
		s := aged(fmt.Sprint("k", i), noon.Add(-time.Duration(i)*5*time.Hour))
		if i%10 == 0 {
			s.Messages, s.AgentWrote = 0, time.Time{}
		}
		l.Sessions = append(l.Sessions, s)
	}
	groups := map[string]*components.SessionGroup{}
	var order []string
	for at := 0; at < 405; at += listPageRows {
		for _, g := range SessionListModel(testConfig(), components.Page{}, l, Params{By: ByDate, At: at}, noon).Groups {
			if have := groups[g.ID]; have == nil {
				order = append(order, g.ID)
				groups[g.ID] = &g
			} else {
				have.Rows = append(have.Rows, g.Rows...)
				if have.Folded.Text == "" {
					have.Folded = g.Folded
				}
			}
		}
	}
	whole := SessionListModel(testConfig(), components.Page{}, l, Params{By: ByDate, N: 1000}, noon)
	var joined []components.SessionGroup
	for _, id := range order {
		joined = append(joined, *groups[id])
	}
	if diff := cmp.Diff(whole.Groups, joined); diff != "" || whole.Shown != 405 {
		t.Errorf("%d shown; (-whole +windows):\n%s", whole.Shown, diff)
	}
}

// A format keeps its place when none of its sessions matches. An empty list names the
// filter whose removal shows most.
func TestSessions_noMatch(t *testing.T) {
	for _, c := range []struct {
		p    Params
		want string
	}{
		{Params{Query: "<b>", Format: "omp"}, "No the omp sessions match “<b>” | 1 session matches without “the omp”. | Remove the omp /?q=%3Cb%3E | pi 1, omp 0"},
		{Params{Labeled: true, Branches: true, By: ByProject}, "No labeled sessions with branches | 1 session matches without “Has branches”. | Remove Has branches /?by=project&labeled=1 | pi 3, omp 1"},
		{Params{Running: true, Labeled: true, Dates: DateRange{Name: "7d"}}, "No working labeled sessions in the last 7 days | 1 session matches without “Working”. | Remove Working /?labeled=1&date=7d | pi 3, omp 1"},
		{Params{Format: "omp", Dates: DateRange{From: "2026-02-04"}}, "No the omp sessions from 2026-02-04 | 1 session matches without “From 2026-02-04”. | Remove From 2026-02-04 /?format=omp | pi 3, omp 1"},
		{Params{Query: "zzz", Dates: DateRange{From: "2030-01-01"}}, "No sessions from 2030-01-01 match “zzz” |  | Show all / | pi 0, omp 0"},
	} {
		m := SessionListModel(testConfig(), components.Page{}, library(), c.p, noon)
		if m.Empty == nil {
			t.Errorf("%+v: %d sessions", c.p, m.Shown)
			continue
		}
		got := fmt.Sprintf("%s | %s | %s %s | pi %d, omp %d", m.Empty.Title, m.Empty.Text, m.Empty.Action, m.Empty.Href, m.Chips[1].Count, m.Chips[2].Count)
		if got != c.want {
			t.Errorf("%+v:\ngot  %s\nwant %s", c.p, got, c.want)
		}
	}
}
