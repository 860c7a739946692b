package session_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
)

// dialectCase is the expected reading of a file of another dialect. "*" matches any
// role or id.
type dialectCase struct {
	Files   map[string]dialectCase
	Entries []string
	Leaf    *string
	Labels  map[string]string
	Name    *string
	Version *int
	ID      *string
	Tree    *struct {
		Roots    []string
		Children map[string][]string
	}
	Notes, NoNotes, Hidden, Shown, Unlisted []string
	Leaves                                  map[string]dialectState
	dialectState
}

// dialectState is the expected state at a leaf.
type dialectState struct {
	Path          []string
	Context       *[][3]string
	ThinkingLevel *string
	Model         *struct{ Provider, ModelID string }
}

func TestDialects(t *testing.T) {
	t.Parallel()
	cases(t, "dialects/*/expected.json", func(t *testing.T, dir string) {
		var want dialectCase
		decode(t, filepath.Join(dir, "expected.json"), &want)
		if want.Files == nil {
			want.Files = map[string]dialectCase{"input.jsonl": want}
		}
		for file, want := range want.Files {
			want.check(t, load(t, filepath.Join(dir, file)))
		}
	})
}

func (c dialectCase) check(t *testing.T, tree *session.Tree) {
	v := vector{tree: tree, name: map[string]string{}}
	all := []session.Pos{}
	for p := range session.Pos(tree.Len()) {
		v.name[tree.At(p).ID] = tree.At(p).ID
		all = append(all, p)
	}
	equal(t, "entries", c.Entries, v.ids(all))
	equal(t, "leaf", c.Leaf, v.idOrNil(tree.Leaf()))
	labels := map[string]string{}
	for _, l := range tree.Labels() {
		labels[v.id(l.Target)] = l.Text
	}
	equal(t, "labels", c.Labels, labels)
	c.header(t, tree.Header())
	if c.Tree != nil {
		equal(t, "roots", c.Tree.Roots, v.ids(tree.Roots()))
		for id, kids := range c.Tree.Children {
			equal(t, "children of "+id, kids, v.ids(tree.Children(v.at(&id))))
		}
	}
	c.notes(t, tree.Notes())
	c.rows(t, tree)
	c.state(t, v, tree.Leaf())
	for id, state := range c.Leaves {
		state.state(t, v, v.at(&id))
	}
}

func (c dialectCase) header(t *testing.T, h session.Header) {
	name := ""
	if c.Name != nil {
		name = *c.Name
	}
	equal(t, "name", name, h.Name)
	if c.Version != nil {
		equal(t, "version", *c.Version, h.Version)
	}
	if c.ID != nil {
		equal(t, "id", *c.ID, h.ID)
	}
}

func (c dialectCase) notes(t *testing.T, notes []session.Note) {
	found := []string{}
	for _, n := range notes {
		found = append(found, n.Code, fmt.Sprint(n.Code, ":", n.Line))
	}
	for _, code := range c.Notes {
		if !slices.Contains(found, code) {
			t.Errorf("no note %s among %v", code, found)
		}
	}
	for _, code := range c.NoNotes {
		if slices.Contains(found, code) {
			t.Errorf("a note %s that is none", code)
		}
	}
}

func (c dialectCase) rows(t *testing.T, tree *session.Tree) {
	view := outline.View{Leaf: tree.Leaf(), Entry: session.NoPos, DefaultOpen: true}
	usual := outline.Build(tree, view)
	view.Filter = outline.FilterAll
	all := outline.Build(tree, view)
	for _, id := range slices.Concat(c.Hidden, c.Unlisted) {
		if usual.FindRow(tree.FindID(id)) >= 0 {
			t.Errorf("%s has a row by default", id)
		}
	}
	for _, id := range c.Shown {
		if all.FindRow(tree.FindID(id)) < 0 {
			t.Errorf("%s has no row among all", id)
		}
	}
	for _, id := range c.Unlisted {
		if all.FindRow(tree.FindID(id)) >= 0 {
			t.Errorf("%s has a row among all", id)
		}
	}
}

func (s dialectState) state(t *testing.T, v vector, leaf session.Pos) {
	if s.Path != nil {
		equal(t, "path", s.Path, v.ids(v.tree.Path(leaf)))
	}
	c := v.tree.Context(leaf)
	if s.ThinkingLevel != nil {
		equal(t, "thinking level", *s.ThinkingLevel, c.Thinking)
	}
	if s.Model != nil {
		equal(t, "model", *s.Model, struct{ Provider, ModelID string }{c.Provider, c.Model})
	}
	if s.Context == nil {
		return
	}
	want, got := [][2]string{}, [][2]string{}
	for _, message := range *s.Context {
		want = append(want, [2]string{message[0], message[1]})
	}
	for i, item := range c.Items {
		message := [2]string{item.Role, v.id(item.Pos)}
		for k := range message {
			if i < len(want) && want[i][k] == "*" {
				message[k] = "*"
			}
		}
		got = append(got, message)
	}
	equal(t, "context", want, got)
}
