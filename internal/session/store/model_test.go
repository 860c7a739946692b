package store_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/internal/slowtest"
)

// sessionModel is what a session must show after the changes made.
type sessionModel struct {
	parent map[string]string
	user   map[string]bool // prompts: a branch from one leaves at its parent
	labels map[string]string
	name   string
	leaf   string
	text   string // of the file
	agents int
}

func newModel() *sessionModel {
	return &sessionModel{
		parent: map[string]string{"a0": "", "a1": "a0", "b0": "a1", "b1": "b0", "a2": "a1", "a3": "a2"},
		user:   map[string]bool{"a0": true, "b0": true, "a2": true},
		labels: map[string]string{}, leaf: "a3", text: strings.Join(talk(), ""),
	}
}

// any draws an entry.
func (m *sessionModel) any(r *rapid.T) string {
	return rapid.SampledFrom(slices.Sorted(maps.Keys(m.parent))).Draw(r, "entry")
}

var labelText = rapid.StringOf(rapid.RuneFrom([]rune("ab \"\\ü漢\u00a0<👍"))).Filter(func(s string) bool { return strings.TrimSpace(s) == s })

// TestApply_IsTheModel makes random changes. The file must match the model, the session
// must equal a fresh load, and no byte may ever change.
func TestApply_IsTheModel(t *testing.T) {
	slowtest.SkipIfShort(t)
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(r *rapid.T) {
		n++
		path := filepath.Join(dir, fmt.Sprint(n), "a.jsonl")
		write(t, path, talk()...)
		defer os.RemoveAll(filepath.Dir(path))
		s := open(t, path)
		m := newModel()
		do := func(c session.Change, seen store.Precondition) store.Written {
			w, err := s.ApplyChange(ctx, c, seen)
			if err != nil {
				r.Fatalf("%+v: %v", c, err)
			}
			for _, l := range w.Lines {
				m.text += string(l.Text) + "\n"
			}
			return w
		}
		r.Repeat(map[string]func(*rapid.T){
			"label": func(r *rapid.T) {
				id, text := m.any(r), labelText.Draw(r, "text")
				w := do(setLabel(id, text), store.Precondition{Label: m.labels[id], HasLabel: true})
				m.below(w.Lines[0].ID)
				m.label(id, text)
			},
			"name": func(r *rapid.T) {
				m.name = labelText.Draw(r, "name")
				m.below(do(session.Change{Op: session.OpName, Text: m.name}, store.Precondition{}).Lines[0].ID)
				m.name = strings.TrimSpace(m.name)
			},
			"branch": func(r *rapid.T) {
				c := session.Change{Op: session.OpBranch, Entry: m.any(r), Label: rapid.SampledFrom([]string{"", "here"}).Draw(r, "label")}
				if rapid.Bool().Draw(r, "with a summary") {
					c.Summary = &session.Summary{Text: "what was tried"}
				}
				m.branch(c, do(c, store.Precondition{Leaf: m.leaf, HasLeaf: true}))
			},
			"switch": func(r *rapid.T) {
				id := m.any(r)
				if w := do(session.Change{Op: session.OpSwitch, Entry: id}, store.Precondition{Leaf: m.leaf, HasLeaf: true}); len(w.Lines) > 0 {
					m.leaf = id
					m.below(w.Lines[0].ID)
				}
			},
			"agent": func(r *rapid.T) {
				m.agents++
				id := fmt.Sprint("c", m.agents)
				line := user(id, m.leaf, "on")
				add(t, path, line)
				m.text += line
				m.user[id] = true
				m.below(id)
			},
			"": func(r *rapid.T) { m.compare(t, r, path, s) },
		})
	})
}

// below makes id the leaf, as a child of the current one.
func (m *sessionModel) below(id string) { m.parent[id], m.leaf = m.leaf, id }

func (m *sessionModel) label(id, text string) {
	if m.labels[id] = text; text == "" {
		delete(m.labels, id)
	}
}

func (m *sessionModel) branch(c session.Change, w store.Written) {
	if c.Entry == m.leaf {
		if len(w.Lines) > 0 {
			panic("branching from the leaf wrote something")
		}
		return
	}
	m.leaf = c.Entry
	if m.user[c.Entry] {
		m.leaf = m.parent[c.Entry]
	}
	for _, l := range w.Lines {
		m.below(l.ID)
	}
	switch {
	case c.Label != "" && c.Summary != nil:
		m.label(w.Lines[0].ID, c.Label)
	case c.Label != "":
		m.label(c.Entry, c.Label)
	}
}

func (m *sessionModel) compare(t testing.TB, r *rapid.T, path string, s *store.Session) {
	if got := content(t, path); got != m.text {
		r.Fatalf("the file holds\n%s\nwanted\n%s", got, m.text)
	}
	if _, err := s.Refresh(ctx); err != nil {
		r.Fatal(err)
	}
	fresh := open(t, path)
	if got, want := describe(s), describe(fresh); got != want {
		r.Fatalf("the session shows\n%s\na fresh load\n%s", got, want)
	}
	fresh.ReadTree(func(tree *session.Tree, _ store.Revision) {
		labels := map[string]string{}
		for _, l := range tree.Labels() {
			labels[tree.At(l.Target).ID] = l.Text
		}
		if !maps.Equal(labels, m.labels) || tree.Header().Name != m.name || tree.At(tree.Leaf()).ID != m.leaf {
			r.Fatalf("labels %q, name %q, leaf %s; wanted %q, %q, %s", labels, tree.Header().Name, tree.At(tree.Leaf()).ID, m.labels, m.name, m.leaf)
		}
		for id, up := range m.parent {
			if e := tree.At(tree.FindID(id)); e.Parent != up {
				r.Fatalf("%s hangs on %q, not on %q", id, e.Parent, up)
			}
		}
	})
}
