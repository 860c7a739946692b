package index

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
	"sessiontree/internal/session/activity"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/viewtest"
	"sessiontree/web/components"
)

// testConfig returns a Config with symbols of formats.
func testConfig() view.Config {
	c := viewtest.Config()
	c.FormatGlyph = func(name string) string { return map[string]string{"pi": "π"}[name] }
	return c
}

var noon = time.Date(2026, 2, 3, 12, 0, 0, 0, time.UTC)

func library() LibraryState {
	ago := func(m int) time.Time { return noon.Add(-time.Duration(m) * time.Minute) }
	return LibraryState{
		Sessions: []catalog.Summary{
			{Key: "k1", Format: "pi", ID: "id1", Path: "/s/1.jsonl", Cwd: "/home/dev/mono", Name: "Theme port", FirstMessage: "read the docs", Model: "sonnet", Messages: 946, Branches: 8, Cost: 30.33, Modified: ago(0), FileTime: noon.Add(-time.Second), AgentWrote: noon.Add(-time.Second), Activity: &activity.Track{Turn: activity.TurnAgent}},
			{Key: "k2", Format: "omp", ID: "id2", Path: "/s/2.jsonl", Cwd: "/home/dev/dots", FirstMessage: "prompt without a name", Model: "qwen", Messages: 18, Modified: ago(3), FileTime: ago(3), AgentWrote: ago(3), Parent: "/s/1.jsonl"},
			{Key: "k3", Format: "pi", ID: "id3", Path: "/s/3.jsonl", Cwd: "/home/dev/mono", FirstMessage: "older <b>", Model: "gpt", Messages: 44, Labels: 2, Cost: 0.82, Modified: ago(90), FileTime: ago(90), AgentWrote: ago(90), Parent: "id2", Notes: 1},
			{Key: "k4", Format: "pi", ID: "id4", Messages: 1, Path: "/s/4.jsonl", Modified: ago(900), FileTime: ago(900), AgentWrote: ago(900), Parent: "unknown"},
		},
		Unreadable:  []catalog.Unreadable{{Path: "/home/dev/x.jsonl", Reason: "not a session file"}},
		Progress:    catalog.Progress{Complete: true, Files: 5},
		SessionDirs: []string{"/home/dev/.pi/agent/sessions"},
	}
}

func dumpIndex(m components.SessionsModel) string {
	var b strings.Builder
	for _, g := range m.Groups {
		fmt.Fprintf(&b, "%s (%s) %d %s\n", g.Name, g.Detail, g.Sessions, g.Cost)
		for _, r := range g.Rows {
			fmt.Fprintf(&b, "  %s %s|%s|%s %s|%s|%s|%d|%d|live %v|from %s\n", r.Href, r.Title, r.Subtitle, r.FormatGlyph, r.FormatTitle, r.Model, r.Cost, r.Messages, r.Forks, r.Live, r.ForkedFrom.Href)
		}
	}
	return b.String()
}

func TestSessions(t *testing.T) {
	m := SessionListModel(testConfig(), components.Page{Static: "/static/x"}, library(), Params{Sort: "active"}, noon)
	want := `mono (~/mono) 2 $31.15
  /sessions/k1 Theme port|read the docs|π the pi|sonnet|$30.33|946|8|live true|from 
  /sessions/k3 older <b>||π the pi|gpt|$0.82|44|0|live false|from /sessions/k2
dots (~/dots) 1 
  /sessions/k2 prompt without a name||o the omp|qwen||18|0|live false|from /sessions/k1
No folder () 1 
  /sessions/k4 id4||π the pi|||1|0|live false|from 
`
	if diff := cmp.Diff(want, dumpIndex(m)); diff != "" {
		t.Error(diff)
	}
	var chips []string
	for _, c := range m.Chips {
		chips = append(chips, fmt.Sprint(c.Name, " ", c.Text, " ", c.Count, " ", c.Href, " ", c.On, " ", c.Group))
	}
	if diff := cmp.Diff([]string{
		"all All 4 / true format", "format-pi the pi 3 /?format=pi false format", "format-omp the omp 1 /?format=omp false format",
		"running Working 1 /?running=1 false state", "waiting Waiting 0 /?waiting=1 false more", "unread Unread 0 /?unread=1 false more", "starred Starred 0 /?starred=1 false more", "branches Has branches 1 /?branches=1 false more", "labeled Labeled 1 /?labeled=1 false more",
	}, chips); diff != "" {
		t.Error(diff)
	}
	if m.Total != 4 || m.Shown != 4 || !m.Complete || m.Progress != "" || m.SessionDirs[0] != "~/.pi/agent/sessions" || m.Unreadable[0].Path != "~/x.jsonl" || m.Page.Static != "/static/x" {
		t.Errorf("%+v", m)
	}
}

func TestSessions_filters(t *testing.T) {
	for _, c := range []struct {
		p    Params
		want string
	}{
		{Params{}, "k1 k3 k2 k4"},
		{Params{Query: "MONO older"}, "k3"},
		{Params{Query: "id4"}, "k4"},
		{Params{Format: "omp"}, "k2"},
		{Params{Running: true}, "k1"},
		{Params{Branches: true}, "k1"},
		{Params{Labeled: true}, "k3"},
		{Params{Labeled: true, Running: true}, ""},
		{Params{Sort: "messages"}, "k1 k3 k2 k4"},
		{Params{Sort: "cost"}, "k1 k3 k2 k4"},
		{Params{Sort: "name"}, "k4 k3 k1 k2"},
	} {
		var keys []string
		for _, g := range SessionListModel(testConfig(), components.Page{}, library(), c.p, noon).Groups {
			for _, r := range g.Rows {
				keys = append(keys, r.Key)
			}
		}
		if got := strings.Join(keys, " "); got != c.want {
			t.Errorf("%+v shows %q, want %q", c.p, got, c.want)
		}
	}
	l := library()
	l.Progress = catalog.Progress{Files: 412}
	if m := SessionListModel(testConfig(), components.Page{}, l, Params{}, noon); m.Complete || m.Progress != "412 files read" {
		t.Errorf("while the list fills in: %v, %q", m.Complete, m.Progress)
	}
}

// A page contains the first rows; counts, filters and order apply to all sessions.
func TestSessions_window(t *testing.T) {
	l := LibraryState{Progress: catalog.Progress{Complete: true}}
	for i := range 450 {
		at := noon.Add(-time.Duration(i) * time.Hour)
		l.Sessions = append(l.Sessions, catalog.Summary{Key: fmt.Sprint("k", i), Format: "pi", Cwd: fmt.Sprint("/p", i/150), Name: fmt.Sprint("Session ", i), Messages: 1, Cost: 1, Modified: at, FileTime: at, AgentWrote: at})
	}
	var all []string
	index := func(p Params) (components.SessionsModel, []string) {
		m := SessionListModel(testConfig(), components.Page{}, l, p, noon)
		var keys []string
		for _, g := range m.Groups {
			if g.Sessions != 150 || g.Cost != "$150.00" {
				t.Errorf("%+v: group %s counts %d sessions, %s", p, g.Name, g.Sessions, g.Cost)
			}
			for _, r := range g.Rows {
				keys = append(keys, r.Key)
			}
		}
		return m, keys
	}
	for _, c := range []struct {
		at, rows, groups int
		more, href       string
	}{
		{0, 200, 2, "250 more sessions", "/?sort=cost&n=400#s-k199"},
		{200, 200, 2, "50 more sessions", "/?sort=cost&n=600#s-k399"},
		{400, 50, 1, "", ""},
		{900, 0, 0, "", ""},
	} {
		m, keys := index(Params{Sort: "cost", At: c.at})
		all = append(all, keys...)
		if len(keys) != c.rows || len(m.Groups) != c.groups || m.Shown != 450 || m.Chips[0].Count != 450 {
			t.Errorf("from %d: %d rows in %d groups of %d", c.at, len(keys), len(m.Groups), m.Shown)
		}
		if (m.More != nil) != (c.more != "") || m.More != nil && (m.More.Text != c.more || m.More.Href != c.href) {
			t.Errorf("from %d: more is %+v", c.at, m.More)
		}
	}
	m, whole := index(Params{Sort: "cost", N: 1000})
	if diff := cmp.Diff(whole, all); diff != "" || m.More != nil {
		t.Errorf("windows one after the other (-whole +windows):\n%s", diff)
	}
	for _, c := range append(m.Chips, m.Sorts...) {
		if strings.Contains(c.Href, "n=") {
			t.Errorf("choice %s keeps the number of rows: %s", c.Name, c.Href)
		}
	}
	if m := SessionListModel(testConfig(), components.Page{}, l, Params{Query: "session 449"}, noon); m.Shown != 1 || m.Groups[0].Rows[0].Key != "k449" {
		t.Errorf("a search finds %d of the rows that are not sent", m.Shown)
	}
}

func TestParseSessionListParams(t *testing.T) {
	p := Params{Query: "a b", Format: "pi", Running: true, Waiting: true, Unread: true, Starred: true, Branches: true, Labeled: true, Sort: "cost", By: ByDate, Dates: DateRange{From: "2026-01-01", To: "2026-01-31"}, N: 400}
	u, err := url.Parse(p.Href())
	if err != nil {
		t.Fatal(err)
	}
	got, err := ParseParams(u.Query())
	if err != nil || got != p {
		t.Errorf("ParseSessions(%s) = %+v, %v", p.Href(), got, err)
	}
	for _, q := range []url.Values{{"sort": {"size"}}, {"q": {strings.Repeat("x", view.MaxQueryBytes+1)}}, {"at": {"-1"}}, {"n": {"many"}}, {"by": {"size"}}, {"date": {"tomorrow"}}, {"from": {"1 May"}}} {
		if _, err := ParseParams(q); !errors.Is(err, session.ErrInvalid) {
			t.Errorf("ParseSessions(%v): error %v, want ErrInvalid", q, err)
		}
	}
}

func TestDrawSessionShape(t *testing.T) {
	got := drawSessionShape([]catalog.Lane{{From: -1, X0: 0, X1: 1000}, {From: 0, Lane: 1, X0: 200, X1: 500}, {From: 1, Lane: 2, X0: 300, X1: 301}}, 999)
	want := []components.ShapePath{
		{D: "M19.2 6c4 0 2 5 6 5H45", Class: "b"},
		{D: "M27.8 11c4 0 2 5 6 5H35.8", Class: "b"},
		{D: "M2 6H88", Class: "s", EndX: 88, EndY: 6},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var deep []catalog.Lane
	for i := range 100 {
		deep = append(deep, catalog.Lane{From: int8(i - 1), Lane: int8(i), X0: int16(i * 10), X1: 1000})
	}
	if paths := drawSessionShape(deep, 5000); len(paths) != maxShapeBranches+1 || paths[maxShapeBranches].EndY != 3 || paths[maxShapeBranches].EndX != 88 {
		t.Errorf("a deep tree: %d paths, %+v", len(paths), paths[len(paths)-1])
	}
	if got := drawSessionShape([]catalog.Lane{{From: -1, X1: 1000}}, 3); len(got) != 1 || got[0].EndY != 11 || got[0].EndX != 23.5 {
		t.Errorf("a short session without branches: %+v", got)
	}
	if got := drawSessionShape(nil, 0); got != nil {
		t.Errorf("no shape: %+v", got)
	}
}

// Sessions without messages, and sub-agents whose session was deleted, share one line of
// their project and are counted nowhere else.
func TestSessions_folded(t *testing.T) {
	summary := func(key, cwd string, messages int, lost bool, age time.Duration) catalog.Summary {
		at := noon.Add(-age)
		return catalog.Summary{Key: key, Format: "pi", Cwd: cwd, ID: key, Messages: messages, Orphaned: lost, Modified: at, FileTime: at, AgentWrote: at, Activity: &activity.Track{Turn: activity.TurnAgent}}
	}
	l := LibraryState{Progress: catalog.Progress{Complete: true}, Sessions: []catalog.Summary{
		summary("empty1", "/a", 0, false, time.Hour), summary("talk", "/a", 3, false, 2*time.Hour), summary("empty2", "/a", 0, false, 3*time.Hour),
		summary("lost", "/a", 9, true, 4*time.Hour), summary("begun", "/a", 0, false, time.Second), summary("other", "/b", 0, false, time.Hour),
	}}
	dump := func(p Params) (text string) {
		m := SessionListModel(testConfig(), components.Page{}, l, p, noon)
		text = fmt.Sprintf("%d of %d, %s %d", m.Shown, m.Total, m.Chips[0].Text, m.Chips[0].Count)
		for _, g := range m.Groups {
			text += fmt.Sprintf("; %s %d:", g.ID, g.Sessions)
			for _, r := range g.Rows {
				text += " " + r.Key
			}
			text += fmt.Sprintf(" [%s %v", g.Folded.Text, g.Folded.Open)
			for _, r := range g.Folded.Rows {
				text += " " + r.Key
			}
			text += "]"
		}
		return text
	}
	for _, c := range []struct {
		p    Params
		want string
	}{
		{Params{}, "2 of 2, All 2; /a 2: begun talk [2 empty and 1 agent-only session false empty1 empty2 lost]; /b 0: [1 empty session false other]"},
		{Params{Query: "empty2"}, "0 of 2, All 0; /a 0: [1 empty session true empty2]"},
		{Params{At: 2}, "2 of 2, All 2"},
		{Params{At: 3}, "2 of 2, All 2"},
		{Params{Running: true}, "1 of 2, All 2; /a 1: begun [ false]"},
	} {
		if got := dump(c.p); got != c.want {
			t.Errorf("%+v:\ngot  %s\nwant %s", c.p, got, c.want)
		}
	}
}
