package view

import (
	"fmt"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
)

// ErrNoEntry is session.ErrNotFound for an entry of an existing session.
var ErrNoEntry = fmt.Errorf("entry %w", session.ErrNotFound)

// NoEntryError returns the error for an entry that is not in the session.
func NoEntryError(id string) error { return fmt.Errorf("%w: %q", ErrNoEntry, id) }

// ResolveView resolves the ids of the parameters in a tree. It returns ErrNoEntry for an
// unknown id. Without a leaf the path ends at the session's leaf, or with an entry at the
// newest leaf below it.
func ResolveView(t *session.Tree, p Params) (outline.View, error) {
	v := outline.View{Filter: p.Filter, Layout: p.Layout, Query: p.Query, Open: p.Open, Entry: session.NoPos}
	if p.Entry != "" {
		if v.Entry = t.FindID(p.Entry); v.Entry == session.NoPos {
			return v, NoEntryError(p.Entry)
		}
	}
	switch {
	case p.Leaf == BeforeFirstEntry:
		v.Leaf = session.NoPos
	case p.Leaf != "":
		if v.Leaf = t.FindID(p.Leaf); v.Leaf == session.NoPos {
			return v, NoEntryError(p.Leaf)
		}
	case v.Entry != session.NoPos:
		v.Leaf = t.Subtrees().NewestLeaf(v.Entry)
	default:
		v.Leaf = t.Leaf()
	}
	if v.Entry == session.NoPos {
		v.Entry = v.Leaf
	}
	if p.Layout == outline.LayoutSpine && isBelowRoot(t, p.Root, v.Entry) {
		v.Root = p.Root
	}
	return v, nil
}

// isBelowRoot reports whether the entry at p is root or a descendant. A branch is focused
// only while an entry in it is viewed.
func isBelowRoot(t *session.Tree, root string, p session.Pos) bool {
	if root == "" {
		return false
	}
	at := t.FindID(root)
	for at != session.NoPos && p != session.NoPos && p != at {
		p = t.Parent(p)
	}
	return at != session.NoPos && p == at
}

// PinPath names the viewed path in p, so that a new sibling does not change what URLs show.
// A path to the leaf is not pinned.
func PinPath(t *session.Tree, p Params, v outline.View) Params {
	p.Root = v.Root
	if p.Leaf != "" || v.Leaf == session.NoPos || v.Leaf == t.Leaf() {
		return p
	}
	p.Leaf = t.At(v.Leaf).ID
	return p
}
