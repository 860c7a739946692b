package palette_test

import (
	"fmt"
	"testing"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/palette"
	"sessiontree/internal/web/viewtest"
)

func names(g palette.Group) (all []string) {
	for _, c := range g.Items {
		all = append(all, c.Name+" / "+c.Detail)
	}
	return all
}

func TestFindSessions(t *testing.T) {
	t.Parallel()
	at := func(day int) time.Time { return time.Date(2026, 2, day, 9, 0, 0, 0, time.UTC) }
	all := []catalog.Summary{
		{Key: "a", Name: "Tile cache", FirstMessage: "why so slow", Cwd: "/home/dev/atlas", Messages: 3, Modified: at(1)},
		{Key: "b", FirstMessage: "cache the tiles\nplease", Cwd: "/home/dev/atlas", Messages: 3, Modified: at(3)},
		{Key: "c", Name: "Empty cache", Cwd: "/home/dev/atlas", Modified: at(4)},
		{Key: "d", Name: "Ledger", FirstMessage: "import", Cwd: "/home/dev/cache", Messages: 1, Modified: at(2)},
	}
	g := palette.FindSessions(viewtest.Config(), all, "CACHE")
	want := "[cache the tiles please / atlas Ledger / cache Tile cache / why so slow]"
	if got := fmt.Sprint(names(g)); got != want || g.Total != 3 {
		t.Errorf("%s of %d, want %s", got, g.Total, want)
	}
	if g.Items[0].Href != "/sessions/b" || g.Items[0].Time == "" {
		t.Errorf("%+v", g.Items[0])
	}
}

func TestFindEntries(t *testing.T) {
	t.Parallel()
	entry := func(id, parent string, k session.Kind, text string) session.Entry {
		e := session.Entry{ID: id, Parent: parent, Kind: k, Preview: text, Time: 1000}
		if parent != "" {
			e.Flags = session.FlagHasParent
		}
		return e
	}
	label := entry("l", "a3", session.KindLabel, "branch point")
	label.Flags |= session.FlagOn
	label.Details = &session.Details{Target: "u1"}
	tree := session.BuildTree(session.Header{Format: "x", ID: "s"}, []session.Entry{
		entry("u1", "", session.KindUser, "new git branch first"),
		entry("a1", "u1", session.KindAssistant, "The branch is there <b>"),
		entry("u2", "a1", session.KindUser, "another branch"),
		entry("r1", "a1", session.KindToolResult, "branch"),
		entry("a3", "r1", session.KindAssistant, "done"),
		label,
	}, nil)
	s, err := view.NewScene(viewtest.Config(), view.Audience{}, tree, view.Params{})
	if err != nil {
		t.Fatal(err)
	}
	s.Key = "k"
	g := palette.FindEntries(s, "branch")
	want := "[another branch / Prompt, another branch new git branch first / Prompt The branch is there <b> / Answer]"
	if got := fmt.Sprint(names(g)); got != want || g.Total != 3 || g.Items[1].Href != "/sessions/k?entry=u1" {
		t.Errorf("%s of %d, want %s", got, g.Total, want)
	}
	labels := palette.FindLabels(s, "point")
	if got := fmt.Sprint(names(labels)); got != "[branch point / new git branch first]" || labels.Items[0].Href != "/sessions/k?entry=u1" {
		t.Errorf("labels %s", got)
	}
	if none := palette.FindEntries(s, " "); none.Total != 0 {
		t.Errorf("without a query: %+v", none)
	}
}

// A group lists a limited number of choices and counts all.
func TestFindSessions_limit(t *testing.T) {
	t.Parallel()
	var all []catalog.Summary
	for i := range 60 {
		all = append(all, catalog.Summary{Key: fmt.Sprint(i), Name: "Session", Messages: 1})
	}
	if g := palette.FindSessions(viewtest.Config(), all, "session"); g.Total != 60 || len(g.Items) != 25 {
		t.Errorf("%d of %d", len(g.Items), g.Total)
	}
}
