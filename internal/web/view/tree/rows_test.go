package tree

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session/outline"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/viewtest"
	"sessiontree/web/components"
)

// Rows of one tree in various views.
func TestRows(t *testing.T) {
	s := viewtest.Forked()
	s.Label("l1", "u6", "a1", "good")
	s.Label("l2", "a2", "a2", "beside") // bookkeeping next to the branches
	s.Answer("a6", "l1", "last", "run1")
	s.User("o1", "missing", "orphan")
	sess := viewtest.Open(t, s.Text())
	var out strings.Builder
	for _, c := range []struct {
		name string
		p    view.Params
	}{
		{"default", view.Params{}},
		{"a branch opened by hand", view.Params{Open: map[string]bool{"u2": true}}},
		{"viewing a branch in a branch", view.Params{Entry: "u3"}},
		{"settings opened by hand", view.Params{Open: map[string]bool{"u2": true, "l2": true}}},
		{"all", view.Params{Filter: outline.FilterAll}},
		{"prompts", view.Params{Filter: outline.FilterUserOnly}},
		{"labeled", view.Params{Filter: outline.FilterLabeledOnly}},
		{"a query", view.Params{Query: "FS WATCH"}},
		{"outline", view.Params{Layout: outline.LayoutOutline}},
		{"outline, folded", view.Params{Layout: outline.LayoutOutline, Open: map[string]bool{"u2": false}}},
	} {
		viewtest.Look(t, sess, c.p, func(s view.Scene) {
			fmt.Fprintf(&out, "== %s\n%s", c.name, viewtest.DumpRows(RowsModel(s, 0, 200).Rows))
		})
	}
	viewtest.CompareGolden(t, "rows.golden", out.String())
}

func TestRows_window(t *testing.T) {
	sess := viewtest.Open(t, viewtest.Chain(30).Text())
	viewtest.Look(t, sess, view.Params{}, func(s view.Scene) {
		whole := RowsModel(s, 0, 1000)
		if whole.Total != len(whole.Rows) || whole.Total < 100 {
			t.Fatalf("%d rows of %d", len(whole.Rows), whole.Total)
		}
		part := RowsModel(s, 40, 25)
		if part.At != 40 || part.Total != whole.Total || part.From != 40 {
			t.Errorf("window at %d of %d, from %d", part.At, part.Total, part.From)
		}
		if diff := cmp.Diff(whole.Rows[40:65], part.Rows); diff != "" {
			t.Errorf("a window differs from the slice of the whole:\n%s", diff)
		}
		if got := RowsModel(s, 5000, 10); len(got.Rows) != 0 || got.At != whole.Total {
			t.Errorf("a window behind the end has %d rows at %d", len(got.Rows), got.At)
		}
	})
}

func TestRows_links(t *testing.T) {
	sess := viewtest.Open(t, viewtest.Forked().Text())
	base := "/sessions/" + sess.Key()
	viewtest.Look(t, sess, view.Params{}, func(s view.Scene) {
		r := RowsModel(s, 0, 10).Rows
		for _, c := range []struct{ got, want string }{
			{r[0].Href, base + "?entry=u1#e-u1"},
			{r[2].ID, "b-u2"},
			{r[2].Href, base + "?entry=u2#e-u2"},
			{r[2].Toggle, base + "?open=u2"},
		} {
			if c.got != c.want {
				t.Errorf("got %q, want %q", c.got, c.want)
			}
		}
		if got := r[2]; got.Level != 1 || got.Count != 6 || got.Age.ISO != "2026-02-03T09:00:08.000Z" {
			t.Errorf("stub: level %d, %d entries, newest %s", got.Level, got.Count, got.Age.ISO)
		}
	})
	viewtest.Look(t, sess, view.Params{Open: map[string]bool{"u2": true, "zz": true}}, func(s view.Scene) {
		if got, want := RowsModel(s, 0, 10).Rows[2].Toggle, base+"?open=zz"; got != want {
			t.Errorf("a branch opened by hand closes by %q, want %q", got, want)
		}
	})
	viewtest.Look(t, sess, view.Params{Entry: "u4", Leaf: "a4"}, func(s view.Scene) {
		for _, r := range RowsModel(s, 0, 20).Rows {
			pinned := strings.Contains(r.Href, "leaf=a4")
			if r.OnPath != pinned {
				t.Errorf("row %s, on the path %v, leads to %s", r.ID, r.OnPath, r.Href)
			}
			if r.Expanded == 1 && !strings.Contains(r.Toggle, "open=-"+r.ID[2:]) {
				t.Errorf("open row %s closes by %s", r.ID, r.Toggle)
			}
		}
	})
}

// A branch too deep for a lane of its own can be focused while something in it is viewed.
func TestRows_focus(t *testing.T) {
	var s viewtest.Script
	s.User("n0", "", "start")
	for i := range 6 {
		s.User(fmt.Sprint("n", i+1), fmt.Sprint("n", i), "deeper")
	}
	for i := 5; i >= 0; i-- {
		s.User(fmt.Sprint("m", i), fmt.Sprint("n", i), "on")
	}
	sess := viewtest.Open(t, s.Text())
	base := "/sessions/" + sess.Key()
	unfold := map[string]bool{"n1": true, "n2": true, "n3": true, "n4": true, "n5": true}
	viewtest.Look(t, sess, view.Params{Open: unfold}, func(s view.Scene) {
		got := map[string]string{}
		for _, r := range RowsModel(s, 0, 50).Rows {
			if r.Focus != "" {
				got[r.ID] = r.Focus
			}
		}
		list := "&open=n1%2Cn2%2Cn3%2Cn4%2Cn5"
		want := map[string]string{"b-n4": base + "?entry=n4&root=n4" + list, "b-n5": base + "?entry=n5&root=n5" + list, "b-n6": base + "?entry=n6&root=n6" + list}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("branches to focus (-want +got):\n%s", diff)
		}
	})
	for _, c := range []struct {
		p     view.Params
		first string
	}{
		{view.Params{Entry: "n4", Root: "n4"}, "r-n4"},
		{view.Params{Entry: "m5", Root: "n4"}, "r-n4"},
		{view.Params{Root: "n4"}, "r-n0"}, // the leaf is in another branch
		{view.Params{Entry: "m3", Root: "n4"}, "r-n0"},
		{view.Params{Entry: "n4", Root: "gone"}, "r-n0"},
	} {
		viewtest.Look(t, sess, c.p, func(s view.Scene) {
			m := SessionFrame(s, SessionInfo{})
			if first := RowsModel(s, 0, 1).Rows[0].ID; first != c.first || (m.View.Root != "") != (first == "r-n4") {
				t.Errorf("%+v begins with %s, the focus is %q", c.p, first, m.View.Root)
			}
			if want := s.Params.WithRoot("").Href(base); m.TreeHref != want || strings.Contains(m.LeafHref, "root=") {
				t.Errorf("%+v: the whole tree is %s, want %s; the leaf is %s", c.p, m.TreeHref, want, m.LeafHref)
			}
		})
	}
}

func TestRows_running(t *testing.T) {
	var s viewtest.Script
	s.User("u1", "", "go")
	s.Answer("a1", "u1", "running it", "c1")
	sess := viewtest.Open(t, s.Text())
	viewtest.Look(t, sess, view.Params{}, func(s view.Scene) {
		rows := RowsModel(s, 0, 9).Rows
		if r := rows[len(rows)-1]; r.ID != "c-a1-0" || r.Running || r.Meta != "no result" {
			t.Errorf("a call without result in an old session: %+v", r)
		}
		s.RunsTool = true
		rows = RowsModel(s, 0, 9).Rows
		if r := rows[len(rows)-1]; !r.Running || r.Meta != "" {
			t.Errorf("a call that may still run: %+v", r)
		}
	})
}

func TestRows_empty(t *testing.T) {
	empty := viewtest.Open(t, viewtest.Lines())
	full := viewtest.Open(t, viewtest.Forked().Text())
	var one viewtest.Script
	one.Add("m1", "", `"type":"model_change","provider":"prov","modelId":"m-9"`)
	setting := viewtest.Open(t, one.Text())
	for _, c := range []struct {
		name string
		p    view.Params
		want string
		out  string
	}{
		{"", view.Params{}, "This session has no entries yet.", ""},
		{"query", view.Params{Query: "zzz", Layout: outline.LayoutOutline}, "No entry matches “zzz”.", "?"},
		{"labels", view.Params{Filter: outline.FilterLabeledOnly, Layout: outline.LayoutOutline}, "No labels in this session.", "filter=all"},
		{"labels beside the branches", view.Params{Filter: outline.FilterLabeledOnly}, "No labels in this session.", "filter=all"},
		{"prompts", view.Params{Filter: outline.FilterUserOnly}, "No prompts in this session.", "filter=all"},
		{"tools", view.Params{Filter: outline.FilterNoTools}, "The filter “No tools” hides the only entry.", "filter=all"},
	} {
		sess := full
		switch c.name {
		case "":
			sess = empty
		case "prompts", "tools":
			sess = setting
		}
		viewtest.Look(t, sess, c.p, func(s view.Scene) {
			m := RowsModel(s, 0, 10)
			if m.Empty != c.want || len(m.Rows) != 0 {
				t.Errorf("%s: %q with %d rows, want %q", c.name, m.Empty, len(m.Rows), c.want)
			}
			if (m.EmptyLink == nil) != (c.out == "") || m.EmptyLink != nil && c.out != "?" && !strings.Contains(m.EmptyLink.Href, c.out) {
				t.Errorf("%s: the way out is %+v", c.name, m.EmptyLink)
			}
		})
	}
}

func TestLaneCells(t *testing.T) {
	cell := func(colour, shape string) components.LaneCell {
		return components.LaneCell{Color: colour, Shape: shape}
	}
	for _, c := range []struct {
		name  string
		row   outline.Row
		cells []components.LaneCell
		more  int
	}{
		{"through the viewed spine", outline.Row{SpineRow: outline.SpineRow{Through: 1, Path: 1}}, []components.LaneCell{cell("path", "")}, 0},
		{"first of the spine", outline.Row{SpineRow: outline.SpineRow{First: true, Path: 1}}, []components.LaneCell{cell("path", "start")}, 0},
		{"last of a spine not viewed", outline.Row{SpineRow: outline.SpineRow{Last: true}}, []components.LaneCell{cell("spine", "end")}, 0},
		{"alone", outline.Row{SpineRow: outline.SpineRow{First: true, Last: true}}, []components.LaneCell{cell("spine", "none")}, 0},
		{"closed stub", outline.Row{Kind: outline.RowBranch, Lane: 1, SpineRow: outline.SpineRow{Through: 1, Path: 1}},
			[]components.LaneCell{cell("path", ""), cell("branch", "elbow none")}, 0},
		{"viewed stub", outline.Row{Kind: outline.RowBranch, Lane: 1, Open: true, SpineRow: outline.SpineRow{Through: 1, Path: 2}},
			[]components.LaneCell{cell("spine", ""), cell("path", "elbow start")}, 0},
		{"a lane that ended to the left", outline.Row{Lane: 2, SpineRow: outline.SpineRow{Through: 0b101, Last: true}},
			[]components.LaneCell{cell("spine", ""), cell("branch", "none"), cell("branch", "end")}, 0},
		{"lanes 4 and up share a cell", outline.Row{Lane: 7, SpineRow: outline.SpineRow{Through: 0b1111_1111, Path: 1 << 7}},
			[]components.LaneCell{cell("spine", ""), cell("branch", ""), cell("branch", ""), cell("branch", ""), cell("path", "")}, 7},
		{"lanes 63 and up share a bit", outline.Row{Lane: 90, SpineRow: outline.SpineRow{Path: 1 << 63}},
			[]components.LaneCell{cell("spine", "none"), cell("branch", "none"), cell("branch", "none"), cell("branch", "none"), cell("path", "")}, 90},
	} {
		cells, more := laneCells(&c.row)
		if diff := cmp.Diff(c.cells, cells); diff != "" || more != c.more {
			t.Errorf("%s: more %d, want %d\n%s", c.name, more, c.more, diff)
		}
	}
}

func TestMarkSpans(t *testing.T) {
	mark := func(s string) components.Span { return components.Span{Text: s, Mark: true} }
	plain := func(s string) components.Span { return components.Span{Text: s} }
	for _, c := range []struct {
		text, query string
		want        []components.Span
	}{
		{"", "a", nil},
		{"plain", "", []components.Span{plain("plain")}},
		{"no hit", "zz", []components.Span{plain("no hit")}},
		{"The theme THEME", "theme", []components.Span{plain("The "), mark("theme"), plain(" "), mark("THEME")}},
		{"abcabc", "abc ca", []components.Span{mark("abcabc")}},
		{"İstanbul TAN", "tan bul", []components.Span{plain("İs"), mark("tanbul"), plain(" "), mark("TAN")}},
		{"ÄÖ", "ö", []components.Span{plain("Ä"), mark("Ö")}},
	} {
		if diff := cmp.Diff(c.want, view.MarkSpans(c.text, view.SplitQuery(c.query))); diff != "" {
			t.Errorf("spans(%q, %q):\n%s", c.text, c.query, diff)
		}
	}
}
