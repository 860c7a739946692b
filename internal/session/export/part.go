package export

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"sessiontree/internal/session"
)

// Scope selects how much of a session is exported.
type Scope string

// The scopes.
const (
	Path    Scope = "path"    // from the root to the entry
	Subtree Scope = "subtree" // the entry, its descendants, and the path to it
	Tree    Scope = "tree"    // everything
)

// Part selects a part of a session.
type Part struct {
	Entry string // entry id, "" is the leaf
	Scope Scope
	// Bare omits the path to the entry from a Subtree.
	Bare bool
	// To, if set, is the id of Entry or a descendant at which a Subtree ends. The part is
	// then the path to it without other branches.
	To string
}

// findEntry returns the position of the part's entry.
func (p Part) findEntry(t *session.Tree) (session.Pos, error) {
	if p.Entry == "" {
		return t.Leaf(), nil
	}
	return findByID(t, p.Entry)
}

func findByID(t *session.Tree, id string) (session.Pos, error) {
	at := t.FindID(id)
	if at == session.NoPos {
		return at, fmt.Errorf("%w: there is no entry %q", session.ErrNotFound, id)
	}
	return at, nil
}

// selectPositions lists the entries of the part: a path from its root, everything else in
// file order.
func (p Part) selectPositions(t *session.Tree) ([]session.Pos, error) {
	at, err := p.findEntry(t)
	if err != nil {
		return nil, err
	}
	if p.To != "" && p.Scope != Subtree {
		return nil, fmt.Errorf("%w: only a subtree ends at an entry", session.ErrInvalid)
	}
	switch p.Scope {
	case Path:
		return t.Path(at), nil
	case Subtree:
		if p.To != "" {
			return p.pathPositions(t, at)
		}
		return p.subtreePositions(t, at), nil
	case Tree:
		all := make([]session.Pos, t.Len())
		for i := range all {
			all[i] = session.Pos(i)
		}
		return all, nil
	}
	return nil, fmt.Errorf("%w: there is no scope %q; there are path, subtree and tree", session.ErrInvalid, p.Scope)
}

// endPosition returns the last entry of a part that is one path, NoPos for other parts.
// An agent continues the file there.
func (p Part) endPosition(t *session.Tree) session.Pos {
	switch {
	case p.To != "":
		return t.FindID(p.To)
	case p.Scope != Path:
		return session.NoPos
	case p.Entry != "":
		return t.FindID(p.Entry)
	}
	return t.Leaf()
}

// topPosition returns the entry of a part, NoPos for a whole session.
func (p Part) topPosition(t *session.Tree) session.Pos {
	if p.Scope == Tree {
		return session.NoPos
	}
	at, err := p.findEntry(t)
	if err != nil {
		return session.NoPos
	}
	return at
}

// Count returns the number of entries of the part.
func (p Part) Count(t *session.Tree) (int, error) {
	all, err := p.selectPositions(t)
	return len(all), err
}

// Positions lists the entries of the part: a path from its root, everything else in file
// order.
func (p Part) Positions(t *session.Tree) ([]session.Pos, error) { return p.selectPositions(t) }

func (p Part) subtreePositions(t *session.Tree, top session.Pos) []session.Pos {
	if top == session.NoPos {
		return nil
	}
	all := []session.Pos{top}
	for i := 0; i < len(all); i++ {
		all = append(all, t.Children(all[i])...)
	}
	if !p.Bare {
		path := t.Path(top)
		all = append(all, path[:len(path)-1]...)
	}
	slices.Sort(all)
	return all
}

// pathPositions returns the path to the end of the part, from the root or with Bare from
// top.
func (p Part) pathPositions(t *session.Tree, top session.Pos) ([]session.Pos, error) {
	end, err := findByID(t, p.To)
	if err != nil {
		return nil, err
	}
	path := t.Path(end)
	i := slices.Index(path, top)
	switch {
	case i < 0:
		return nil, fmt.Errorf("%w: entry %s is not below %s", session.ErrInvalid, p.To, t.At(top).ID)
	case p.Bare:
		return path[i:], nil
	}
	return path, nil
}

// exportFileName returns `<session>-<entry>-<label>.ext`, for a whole tree without an
// entry.
func exportFileName(t *session.Tree, o Options, c *countingRedactor) string {
	h := t.Header()
	name := h.Name
	if name == "" {
		name = idSuffix(h.ID)
	}
	parts := []string{c.redactText(name)}
	if at, err := o.Part.findEntry(t); err == nil && at != session.NoPos && o.Part.Scope != Tree {
		parts = append(parts, idSuffix(t.At(at).ID))
		if l, ok := t.Label(at); ok {
			parts = append(parts, c.redactText(l.Text))
		}
	}
	var words []string
	for _, part := range parts {
		if s := slugify(part); s != "" {
			words = append(words, s)
		}
	}
	if len(words) == 0 {
		words = []string{"session"}
	}
	return strings.Join(words, "-") + "." + string(o.Kind)
}

// idSuffix returns the end of an id, which is more distinctive than its beginning.
func idSuffix(id string) string {
	const most = 8
	r := []rune(id)
	return string(r[max(0, len(r)-most):])
}

// slugify converts a text to a part of a file name.
func slugify(s string) string {
	const most = 40
	var b []rune
	for _, r := range strings.ToLower(s) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b = append(b, r)
		case len(b) > 0 && b[len(b)-1] != '-':
			b = append(b, '-')
		}
	}
	return strings.Trim(string(b[:min(len(b), most)]), "-")
}
