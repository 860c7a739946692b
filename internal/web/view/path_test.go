package view

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/web/components"
)

func pathOf(t testing.TB, sess *store.Session, p Params, q PathQuery) components.PathModel {
	t.Helper()
	m, err := pathModel(NewRenderer(), sess, p, q)
	if err != nil {
		t.Fatalf("Path(%+v, %+v): %v", p, q, err)
	}
	return m
}

// ids returns the ids of the entries that items show, in order.
func ids(items []components.ItemModel) []string {
	var out []string
	for _, m := range items {
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
	sess := open(t, chain(40).text())
	var want []string
	for i := range 40 {
		want = append(want, fmt.Sprintf("u%d", i), fmt.Sprintf("a%d", i), fmt.Sprintf("r%da", i), fmt.Sprintf("a%d", i), fmt.Sprintf("r%db", i), fmt.Sprintf("z%d", i))
	}
	var forth []string
	after := beforeFirstEntry
	for after != "" {
		m := pathOf(t, sess, Params{}, PathQuery{After: after, N: 7})
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
	back := ids(pathOf(t, sess, Params{}, PathQuery{N: 9}).Items)
	for m := pathOf(t, sess, Params{}, PathQuery{N: 9}); m.More != ""; {
		m = pathOf(t, sess, Params{}, PathQuery{Before: m.First, N: 9})
		back = append(ids(m.Items), back...)
	}
	if diff := cmp.Diff(want, back); diff != "" {
		t.Errorf("read back:\n%s", diff)
	}
	// The last page can be requested without knowing the leaf, for any viewed entry.
	last, end := pathOf(t, sess, Params{}, PathQuery{N: 9}), pathOf(t, sess, Params{Entry: "u3"}, PathQuery{Before: beforeFirstEntry, N: 9})
	if diff := cmp.Diff(ids(last.Items), ids(end.Items)); diff != "" || !end.AtEnd {
		t.Errorf("the last page, at end %v:\n%s", end.AtEnd, diff)
	}
}

func TestPath_around(t *testing.T) {
	sess := open(t, chain(40).text())
	m := pathOf(t, sess, Params{Entry: "r20b"}, PathQuery{})
	if m.Selected != "r20b" || m.Skipped == 0 || m.Left == 0 || !strings.Contains(dumpItems(m.Items), "tool e-r20b") {
		t.Errorf("around r20b: selected %q, %d before, %d after", m.Selected, m.Skipped, m.Left)
	}
	base := "/sessions/" + sess.Key()
	if m.More != base+"?entry="+before(sess, m.First) || !strings.HasPrefix(m.After, base+"?entry=") {
		t.Errorf("pages beside it: %q, %q", m.More, m.After)
	}
	target := 0
	for _, it := range m.Items {
		if it.Target {
			target++
		}
	}
	if target != 1 {
		t.Errorf("%d items are the viewed one", target)
	}
	if m := pathOf(t, sess, Params{}, PathQuery{}); !m.AtEnd || m.Items[len(m.Items)-1].Kind != "leaf" || m.Last != "z39" {
		t.Errorf("without an entry the page ends at %s, want the leaf", m.Last)
	}
}

func before(sess *store.Session, id string) (parent string) {
	sess.ReadTree(func(t *session.Tree, _ store.Revision) { parent = t.At(t.Parent(t.FindID(id))).ID })
	return parent
}

func TestPath_unknown(t *testing.T) {
	sess := open(t, forked().text())
	for _, c := range []struct {
		p Params
		q PathQuery
	}{
		{Params{Entry: "x"}, PathQuery{}},
		{Params{}, PathQuery{Around: "x"}},
		{Params{}, PathQuery{Before: "x"}},
		{Params{}, PathQuery{After: "u4"}}, // on another branch
	} {
		if _, err := pathModel(NewRenderer(), sess, c.p, c.q); !errors.Is(err, session.ErrNotFound) {
			t.Errorf("Path(%+v, %+v): error %v, want ErrNotFound", c.p, c.q, err)
		}
	}
}

// If what follows the anchor is replaced by a new request, a growing path equals a fresh
// page.
func TestPath_anchor(t *testing.T) {
	s := chain(3)
	s.user("q", "z2", "more")
	s.answer("b1", "q", "with words", "k1", "k2")
	s.result("d1", "b1", "k1", "one")
	s.result("d2", "d1", "k2", "two")
	s.answer("b2", "d2", "", "k3")
	s.add("n1", "b2", `"type":"thinking_level_change","thinkingLevel":"low"`)
	s.result("d3", "n1", "k3", "three")
	s.add("n2", "d3", `"type":"model_change","provider":"prov","modelId":"m-2"`)
	s.add("n3", "n2", `"type":"thinking_level_change","thinkingLevel":"high"`)
	s.add("n4", "n3", `"type":"model_change","provider":"prov","modelId":"m-3"`)
	s.answer("b3", "n4", "the end")
	s.add("n5", "b3", `"type":"thinking_level_change","thinkingLevel":"off"`)
	whole := open(t, s.text())
	want := pathOf(t, whole, Params{}, PathQuery{After: beforeFirstEntry, N: 200}).Items
	file := filepath.Join(t.TempDir(), "grow.jsonl")
	all := strings.SplitAfter(s.text(), "\n")
	for n := 2; n < len(all)-1; n++ {
		sess := openFile(t, file, strings.Join(all[:n], ""))
		old := pathOf(t, sess, Params{}, PathQuery{After: beforeFirstEntry, N: 200})
		if err := os.WriteFile(file, []byte(s.text()), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := sess.Refresh(context.Background()); err != nil {
			t.Fatal(err)
		}
		tail := pathOf(t, sess, Params{}, PathQuery{After: old.Anchor, N: 200})
		if diff := cmp.Diff(withoutKey(want, whole), withoutKey(grow(old.Items, tail.Items), sess)); diff != "" {
			t.Errorf("after line %d, anchor %q:\n%s", n, old.Anchor, diff)
		}
	}
}

// grow does what the browser does: the tail replaces everything from its first item on.
func grow(old, tail []components.ItemModel) []components.ItemModel {
	for i := range old {
		for _, m := range tail {
			if m.ID == old[i].ID {
				return append(old[:i:i], tail...)
			}
		}
	}
	return append(old, tail...)
}

// withoutKey formats items as text without the session's key.
func withoutKey(items []components.ItemModel, sess *store.Session) string {
	return strings.ReplaceAll(dumpItems(items), sess.Key(), "KEY")
}

func TestPath_switcher(t *testing.T) {
	sess := open(t, forked().text())
	base := "/sessions/" + sess.Key()
	m := pathOf(t, sess, Params{Entry: "u2", Leaf: "a3"}, PathQuery{})
	var got []components.SwitchModel
	var kinds []string
	for _, it := range m.Items {
		kinds = append(kinds, it.Kind)
		if it.Switch != nil {
			got = append(got, *it.Switch)
		}
	}
	want := []components.SwitchModel{
		{At: 1, Of: 2, Next: base + "?entry=u5", NextText: "use fs.watch", NextCount: "3 entries", Head: "u2"},
		{At: 1, Of: 2, Next: base + "?entry=u4&leaf=a4", NextText: "drop it", NextCount: "2 entries", Head: "u3"},
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
	var s script
	up := s.user("u", "", "work")
	for i := range 60 {
		c := fmt.Sprintf("c%d", i)
		up = s.answer(fmt.Sprintf("a%d", i), up, "", c)
		up = s.result(fmt.Sprintf("r%d", i), up, c, "done")
	}
	sess := open(t, s.text())
	m := pathOf(t, sess, Params{}, PathQuery{After: beforeFirstEntry, N: 200})
	groups, tools := 0, 0
	for _, it := range m.Items {
		if it.Kind == "tools" {
			groups++
			tools += len(it.Tools)
			if len(it.Tools) > maxToolGroup {
				t.Errorf("a group of %d", len(it.Tools))
			}
		}
	}
	if tools != 60 || groups != 5 {
		t.Errorf("%d tools in %d groups, want 60 in 5", tools, groups)
	}
}

func TestPath_cut(t *testing.T) {
	var s script
	long := strings.Repeat("A paragraph of words.\n\n", 1000)
	s.user("u1", "", long)
	s.answer("a1", "u1", "", "c1")
	s.result("r1", "a1", "c1", strings.Repeat("line\n", 60)+"last")
	sess := open(t, s.text())
	m := pathOf(t, sess, Params{}, PathQuery{})
	b := m.Items[0].Blocks[0]
	url := "/sessions/" + sess.Key() + "/entries/"
	if !b.Cut || len(b.HTML) > 12<<10 || b.More != url+"u1?part=block&n=0" || b.Left != "Show all, 23 KB" {
		t.Errorf("a long prompt: cut %v, %d bytes, more %q, left %q", b.Cut, len(b.HTML), b.More, b.Left)
	}
	out := m.Items[1].Tools[0].Blocks[0]
	if !out.Cut || out.Left != "Show 48 more lines" || out.More != url+"r1?part=block&n=0" || strings.Count(out.HTML, "line") != 13 {
		t.Errorf("a long output: %+v", out)
	}
}

// A page shows only a part of a large body.
func TestPath_huge(t *testing.T) {
	const size = 3 << 20
	words, rows := strings.Repeat("many words ", size/11), strings.Repeat("a row of output\n", size/16)
	var s script
	s.user("u1", "", words)
	s.add("a1", "u1", `"type":"message","message":{"role":"assistant","content":[{"type":"thinking","thinking":`+quote(words)+`},{"type":"text","text":`+quote(rows)+
		`},{"type":"toolCall","id":"c1","name":"oracle","arguments":{"x":`+quote(words)+`}},{"type":"toolCall","id":"c2","name":"write","arguments":{"path":"x.go","content":`+quote(rows)+
		`}},{"type":"toolCall","id":"c3","name":"edit","arguments":{"path":"x.go","oldText":"","newText":`+quote(rows)+`}},{"type":"toolCall","id":"c4","name":"bash","arguments":{"command":`+quote(rows)+`}}],"stopReason":"toolUse"}`)
	s.result("r1", "a1", "c1", words)
	s.result("r2", "r1", "c2", "\x1b[31m"+rows)
	s.add("r3", "r2", `"type":"message","message":{"role":"toolResult","toolCallId":"c3","toolName":"edit","content":[],"details":{"diff":`+quote(strings.ReplaceAll(rows, "a row", "+1 a row"))+`}}`)
	s.result("r4", "r3", "c4", rows)
	s.add("k1", "r4", `"type":"hologram","data":`+quote(words))
	sess := open(t, s.text())
	m := pathOf(t, sess, Params{}, PathQuery{})
	if got := dumpItems(m.Items); len(got) > 200<<10 {
		t.Errorf("a page of %d KB", len(got)>>10)
	}
}

// Adjacent changes of model and thinking share one line, unless one of them has more to
// show.
func TestPath_NoteRuns(t *testing.T) {
	var s script
	s.add("m1", "", `"type":"model_change","provider":"prov","modelId":"m-1"`)
	s.add("k1", "m1", `"type":"thinking_level_change","thinkingLevel":"high"`)
	s.user("u1", "k1", "go")
	s.add("m2", "u1", `"type":"model_change","provider":"prov","modelId":"m-2"`)
	s.add("k2", "m2", `"type":"thinking_level_change","thinkingLevel":"low"`)
	s.add("k3", "k2", `"type":"thinking_level_change","thinkingLevel":"off"`)
	s.label("l1", "k3", "k2", "here it slows down")
	sess := open(t, s.text())
	var lines []string
	for _, m := range pathOf(t, sess, Params{Entry: "k1", Leaf: "l1"}, PathQuery{}).Items {
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
