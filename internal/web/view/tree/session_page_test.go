package tree

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/viewtest"
	"sessiontree/web/components"
)

func TestSession(t *testing.T) {
	s := viewtest.Forked()
	s.Label("l1", "u6", "u5", "live reload")
	s.Add("m1", "l1", `"type":"model_change","provider":"prov","modelId":"m-9"`)
	s.Add("k1", "m1", `"type":"thinking_level_change","thinkingLevel":"high"`)
	s.Add("n1", "k1", `"type":"session_info","name":" Theme port "`)
	sess := viewtest.Open(t, s.Text())
	base := "/sessions/" + sess.Key()
	viewtest.Look(t, sess, view.Params{}, func(sc view.Scene) {
		m := SessionModel(sc, SessionInfo{Page: components.Page{Static: "/static/x"}, File: "/home/dev/.pi/s.jsonl"})
		got := []string{m.Page.Title, m.Page.Static, m.Name, m.Project, m.Cwd, m.File, m.Format, m.LeafHref, fmt.Sprintln(m.PlainRows, m.Live, m.View.AtLeaf, m.View.SessionLeaf)}
		want := []string{"Theme port, proj", "/static/x", "Theme port", "proj", "~/proj", "~/.pi/s.jsonl", "pi", base, "true false true n1\n"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		wantFacts := components.Facts{
			PathEntries: "9", Tokens: "1.0k", Context: base + "/context", Spent: m.Facts.Spent, Model: "m-9", Thinking: "high",
			Visible: m.Facts.Visible, Hidden: 4, Entries: "15", Branches: m.Facts.Branches, Labels: 1, Hits: -1,
		}
		if diff := cmp.Diff(wantFacts, m.Facts); diff != "" {
			t.Error(diff)
		}
		if spent := m.Facts.Spent; spent == nil || spent.Path != "$1.00" || spent.Total != "$2.50" || spent.Left != "$1.50" || spent.LeftShare != "60%" || spent.All != "/spend" {
			t.Errorf("spent %+v", spent)
		}
		var ticks []string
		for _, k := range m.Ticks {
			ticks = append(ticks, fmt.Sprint(k.Class, k.Y, " ", k.Title))
		}
		if diff := cmp.Diff([]string{"prompt0 start here", "prompt222 use fs.watch", "prompt444 thanks", "label222 live reload", "fork222 Fork"}, ticks); diff != "" {
			t.Error(diff)
		}
		var chips []string
		for _, c := range append(m.Filters, m.Layouts...) {
			chips = append(chips, fmt.Sprint(c.Name, " ", c.Text, " ", strings.TrimPrefix(c.Href, base), " ", c.On))
		}
		if diff := cmp.Diff([]string{
			"default Default  true", "no-tools No tools ?filter=no-tools false", "user-only User ?filter=user-only false",
			"labeled-only Labeled ?filter=labeled-only false", "failed Failed ?filter=failed false", "all All ?filter=all false", "spine spine  true", "outline outline ?layout=outline false",
		}, chips); diff != "" {
			t.Error(diff)
		}
	})
	viewtest.Look(t, sess, view.Params{Query: "watch", Leaf: "a3"}, func(sc view.Scene) {
		m := SessionFrame(sc, SessionInfo{})
		if m.Facts.Hits != len(sc.Outline.Hits) || m.View.Leaf != "a3" || m.View.AtLeaf || m.LeafHref != base+"?q=watch" {
			t.Errorf("hits %d, leaf %s, at leaf %v, reset by %s", m.Facts.Hits, m.View.Leaf, m.View.AtLeaf, m.LeafHref)
		}
	})
}

func TestSession_name(t *testing.T) {
	var named, prompted, empty viewtest.Script
	named.User("u1", "", "hello")
	named.Add("n1", "u1", `"type":"session_info","name":"Named"`)
	prompted.Answer("a1", "", "first")
	prompted.User("u1", "a1", "the first prompt")
	empty.Answer("a1", "", "no prompt")
	for want, s := range map[string]*viewtest.Script{"Named": &named, "the first prompt": &prompted, "01964f3a-2b1c-7d4e-8f00-0123456789ab": &empty} {
		viewtest.Look(t, viewtest.Open(t, s.Text()), view.Params{}, func(sc view.Scene) {
			if got := view.SessionName(sc.Tree); got != want {
				t.Errorf("name %q, want %q", got, want)
			}
		})
	}
}

func TestSession_windows(t *testing.T) {
	sess := viewtest.Open(t, viewtest.Chain(200).Text())
	viewtest.Look(t, sess, view.Params{Entry: "u100"}, func(sc view.Scene) {
		m := SessionModel(sc, SessionInfo{})
		if m.PlainRows || len(m.Rows.Rows) != firstWindowRows {
			t.Errorf("%d rows of %d in the page", len(m.Rows.Rows), m.Rows.Total)
		}
		if i := m.Rows.Selected; i < m.Rows.At || i >= m.Rows.At+len(m.Rows.Rows) || m.Rows.Rows[i-m.Rows.At].Entry != "u100" {
			t.Errorf("the selected row %d is not in the window at %d", i, m.Rows.At)
		}
		if len(m.Ticks) != 200 {
			t.Errorf("%d ticks", len(m.Ticks))
		}
	})
	for _, c := range []struct{ total, i, n, want int }{{1000, 500, 200, 400}, {1000, 5, 200, 0}, {1000, 990, 200, 800}, {50, 20, 200, 0}, {1000, -1, 200, 0}} {
		if got := WindowAround(c.total, c.i, c.n); got != c.want {
			t.Errorf("WindowAround(%d, %d, %d) = %d, want %d", c.total, c.i, c.n, got, c.want)
		}
	}
}

func TestTicks_thin(t *testing.T) {
	var s viewtest.Script
	up := ""
	for i := range 900 {
		up = s.User(fmt.Sprintf("u%d", i), up, "x")
	}
	s.Label("l", up, "u450", "here")
	viewtest.Look(t, viewtest.Open(t, s.Text()), view.Params{}, func(sc view.Scene) {
		ticks := buildTicks(sc, sc.Tree.Trail(sc.View.Leaf))
		labels := 0
		for _, k := range ticks {
			if k.Class == "label" {
				labels++
			}
			if k.Y < 0 || k.Y > 999 {
				t.Errorf("tick at %d", k.Y)
			}
		}
		if len(ticks) != maxTicks || labels != 1 {
			t.Errorf("%d ticks, %d of labels", len(ticks), labels)
		}
	})
}

func TestBanners(t *testing.T) {
	dead := viewtest.Forked()
	dead.Out[len(dead.Out)-1] = strings.Replace(dead.Out[len(dead.Out)-1], "09:00:11", "09:30:00", 1)
	dead.Add("x1", "a4", `"type":"custom","customType":"note"`)
	old := `{"type":"session","id":"s","timestamp":"2025-01-01T00:00:00.000Z","cwd":"/x"}` + "\n" +
		`{"type":"message","timestamp":"2025-01-01T00:00:01.000Z","message":{"role":"user","content":"hi"}}` + "\n"
	for _, c := range []struct {
		name, content string
		gone          error
		want          []string
	}{
		{"nothing", viewtest.Forked().Text(), nil, nil},
		{"a torn line", viewtest.Forked().Text() + `{"type":`, nil, []string{"info: The last line is unfinished. | It appears once it is complete."}},
		{"a dead end", dead.Text(), nil, []string{"warn: The file ends on an abandoned branch. | Newer work is on another branch. The agent would continue from here. -> ?entry=u6&leaf=u6"}},
		{"an old version", old, nil, []string{"info: Version 1 file. | Shown in the current format. The file is unchanged."}},
		{"a newer version", strings.Replace(viewtest.Forked().Text(), `"version":3`, `"version":4`, 1), nil,
			[]string{"warn: Version 4 file, newer than supported. | The session is shown as well as possible and cannot be changed."}},
		{"no file", viewtest.Forked().Text(), &fs.PathError{Op: "open", Err: fs.ErrNotExist}, []string{"error: The file is gone. | What was read stays here until the explorer exits."}},
		{"no right", viewtest.Forked().Text(), fs.ErrPermission, []string{"error: No permission to read the file. | What was read stays here until the explorer exits."}},
	} {
		sess := viewtest.Open(t, c.content)
		notes := sess.Notes()
		viewtest.Look(t, sess, view.Params{}, func(sc view.Scene) {
			var got []string
			for _, m := range buildBanners(sc, SessionInfo{Notes: notes, ReadError: c.gone}) {
				text := m.Kind + ": " + m.Strong + " | " + m.Text
				if m.Action != nil {
					text += " -> " + strings.TrimPrefix(m.Action.Href, "/sessions/"+sess.Key())
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s:\n%s", c.name, diff)
			}
		})
	}
}

func TestCountBadLines(t *testing.T) {
	sess := viewtest.Open(t, viewtest.Forked().Text()+"{]\nnope\n")
	notes := sess.Notes()
	viewtest.Look(t, sess, view.Params{}, func(sc view.Scene) {
		m := SessionFrame(sc, SessionInfo{Notes: notes})
		if m.BadLines != 2 || len(m.Notes) != 2 || len(m.Banners) != 0 {
			t.Errorf("%d bad lines, notes %v, banners %v", m.BadLines, m.Notes, m.Banners)
		}
	})
}

func TestNotes(t *testing.T) {
	sess := viewtest.Open(t, viewtest.Forked().Text())
	var many []session.Note
	for range maxListedNotes + 5 {
		many = append(many, session.Note{Code: session.NoteBadLine, Line: 3, Text: "bad \u202Eline"})
	}
	many[0] = session.Note{Code: session.NoteOrphan, Line: 2, Entry: "u1", Text: "orphan"}
	many[1] = session.Note{Code: "other", Entry: "gone", Text: "no line"}
	viewtest.Look(t, sess, view.Params{}, func(sc view.Scene) {
		got := noteModels(sc, many)
		base := "/sessions/" + sess.Key()
		want := []components.NoteModel{
			{Code: "orphan", Text: "orphan", Line: 2, Href: base + "?entry=u1", RawHref: base + "/lines/2"},
			{Code: "other", Text: "no line"},
			{Code: "bad-line", Text: "bad [U+202E]line", Line: 3, RawHref: base + "/lines/3"},
		}
		if diff := cmp.Diff(want, got[:3]); diff != "" {
			t.Error(diff)
		}
		if last := got[len(got)-1]; len(got) != maxListedNotes+1 || !strings.HasPrefix(last.Text, "and 5 more problems") {
			t.Errorf("%d notes, the last %q", len(got), last.Text)
		}
	})
}
