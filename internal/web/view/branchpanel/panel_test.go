package branchpanel_test

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/branchpanel"
	"sessiontree/internal/web/viewtest"
	"sessiontree/web/components"
)

// forkedScene calls fn with a session with a current path, two abandoned branches, one of
// them with a label, and a sub-agent.
func forkedScene(t *testing.T, fn func(view.Scene)) {
	t.Helper()
	entry := func(id, parent string, k session.Kind, text string, at int64, cost float64, flags session.Flags) session.Entry {
		e := session.Entry{ID: id, Parent: parent, Kind: k, Preview: text, Time: at, Flags: flags | session.FlagText}
		if k == session.KindAssistant {
			e.Details = &session.Details{Charge: &session.Charge{Key: session.HashParts(id), HasCost: true, Usage: session.Usage{Cost: cost, CacheRead: int64(cost * 1000)}}}
		}
		if parent != "" {
			e.Flags |= session.FlagHasParent
		}
		return e
	}
	label := entry("label", "done", session.KindLabel, "safe <b>", 90, 0, session.FlagOn)
	label.Details = &session.Details{Target: "tried"}
	tree := session.BuildTree(session.Header{Format: "x", ID: "s"}, []session.Entry{
		entry("ask", "", session.KindUser, "Where does the time go?", 10, 0, 0),
		entry("answer", "ask", session.KindAssistant, "Into encoding", 11, 1, 0),
		entry("agent", "answer", session.KindUser, "Find every caller", 12, 0, session.FlagAgent),
		entry("found", "agent", session.KindAssistant, "Three callers", 13, 2, 0),
		entry("left", "answer", session.KindUser, "Use a library", 20, 0, 0),
		entry("tried", "left", session.KindAssistant, "It brings four modules", 21, 4, 0),
		entry("other", "answer", session.KindUser, "Do nothing", 30, 0, 0),
		entry("main", "answer", session.KindUser, "Write a cache", 40, 0, 0),
		entry("done", "main", session.KindAssistant, "Done", 41, 8, 0),
		label,
	}, nil)
	s, err := view.NewScene(viewtest.Config(), view.Audience{}, tree, view.Params{})
	if err != nil {
		t.Fatal(err)
	}
	s.Key, s.Rev = "k", "1.1"
	fn(s)
}

func panelFor(t *testing.T, query string) (m components.BranchPanelModel) {
	t.Helper()
	q, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	p, err := branchpanel.ParseParams(q)
	if err != nil {
		t.Fatal(err)
	}
	forkedScene(t, func(s view.Scene) { m = branchpanel.PanelModel(s, p, session.Capabilities{}) })
	return m
}

func names(m components.BranchPanelModel) string {
	var all []string
	for _, r := range m.Rows.Rows {
		all = append(all, r.Name)
	}
	return strings.Join(all, "|")
}

func TestPanelModel_order(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"":                             "Current path|Do nothing|Use a library|Find every caller",
		"order=asc":                    "Find every caller|Use a library|Do nothing|Current path",
		"sort=cost":                    "Current path|Use a library|Find every caller|Do nothing",
		"sort=cost&order=asc":          "Current path|Do nothing|Find every caller|Use a library",
		"sort=name":                    "Current path|Do nothing|Find every caller|Use a library",
		"sort=entries":                 "Current path|Find every caller|Use a library|Do nothing",
		"show=abandoned":               "Do nothing|Use a library",
		"show=agents":                  "Find every caller",
		"show=labeled":                 "Use a library",
		"find=LIBRARY":                 "Use a library",
		"find=safe":                    "Use a library",
		"find=u":                       "Current path|Use a library",
		"find=caller every":            "Find every caller",
		"find=kafka":                   "",
		"find=u&sort=cost&order=asc":   "Use a library|Current path",
		"show=abandoned&find=no+thing": "Do nothing",
	} {
		if got := names(panelFor(t, query)); got != want {
			t.Errorf("%q lists %q, want %q", query, got, want)
		}
	}
}

func TestPanelModel_content(t *testing.T) {
	t.Parallel()
	m := panelFor(t, "")
	if m.SessionCost != "$15.00" || m.PathCost != "$9.00" || m.LeftCost != "$4.00" || m.LeftShare != "27%" || m.AgentCost != "$2.00" || m.Total != 2 || m.Agents != 1 || !m.Plain {
		t.Errorf("totals %+v", m)
	}
	rows := m.Rows.Rows
	if r := rows[0]; !r.Current || r.Href != "/sessions/k" || r.From != 0 || r.To != 1000 || r.Cost != "$9.00" || r.Tokens != "9.0k" || r.Entries != "5" {
		t.Errorf("current path %+v", r)
	}
	if r := rows[2]; r.Tag != "abandoned" || r.Href != "/sessions/k?entry=left&leaf=tried" || r.Switch != "/sessions/k/switch?entry=tried" || r.From != 400 || r.To != 800 || len(r.Label) != 1 || r.Label[0].Text != "safe <b>" {
		t.Errorf("abandoned branch %+v", r)
	}
	if r := rows[3]; r.Tag != "sub-agent" || r.Switch != "" {
		t.Errorf("sub-agent %+v", r)
	}
	find := panelFor(t, "find=library&sort=cost")
	if text := find.Rows.Rows[0].Text; len(text) != 2 || !text[1].Mark || text[1].Text != "library" {
		t.Errorf("marks %+v", text)
	}
	if !slices.Contains(find.Hidden, components.Pair{Name: "sort", Value: "cost"}) || len(find.Hidden) != 1 || find.Search != "/sessions/k?filter=all&q=library" {
		t.Errorf("form %+v, search %q", find.Hidden, find.Search)
	}
	for _, c := range find.Columns {
		want := map[string]string{"cost": "/sessions/k/branches?find=library&order=asc&sort=cost", "time": "/sessions/k/branches?find=library", "name": "/sessions/k/branches?find=library&sort=name"}[c.Name]
		if want != "" && c.Href != want {
			t.Errorf("the header of %s links to %q, want %q", c.Name, c.Href, want)
		}
	}
}

func TestParseParams_invalid(t *testing.T) {
	t.Parallel()
	for _, query := range []string{"sort=size", "order=up", "show=mine", "find=" + strings.Repeat("x", 2000)} {
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := branchpanel.ParseParams(q); !errors.Is(err, session.ErrInvalid) {
			t.Errorf("%.20q: %v", query, err)
		}
	}
}

func TestRowsModel_window(t *testing.T) {
	t.Parallel()
	forkedScene(t, func(s view.Scene) {
		m := branchpanel.RowsModel(s, branchpanel.Params{Sort: "name", Ascending: true}, 1, 2, session.Capabilities{})
		if m.At != 1 || m.Total != 4 || len(m.Rows) != 2 || m.Rows[0].Index != 1 || m.Rows[0].Name != "Do nothing" {
			t.Errorf("%+v", m)
		}
		if m := branchpanel.RowsModel(s, branchpanel.Params{Sort: "name"}, 9, 2, session.Capabilities{}); len(m.Rows) != 0 || m.Total != 4 {
			t.Errorf("%+v", m)
		}
	})
}
