package session_test

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/session/store"
)

var update = flag.Bool("update", false, "rewrite golden files")

const testdata = "../../testdata"

// load reads a session file as the explorer does.
func load(t *testing.T, path string) *session.Tree {
	t.Helper()
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{path}, Home: "/home/tester"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := lib.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	var tree *session.Tree
	s.ReadTree(func(t *session.Tree, _ store.Revision) { tree = t })
	return tree
}

func decode(t *testing.T, path string, v any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

func equal(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// cases runs a test per directory that has a file of this name.
func cases(t *testing.T, pattern string, run func(t *testing.T, dir string)) {
	files, err := filepath.Glob(filepath.Join(testdata, pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases at %s: %v", pattern, err)
	}
	for _, file := range files {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) { run(t, dir) })
	}
}

// piCase is the output of pi 0.58.3 for a session file.
type piCase struct {
	IDs             []string
	Leaf            *string
	Labels          map[string]any
	AltLeaf         *string
	Preorder        [][2]any
	Rows, RowsAlt   map[string]piRows
	Search          []piSearch
	Folded          []piFold
	Paths, Contexts []piWalk
}

type piRows struct {
	Selected *string
	Rows     [][8]any // id, indent, connector, isLast, gutters, onPath, prefix, text
}

type piSearch struct {
	Query, Mode string
	IDs         []string
	Indents     []float64
	SelectedID  *string
}

type piFold struct {
	Mode string
	Fold []string
	Rows [][2]any
}

type piWalk struct {
	From, Leaf *string
	IDs        []string
	Messages   [][2]*string
	Thinking   string
	Model      map[string]string
}

func TestVectors(t *testing.T) {
	t.Parallel()
	cases(t, "pi/*/expected.json", func(t *testing.T, dir string) {
		var want piCase
		decode(t, filepath.Join(dir, "expected.json"), &want)
		v := vector{tree: load(t, filepath.Join(dir, "input.jsonl")), name: map[string]string{}}
		if v.tree.Len() != len(want.IDs) {
			t.Fatalf("%d entries, want %d", v.tree.Len(), len(want.IDs))
		}
		for i, id := range want.IDs { // ids made by a migration are compared by position
			v.name[v.tree.At(session.Pos(i)).ID] = id
		}
		v.shape(t, want)
		v.rows(t, "rows", v.tree.Leaf(), want.Rows)
		v.rows(t, "rows of another leaf", v.at(want.AltLeaf), want.RowsAlt)
		v.search(t, want.Search)
		v.folds(t, want.Folded)
		v.walks(t, want)
	})
}

// vector compares a tree with the output of pi for its file.
type vector struct {
	tree *session.Tree
	name map[string]string // our ids by pi's
}

func (v vector) id(p session.Pos) string { return v.name[v.tree.At(p).ID] }

func (v vector) ids(ps []session.Pos) []string {
	ids := []string{}
	for _, p := range ps {
		ids = append(ids, v.id(p))
	}
	return ids
}

func (v vector) idOrNil(p session.Pos) *string {
	if p == session.NoPos {
		return nil
	}
	id := v.id(p)
	return &id
}

// at returns the entry with an id of pi.
func (v vector) at(id *string) session.Pos {
	for p := range session.Pos(v.tree.Len()) {
		if id != nil && v.id(p) == *id {
			return p
		}
	}
	if id != nil && *id == "$current" {
		return v.tree.Leaf()
	}
	return session.NoPos
}

func (v vector) shape(t *testing.T, want piCase) {
	equal(t, "leaf", want.Leaf, v.idOrNil(v.tree.Leaf()))
	labels := map[string]any{}
	for _, l := range v.tree.Labels() {
		labels[v.id(l.Target)] = l.Text
	}
	for id := range want.Labels { // pi keeps labels of missing entries
		if v.at(&id) == session.NoPos {
			delete(want.Labels, id)
		}
	}
	equal(t, "labels", want.Labels, labels)
	type node struct {
		p     session.Pos
		depth float64
	}
	preorder := [][2]any{}
	var todo []node
	push := func(ps []session.Pos, depth float64) {
		for i := len(ps) - 1; i >= 0; i-- {
			todo = append(todo, node{ps[i], depth})
		}
	}
	push(v.tree.Roots(), 0)
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		preorder = append(preorder, [2]any{v.id(n.p), n.depth})
		push(v.tree.Children(n.p), n.depth+1)
	}
	equal(t, "preorder", want.Preorder, preorder)
}

func (v vector) view(t *testing.T, leaf session.Pos, mode string) outline.View {
	filter, err := outline.ParseFilter(mode)
	if err != nil {
		t.Fatal(err)
	}
	return outline.View{Leaf: leaf, Entry: session.NoPos, Layout: outline.LayoutOutline, Filter: filter}
}

func (v vector) selected(o *outline.Outline) *string {
	if o.Selected < 0 {
		return nil
	}
	return v.idOrNil(o.Rows.At(o.Selected).Pos)
}

func (v vector) rows(t *testing.T, what string, leaf session.Pos, want map[string]piRows) {
	for mode, want := range want {
		o := outline.Build(v.tree, v.view(t, leaf, mode))
		got := [][8]any{}
		for i, r := range o.Rows.All() {
			gutters := []any{}
			for _, g := range o.Gutters(r) {
				gutters = append(gutters, []any{float64(g.Position), g.Show})
			}
			row := [8]any{v.id(r.Pos), float64(r.Lane), r.Connector, r.IsLast, gutters, r.OnPath, o.IndentPrefix(i), v.tree.RowText(r.Pos)}
			if i < len(want.Rows) {
				free(&row, want.Rows[i], v.tree.At(r.Pos).Kind)
			}
			got = append(got, row)
		}
		equal(t, what+", "+mode, want.Rows, got)
		equal(t, what+", "+mode+": selected", want.Selected, v.selected(o))
	}
}

// halves matches the remains of surrogate pairs that pi cuts in two.
var halves = regexp.MustCompile("\ufffd+$")

// free copies what the vectors leave open: prefixes of other leaves, texts that are
// accidental in pi, and those of types for which it has no words.
func free(row *[8]any, want [8]any, k session.Kind) {
	text, told := want[7].(string)
	if want[6] == "" {
		row[6] = ""
	}
	if !told || k.IsUnworded() || k == session.KindName || halves.ReplaceAllString(text, "") == row[7] {
		row[7] = want[7]
	}
}

func (v vector) search(t *testing.T, want []piSearch) {
	for _, want := range want {
		view := v.view(t, v.tree.Leaf(), want.Mode)
		view.Query = want.Query
		o := outline.Build(v.tree, view)
		ids, indents := []string{}, []float64{}
		for _, r := range o.Rows.All() {
			ids, indents = append(ids, v.id(r.Pos)), append(indents, float64(r.Lane))
		}
		got := piSearch{want.Query, want.Mode, ids, indents, v.selected(o)}
		equal(t, "search "+want.Query+", "+want.Mode, want, got)
	}
}

func (v vector) folds(t *testing.T, want []piFold) {
	for _, want := range want {
		view := v.view(t, v.tree.Leaf(), want.Mode)
		view.Open = map[string]bool{}
		for _, id := range want.Fold {
			view.Open[v.tree.At(v.at(&id)).ID] = false
		}
		got := [][2]any{}
		for _, r := range outline.Build(v.tree, view).Rows.All() {
			got = append(got, [2]any{v.id(r.Pos), float64(r.Lane)})
		}
		equal(t, "folded", want.Rows, got)
	}
}

func (v vector) walks(t *testing.T, want piCase) {
	for _, want := range want.Paths {
		equal(t, "path to "+*want.From, want.IDs, v.ids(v.tree.Path(v.at(want.From))))
	}
	for _, want := range want.Contexts {
		c := v.tree.Context(v.at(want.Leaf))
		got := [][2]*string{}
		for i, item := range c.Items {
			message := [2]*string{&item.Role, v.idOrNil(item.Pos)}
			if i < len(want.Messages) && *want.Messages[i][0] == "$undefined" {
				message[0] = want.Messages[i][0]
			}
			got = append(got, message)
		}
		equal(t, "context", want.Messages, got)
		equal(t, "thinking level", want.Thinking, c.Thinking)
		if want.Model["provider"] != "$undefined" && want.Model["modelId"] != "$undefined" {
			equal(t, "model", [2]string{want.Model["provider"], want.Model["modelId"]}, [2]string{c.Provider, c.Model})
		}
	}
}

// Each file's tree as text, for review.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"pi/*/input.jsonl", "dialects/*/input.jsonl"} {
		cases(t, pattern, func(t *testing.T, dir string) {
			got := outline.Dump(load(t, filepath.Join(dir, "input.jsonl")))
			golden := filepath.Join(dir, "tree.golden")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, golden, string(want), got)
		})
	}
}
