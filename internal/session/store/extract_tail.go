package store

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"

	"sessiontree/internal/session"
)

// finish makes the lines of the tail that are not there yet.
func (x *Extract) finish(r *rest, c Copied) bool {
	for _, key := range c.Labels {
		if !slices.Contains(x.ends.labels, key) {
			return false
		}
	}
	r.then.Labels, r.then.Tail = x.ends.labels, c.Tail
	above, line := "", x.Tail.Line
	if !x.on && x.Tail.Side != nil {
		line = x.Tail.Side
		r.lines, r.last = r.lines.split()
	}
	say := func(what session.Saying, words ...string) {
		id := x.ends.id(words...)
		r.tail = append(r.tail, line(id, above, what))
		r.then.Tail++
		above = id
	}
	if r.then.Name = c.Name; x.ends.namedAt >= c.Lines.Len {
		r.then.Name = x.ends.said
	}
	if name := x.Tail.Name; name != nil && r.then.Name != nameHash(*name) {
		r.then.Name = nameHash(*name)
		say(session.Saying{Name: name}, "name", *name, strconv.Itoa(r.then.Tail))
	}
	for i, key := range x.ends.labels {
		if !slices.Contains(c.Labels, key) {
			say(session.Saying{Label: &x.Tail.Labels[i]}, key)
		}
	}
	if r.then.Leaf = c.Leaf; x.ends.lastAt >= c.Lines.Len {
		r.then.Leaf = x.ends.last
	}
	if x.Tail.Moves && len(r.tail) > 0 {
		r.then.Leaf = x.ends.leaf
	}
	switch x.ends.leaf {
	case r.then.Leaf:
	case "": // what was told of it cannot be taken back
		return r.then.Leaf == x.ends.last
	default:
		r.then.Leaf = x.ends.leaf
		say(session.Saying{}, "leaf", x.ends.leaf, strconv.Itoa(r.then.Lines.Len), strconv.Itoa(r.then.Tail))
	}
	return true
}

// ending is what is known of a tail.
type ending struct {
	labels          []string // their hashes
	leaf, last      string   // ids of the entries, "" for none
	said            string   // the name by the lines, as a hash
	lastAt, namedAt int      // the lines that say so, -1 for none
	id              func(words ...string) string
}

// newEnding is called with the turn.
func (s *Session) newEnding(f *session.NewFile, o Origin) (e ending) {
	tail, t := f.Tail, s.tree
	if tail == nil {
		return e
	}
	e.id = func(words ...string) (id string) {
		for i := 0; id == "" || s.has(id); i++ {
			id = o.id(append(words, strconv.Itoa(i))...)
		}
		return id
	}
	e.lastAt, e.namedAt = -1, -1
	if tail.Leaf != session.NoPos {
		e.leaf = t.At(tail.Leaf).ID
	}
	for i, l := range f.Lines {
		if l.Pos == session.NoPos {
			continue
		}
		entry := t.At(l.Pos)
		if l.Pos == tail.Last {
			e.last, e.lastAt = entry.ID, i
		}
		if entry.Kind == session.KindName {
			e.said, e.namedAt = nameHash(entry.Name), i
		}
	}
	for _, l := range tail.Labels {
		e.labels = append(e.labels, hashed(t.At(l.Target).ID, l.Text, strconv.FormatInt(l.Time, 10)))
	}
	return e
}

// outside is what is kept beside a file, and taken out of its tail. A name that the
// lines say themselves is not; and they cannot be told to say none.
func (s *Session) outside(f *session.NewFile) session.Aside {
	tail := f.Tail
	if tail == nil || !tail.Moves {
		return f.Aside
	}
	aside, said := tail.Aside, ""
	for _, l := range f.Lines {
		if l.Pos != session.NoPos && s.tree.At(l.Pos).Kind == session.KindName {
			said = s.tree.At(l.Pos).Name
		}
	}
	if aside.Name != nil && (aside.Name.Text == "" || aside.Name.Text == said) {
		aside.Name = nil
	}
	tail.Name, tail.Labels = nil, nil
	return aside
}

// nameHash tells names apart; that of none is "", as in an empty file.
func nameHash(name string) string {
	if name == "" {
		return ""
	}
	return hashed(name)
}

// has reports whether an entry has an id.
func (s *Session) has(id string) (taken bool) {
	s.Read(func(t *session.Tree, _ Rev) { taken = t.Find(id) != session.NoPos })
	return taken
}

// hashed is short: a file has few labels.
func hashed(words ...string) string {
	h := sha256.New()
	for _, w := range words {
		h.Write(strconv.AppendQuote(nil, w))
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
