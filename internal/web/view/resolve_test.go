package view_test

import (
	"errors"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/viewtest"
)

func TestResolveView(t *testing.T) {
	sess := viewtest.Open(t, viewtest.Forked().Text())
	for _, c := range []struct {
		name, entry, leaf, wantEntry, wantLeaf, pinned string
	}{
		{name: "default", wantEntry: "u6", wantLeaf: "u6"},
		{name: "entry on the leaf path follows", entry: "u1", wantEntry: "u1", wantLeaf: "u6"},
		{name: "entry elsewhere goes on to its newest leaf", entry: "u2", wantEntry: "u2", wantLeaf: "a4", pinned: "a4"},
		{name: "leaf", leaf: "a3", wantEntry: "a3", wantLeaf: "a3", pinned: "a3"},
		{name: "entry and leaf", entry: "u2", leaf: "a3", wantEntry: "u2", wantLeaf: "a3", pinned: "a3"},
		{name: "none", leaf: "none", wantEntry: "", wantLeaf: "", pinned: "none"},
	} {
		sess.ReadTree(func(tree *session.Tree, _ store.Revision) {
			p := view.Params{Entry: c.entry, Leaf: c.leaf}
			v, err := view.ResolveView(tree, p)
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				return
			}
			if got := id(tree, v.Entry); got != c.wantEntry {
				t.Errorf("%s: entry %q, want %q", c.name, got, c.wantEntry)
			}
			if got := id(tree, v.Leaf); got != c.wantLeaf {
				t.Errorf("%s: leaf %q, want %q", c.name, got, c.wantLeaf)
			}
			if got := view.PinPath(tree, p, v).Leaf; got != c.pinned {
				t.Errorf("%s: pinned to %q, want %q", c.name, got, c.pinned)
			}
		})
	}
}

func id(t *session.Tree, p session.Pos) string {
	if p == session.NoPos {
		return ""
	}
	return t.At(p).ID
}

func TestResolveView_Unknown(t *testing.T) {
	sess := viewtest.Open(t, viewtest.Forked().Text())
	sess.ReadTree(func(tree *session.Tree, _ store.Revision) {
		for _, p := range []view.Params{{Entry: "nope"}, {Leaf: "nope"}, {Entry: "u1", Leaf: "nope"}} {
			if _, err := view.ResolveView(tree, p); !errors.Is(err, session.ErrNotFound) {
				t.Errorf("Resolve(%+v): error %v, want ErrNotFound", p, err)
			}
		}
	})
}
