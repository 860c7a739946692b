package pi

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sessiontree/internal/session"
)

// model is the expected state of a session file: parents in file order, labels in force, and the
// name.
type model struct {
	parent map[string]string // "" for a root
	kind   map[string]string
	text   map[string]string
	ids    []string
	labels map[string]string
	name   string
}

func (m *model) leaf() string {
	if len(m.ids) == 0 {
		return ""
	}
	return m.ids[len(m.ids)-1]
}

func (m *model) add(id, parent, kind, text string) {
	m.ids = append(m.ids, id)
	m.parent[id], m.kind[id], m.text[id] = parent, kind, text
}

func (m *model) label(target, text string) {
	if text == "" {
		delete(m.labels, target)
		return
	}
	m.labels[target] = text
}

// below returns where a branch from target begins.
func (m *model) below(target string) string {
	if kind := m.kind[target]; kind == "user" || kind == "custom_message" {
		return m.parent[target]
	}
	return target
}

// machine applies the same changes to a file and to the model.
type machine struct {
	t  *rapid.T
	tb testing.TB
	f  *file
	m  *model
}

func (x *machine) entry() string { return rapid.SampledFrom(x.m.ids).Draw(x.t, "entry") }
func (x *machine) words() string {
	return rapid.SampledFrom([]string{"one", "two \"three\"", "vier\u2028fünf", "漢 😀", "<b>\t\\"}).Draw(x.t, "words")
}

// apply checks that the lines of a change have the wanted parents and kinds, and adds them to the
// model.
func (x *machine) apply(c session.Change, want ...[3]string) (ids []string) {
	tree := x.f.tree(x.tb)
	lines, err := x.f.format.Write.EncodeChange(tree, c, x.f.source(tree), x.f.mint())
	if err != nil || len(lines) != len(want) {
		x.t.Fatalf("%+v: %d lines, want %d: %v", c, len(lines), len(want), err)
	}
	for i, l := range lines {
		x.f.text = append(append(x.f.text, l.Text...), '\n')
		parent := want[i][0]
		if parent == "above" {
			parent = lines[i-1].ID
		}
		x.m.add(l.ID, parent, want[i][1], want[i][2])
		ids = append(ids, l.ID)
	}
	return ids
}

// agent appends what an agent would.
func (x *machine) agent() {
	id := fmt.Sprintf("%08x", len(x.m.ids)+1)
	parent := `null`
	if x.m.leaf() != "" {
		parent = `"` + x.m.leaf() + `"`
	}
	kind := rapid.SampledFrom([]string{"user", "assistant", "custom_message", "compaction"}).Draw(x.t, "kind")
	head := fmt.Sprintf(`"id":"%s","parentId":%s,"timestamp":"2025-03-01T10:00:00.000Z"`, id, parent)
	text := "said " + id
	switch kind {
	case "custom_message":
		x.f.text = fmt.Appendf(x.f.text, `{"type":"custom_message",%s,"customType":"n","content":"%s","display":true}`+"\n", head, text)
	case "compaction":
		text = ""
		kept := id
		if len(x.m.ids) > 0 {
			kept = x.entry()
		}
		x.f.text = fmt.Appendf(x.f.text, `{"type":"compaction",%s,"summary":"s","firstKeptEntryId":"%s","tokensBefore":1}`+"\n", head, kept)
	default:
		x.f.text = fmt.Appendf(x.f.text, `{"type":"message",%s,"message":{"role":"%s","content":"%s"}}`+"\n", head, kind, text)
	}
	x.m.add(id, x.m.leaf(), kind, text)
}

func (x *machine) relabel() {
	target, text := x.entry(), rapid.SampledFrom([]string{"", "a", "b c"}).Draw(x.t, "label")
	x.apply(session.Change{Op: session.OpLabel, Entry: target, Text: text}, [3]string{x.m.leaf(), "label", text})
	x.m.label(target, text)
}

func (x *machine) rename() {
	x.m.name = x.words()
	x.apply(session.Change{Op: session.OpName, Text: " " + x.m.name + "\n"}, [3]string{x.m.leaf(), "session_info", ""})
}

func (x *machine) branch() {
	target := rapid.SampledFrom(append([]string{""}, x.m.ids...)).Draw(x.t, "target")
	c := session.Change{Op: session.OpBranch, Entry: target, Label: rapid.SampledFrom([]string{"", "here"}).Draw(x.t, "label")}
	if rapid.Bool().Draw(x.t, "summary") {
		c.Summary = &session.Summary{Text: x.words(), Program: rapid.Bool().Draw(x.t, "program")}
	}
	below := x.m.below(target)
	switch {
	case target == x.m.leaf():
		x.apply(c)
	case c.Summary != nil && c.Label != "":
		ids := x.apply(c, [3]string{below, "branch_summary", c.Summary.Text}, [3]string{"above", "label", c.Label})
		x.m.label(ids[0], c.Label)
	case c.Summary != nil:
		x.apply(c, [3]string{below, "branch_summary", c.Summary.Text})
	case c.Label != "" && target == "":
		tree := x.f.tree(x.tb)
		if _, err := x.f.format.Write.EncodeChange(tree, c, x.f.source(tree), x.f.mint()); !errors.Is(err, session.ErrInvalid) {
			x.t.Fatalf("%+v: %v", c, err)
		}
	case c.Label != "":
		x.apply(c, [3]string{below, "label", c.Label})
		x.m.label(target, c.Label)
	default:
		x.apply(c, [3]string{below, "custom", ""})
	}
}

func (x *machine) stay() {
	target := x.entry()
	c := session.Change{Op: rapid.SampledFrom([]session.Op{session.OpSwitch, session.OpRepair}).Draw(x.t, "op"), Entry: target}
	if target == x.m.leaf() {
		x.apply(c)
		return
	}
	x.apply(c, [3]string{target, "custom", ""})
}

func (x *machine) copy() {
	want := [][3]string{{x.m.leaf(), "custom", ""}}
	c := session.Change{Op: session.OpCopy}
	for range rapid.IntRange(1, 3).Draw(x.t, "copies") {
		id := x.entry()
		if kind := x.m.kind[id]; slices.Contains([]string{"user", "assistant", "custom_message", "branch_summary"}, kind) && !slices.Contains(c.CopyIDs, id) {
			c.CopyIDs = append(c.CopyIDs, id)
			want = append(want, [3]string{"above", kind, x.m.text[id]})
		}
	}
	if len(c.CopyIDs) > 0 {
		x.apply(c, want...)
	}
}

// check reads the file again and compares it with the model.
func (x *machine) check() {
	tree := x.f.tree(x.tb)
	if tree.Len() != len(x.m.ids) || tree.Header().Name != x.m.name || len(tree.Notes()) > 1 {
		x.t.Fatalf("%d entries, want %d; name %q, want %q; %v", tree.Len(), len(x.m.ids), tree.Header().Name, x.m.name, tree.Notes())
	}
	for i, id := range x.m.ids {
		e := tree.At(session.Pos(i))
		text := e.Preview
		if e.ID != id || e.Parent != x.m.parent[id] || e.Role != x.m.kind[id] || text != flat(x.m.text[id]) {
			x.t.Fatalf("entry %d: %+v, want %s under %s, %s %q", i, e, id, x.m.parent[id], x.m.kind[id], x.m.text[id])
		}
	}
	if leaf := tree.Leaf(); leaf != session.Pos(len(x.m.ids)-1) {
		x.t.Fatalf("leaf %d of %d", leaf, tree.Len())
	}
	labels := map[string]string{}
	for _, l := range tree.Labels() {
		labels[tree.At(l.Target).ID] = l.Text
	}
	if diff := cmp.Diff(x.m.labels, labels); diff != "" {
		x.t.Fatalf("labels (-want +got):\n%s", diff)
	}
}

// flat returns a text on one line.
func flat(text string) string {
	out := []rune(text)
	for i, r := range out {
		if r == '\t' {
			out[i] = ' '
		}
	}
	return string(out)
}

// fork checks that the fork of a path has the same context as the path.
func (x *machine) fork() {
	tree := x.f.tree(x.tb)
	leaf := tree.FindID(x.entry())
	made, err := x.f.format.Write.Fork(tree, leaf, "/from.jsonl", x.f.source(tree), x.f.mint())
	answered := false
	for _, p := range tree.Path(leaf) {
		answered = answered || tree.At(p).Kind == session.KindAssistant
	}
	if (err == nil) != answered {
		x.t.Fatalf("fork: %v", err)
	}
	if err != nil {
		return
	}
	out := &file{format: x.f.format}
	for _, l := range made.Lines {
		if l.Text == nil {
			l.Text, _ = x.f.source(tree)(l.Pos)
		}
		out.text = append(append(out.text, l.Text...), '\n')
	}
	forked := out.tree(x.tb)
	if len(forked.Roots()) != 1 || len(forked.Notes()) > 0 {
		x.t.Fatalf("%d roots, %v", len(forked.Roots()), forked.Notes())
	}
	said := func(tree *session.Tree, leaf session.Pos) (out []string) {
		for _, item := range tree.Context(leaf).Items {
			out = append(out, item.Role+" "+tree.At(item.Pos).ID)
		}
		return out
	}
	if diff := cmp.Diff(said(tree, leaf), said(forked, forked.Leaf())); diff != "" {
		x.t.Fatalf("context (-path +fork):\n%s", diff)
	}
}

// TestChanges applies changes in any order and checks that the file read again equals the model.
func TestChanges(t *testing.T) {
	for _, f := range []*session.Format{&Format, &OMP} {
		t.Run(f.Name, func(tb *testing.T) {
			rapid.Check(tb, func(t *rapid.T) {
				x := &machine{t: t, tb: tb,
					f: &file{format: f, text: []byte(`{"type":"session","version":3,"id":"s","timestamp":"2025-03-01T10:00:00.000Z","cwd":"/p"}` + "\n")},
					m: &model{parent: map[string]string{}, kind: map[string]string{}, text: map[string]string{}, labels: map[string]string{}}}
				x.agent()
				moves := []func(){x.agent, x.agent, x.relabel, x.branch, x.stay, x.copy, x.fork}
				if f == &Format {
					moves = append(moves, x.rename)
				}
				for range rapid.IntRange(1, 15).Draw(t, "changes") {
					rapid.SampledFrom(moves).Draw(t, "move")()
					x.check()
				}
			})
		})
	}
}
