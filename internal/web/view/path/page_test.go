package path_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/internal/slowtest"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/path"
	"sessiontree/internal/web/viewtest"
	"sessiontree/web/components"
)

// ids returns the ids of the entries that items show, in order.
func ids(items []components.Item) []string {
	var out []string
	for _, m := range viewtest.DescribeItems(items) {
		switch m.Kind {
		case "fork", "leaf", "end":
		case "tools":
			for _, t := range m.Tools {
				out = append(out, t.Entry, t.Result)
			}
		default:
			out = append(out, m.Entry)
		}
	}
	return out
}

// Joined pages equal the whole path, in both directions.
func TestPath_pages(t *testing.T) {
	sess := viewtest.Open(t, viewtest.Chain(40).Text())
	var want []string
	for i := range 40 {
		want = append(want, fmt.Sprintf("u%d", i), fmt.Sprintf("a%d", i), fmt.Sprintf("r%da", i), fmt.Sprintf("a%d", i), fmt.Sprintf("r%db", i), fmt.Sprintf("z%d", i))
	}
	var forth []string
	after := view.BeforeFirstEntry
	for after != "" {
		m := viewtest.PathOf(t, sess, view.Params{}, path.Query{After: after, N: 7})
		forth = append(forth, ids(m.Items)...)
		if m.Total != 200 || m.AtEnd != (m.After == "") || m.AtEnd != (m.Left == 0) {
			t.Fatalf("after %s: total %d, at end %v, left %d, after %q", after, m.Total, m.AtEnd, m.Left, m.After)
		}
		after = m.Last
		if m.AtEnd {
			after = ""
		}
	}
	if diff := cmp.Diff(want, forth); diff != "" {
		t.Errorf("read forth:\n%s", diff)
	}
	back := ids(viewtest.PathOf(t, sess, view.Params{}, path.Query{N: 9}).Items)
	for m := viewtest.PathOf(t, sess, view.Params{}, path.Query{N: 9}); m.More != ""; {
		m = viewtest.PathOf(t, sess, view.Params{}, path.Query{Before: m.First, N: 9})
		back = append(ids(m.Items), back...)
	}
	if diff := cmp.Diff(want, back); diff != "" {
		t.Errorf("read back:\n%s", diff)
	}
	// The last page can be requested without knowing the leaf, for any viewed entry.
	last, end := viewtest.PathOf(t, sess, view.Params{}, path.Query{N: 9}), viewtest.PathOf(t, sess, view.Params{Entry: "u3"}, path.Query{Before: view.BeforeFirstEntry, N: 9})
	if diff := cmp.Diff(ids(last.Items), ids(end.Items)); diff != "" || !end.AtEnd {
		t.Errorf("the last page, at end %v:\n%s", end.AtEnd, diff)
	}
}

func TestPath_around(t *testing.T) {
	sess := viewtest.Open(t, viewtest.Chain(40).Text())
	m := viewtest.PathOf(t, sess, view.Params{Entry: "r20b"}, path.Query{})
	if m.Selected != "r20b" || m.Skipped == 0 || m.Left == 0 || !strings.Contains(viewtest.DumpItems(m.Items), "tool e-r20b") {
		t.Errorf("around r20b: selected %q, %d before, %d after", m.Selected, m.Skipped, m.Left)
	}
	base := "/sessions/" + sess.Key()
	if m.More != base+"?entry="+before(sess, m.First) || !strings.HasPrefix(m.After, base+"?entry=") {
		t.Errorf("pages beside it: %q, %q", m.More, m.After)
	}
	target := 0
	for _, it := range viewtest.DescribeItems(m.Items) {
		if it.Target {
			target++
		}
	}
	if target != 1 {
		t.Errorf("%d items are the viewed one", target)
	}
	if m := viewtest.PathOf(t, sess, view.Params{}, path.Query{}); !m.AtEnd || viewtest.DescribeItems(m.Items)[len(m.Items)-1].Kind != "leaf" || m.Last != "z39" {
		t.Errorf("without an entry the page ends at %s, want the leaf", m.Last)
	}
}

func before(sess *store.Session, id string) (parent string) {
	sess.ReadTree(func(t *session.Tree, _ store.Revision) { parent = t.At(t.Parent(t.FindID(id))).ID })
	return parent
}

func TestPath_unknown(t *testing.T) {
	sess := viewtest.Open(t, viewtest.Forked().Text())
	for _, c := range []struct {
		p view.Params
		q path.Query
	}{
		{view.Params{Entry: "x"}, path.Query{}},
		{view.Params{}, path.Query{Around: "x"}},
		{view.Params{}, path.Query{Before: "x"}},
		{view.Params{}, path.Query{After: "u4"}}, // on another branch
	} {
		if _, err := viewtest.PathModel(path.NewRenderer(), sess, c.p, c.q); !errors.Is(err, session.ErrNotFound) {
			t.Errorf("Path(%+v, %+v): error %v, want ErrNotFound", c.p, c.q, err)
		}
	}
}

// If what follows the anchor is replaced by a new request, a growing path equals a fresh
// page.
func TestPath_anchor(t *testing.T) {
	s := viewtest.Chain(3)
	s.User("q", "z2", "more")
	s.Answer("b1", "q", "with words", "k1", "k2")
	s.Result("d1", "b1", "k1", "one")
	s.Result("d2", "d1", "k2", "two")
	s.Answer("b2", "d2", "", "k3")
	s.Add("n1", "b2", `"type":"thinking_level_change","thinkingLevel":"low"`)
	s.Result("d3", "n1", "k3", "three")
	s.Add("n2", "d3", `"type":"model_change","provider":"prov","modelId":"m-2"`)
	s.Add("n3", "n2", `"type":"thinking_level_change","thinkingLevel":"high"`)
	s.Add("n4", "n3", `"type":"model_change","provider":"prov","modelId":"m-3"`)
	s.Answer("b3", "n4", "the end")
	s.Add("n5", "b3", `"type":"thinking_level_change","thinkingLevel":"off"`)
	whole := viewtest.Open(t, s.Text())
	want := viewtest.PathOf(t, whole, view.Params{}, path.Query{After: view.BeforeFirstEntry, N: 200}).Items
	file := filepath.Join(t.TempDir(), "grow.jsonl")
	all := strings.SplitAfter(s.Text(), "\n")
	for n := 2; n < len(all)-1; n++ {
		sess := viewtest.OpenFile(t, file, strings.Join(all[:n], ""))
		old := viewtest.PathOf(t, sess, view.Params{}, path.Query{After: view.BeforeFirstEntry, N: 200})
		if err := os.WriteFile(file, []byte(s.Text()), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := sess.Refresh(context.Background()); err != nil {
			t.Fatal(err)
		}
		tail := viewtest.PathOf(t, sess, view.Params{}, path.Query{After: old.Anchor, N: 200})
		if diff := cmp.Diff(viewtest.WithoutKey(want, whole), viewtest.WithoutKey(grow(old.Items, tail.Items), sess)); diff != "" {
			t.Errorf("after line %d, anchor %q:\n%s", n, old.Anchor, diff)
		}
	}
}

// grow does what the browser does: the tail replaces everything from its first item on.
func grow(old, tail []components.Item) []components.Item {
	first := viewtest.DescribeItems(tail)
	for i, m := range viewtest.DescribeItems(old) {
		if slices.ContainsFunc(first, func(t viewtest.Item) bool { return t.ID == m.ID }) {
			return append(old[:i:i], tail...)
		}
	}
	return append(old, tail...)
}

func TestPath_switcher(t *testing.T) {
	sess := viewtest.Open(t, viewtest.Forked().Text())
	base := "/sessions/" + sess.Key()
	m := viewtest.PathOf(t, sess, view.Params{Entry: "u2", Leaf: "a3"}, path.Query{})
	var got []components.SwitchModel
	var kinds []string
	for _, it := range viewtest.DescribeItems(m.Items) {
		kinds = append(kinds, it.Kind)
		if it.Switch != nil {
			got = append(got, *it.Switch)
		}
	}
	want := []components.SwitchModel{
		{At: 1, Of: 2, Next: base + "?entry=u5", NextText: "use fs.watch", NextCount: "3 entries", Head: "u2", Compare: base + "/compare?a=u2&b=u5"},
		{At: 1, Of: 2, Next: base + "?entry=u4&leaf=a4", NextText: "drop it", NextCount: "2 entries", Head: "u3", Compare: base + "/compare?a=u3&b=u4"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got, want := strings.Join(kinds, " "), "user asst fork user asst fork user asst end"; got != want {
		t.Errorf("items %s, want %s", got, want)
	}
	if m.AtLeaf {
		t.Error("another branch counts as the leaf's path")
	}
}

func TestPath_groups(t *testing.T) {
	var s viewtest.Script
	up := s.User("u", "", "work")
	for i := range 60 {
		c := fmt.Sprintf("c%d", i)
		up = s.Answer(fmt.Sprintf("a%d", i), up, "", c)
		up = s.Result(fmt.Sprintf("r%d", i), up, c, "done")
	}
	sess := viewtest.Open(t, s.Text())
	m := viewtest.PathOf(t, sess, view.Params{}, path.Query{After: view.BeforeFirstEntry, N: 200})
	groups, tools := 0, 0
	for _, it := range viewtest.DescribeItems(m.Items) {
		if it.Kind == "tools" {
			groups++
			tools += len(it.Tools)
			if len(it.Tools) > 25 {
				t.Errorf("a group of %d", len(it.Tools))
			}
		}
	}
	if tools != 60 || groups != 5 {
		t.Errorf("%d tools in %d groups, want 60 in 5", tools, groups)
	}
}

func TestPath_cut(t *testing.T) {
	var s viewtest.Script
	long := strings.Repeat("A paragraph of words.\n\n", 1000)
	s.User("u1", "", long)
	s.Answer("a1", "u1", "", "c1")
	s.Result("r1", "a1", "c1", strings.Repeat("line\n", 60)+"last")
	sess := viewtest.Open(t, s.Text())
	m := viewtest.PathOf(t, sess, view.Params{}, path.Query{})
	b := viewtest.DescribeItems(m.Items)[0].Blocks[0]
	url := "/sessions/" + sess.Key() + "/entries/"
	if !b.Cut || len(b.HTML) > 12<<10 || b.More != url+"u1?part=block&n=0" || b.Left != "Show all, 23 KB" {
		t.Errorf("a long prompt: cut %v, %d bytes, more %q, left %q", b.Cut, len(b.HTML), b.More, b.Left)
	}
	out := viewtest.DescribeItems(m.Items)[1].Tools[0].Blocks[0]
	if !out.Cut || out.Left != "Show 48 more lines" || out.More != url+"r1?part=block&n=0" || strings.Count(out.HTML, "line") != 13 {
		t.Errorf("a long output: %+v", out)
	}
}

// A page shows only a part of a large body.
func TestPath_huge(t *testing.T) {
	slowtest.SkipIfShort(t)
	const size = 3 << 20
	words, rows := strings.Repeat("many words ", size/11), strings.Repeat("a row of output\n", size/16)
	var s viewtest.Script
	s.User("u1", "", words)
	s.Add("a1", "u1", `"type":"message","message":{"role":"assistant","content":[{"type":"thinking","thinking":`+viewtest.Quote(words)+`},{"type":"text","text":`+viewtest.Quote(rows)+
		`},{"type":"toolCall","id":"c1","name":"oracle","arguments":{"x":`+viewtest.Quote(words)+`}},{"type":"toolCall","id":"c2","name":"write","arguments":{"path":"x.go","content":`+viewtest.Quote(rows)+
		`}},{"type":"toolCall","id":"c3","name":"edit","arguments":{"path":"x.go","oldText":"","newText":`+viewtest.Quote(rows)+`}},{"type":"toolCall","id":"c4","name":"bash","arguments":{"command":`+viewtest.Quote(rows)+`}}],"stopReason":"toolUse"}`)
	s.Result("r1", "a1", "c1", words)
	s.Result("r2", "r1", "c2", "\x1b[31m"+rows)
	s.Add("r3", "r2", `"type":"message","message":{"role":"toolResult","toolCallId":"c3","toolName":"edit","content":[],"details":{"diff":`+viewtest.Quote(strings.ReplaceAll(rows, "a row", "+1 a row"))+`}}`)
	s.Result("r4", "r3", "c4", rows)
	s.Add("k1", "r4", `"type":"hologram","data":`+viewtest.Quote(words))
	sess := viewtest.Open(t, s.Text())
	m := viewtest.PathOf(t, sess, view.Params{}, path.Query{})
	if got := viewtest.DumpItems(m.Items); len(got) > 200<<10 {
		t.Errorf("a page of %d KB", len(got)>>10)
	}
}

// Adjacent changes of model and thinking share one line, unless one of them has more to
// show.
func TestPath_NoteRuns(t *testing.T) {
	var s viewtest.Script
	s.Add("m1", "", `"type":"model_change","provider":"prov","modelId":"m-1"`)
	s.Add("k1", "m1", `"type":"thinking_level_change","thinkingLevel":"high"`)
	s.User("u1", "k1", "go")
	s.Add("m2", "u1", `"type":"model_change","provider":"prov","modelId":"m-2"`)
	s.Add("k2", "m2", `"type":"thinking_level_change","thinkingLevel":"low"`)
	s.Add("k3", "k2", `"type":"thinking_level_change","thinkingLevel":"off"`)
	s.Label("l1", "k3", "k2", "here it slows down")
	sess := viewtest.Open(t, s.Text())
	var lines []string
	for _, m := range viewtest.DescribeItems(viewtest.PathOf(t, sess, view.Params{Entry: "k1", Leaf: "l1"}, path.Query{}).Items) {
		line := m.ID
		for _, a := range m.Also {
			line += " " + a.Entry + " " + a.Title + " " + a.Detail
		}
		if m.Target {
			line += " viewed"
		}
		lines = append(lines, line)
	}
	want := []string{"e-m1 k1 thinking high viewed", "e-u1", "e-m2", "e-k2", "e-k3", "e-l1", "path-end"}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("items (-want +got):\n%s", diff)
	}
}
