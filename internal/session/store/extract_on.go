package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"slices"
	"strconv"

	"sessiontree/internal/session"
)

// Copied is what of a session stands in a file that was made of it, so that the file
// can go on with the session. The zero value is an empty file.
type Copied struct {
	Lines  Run      `json:"lines"`
	Beside Run      `json:"beside,omitzero"`
	Name   string   `json:"name,omitempty"`   // that it says, as a hash
	Labels []string `json:"labels,omitempty"` // in force, as hashes
	Leaf   string   `json:"leaf,omitempty"`   // id of the entry where the agent stands by it
	Tail   int      `json:"tail,omitempty"`   // lines that say this
}

// Run is the beginning of a list of lines.
type Run struct {
	Len int    `json:"len"`
	Sum string `json:"sum"` // of what the lines are
}

// Since leaves out of the extract what stands in a file already. It answers false,
// and changes nothing, when the file is no beginning of it: an entry in it changed
// or comes later by now, or a label is not in force any more.
func (x *Extract) Since(c Copied) bool {
	rest, ok := x.since(c)
	if ok {
		x.rest = &rest
	}
	return ok
}

// plan is what is to be written: everything unless Since says otherwise.
func (x *Extract) plan() *rest {
	if x.rest == nil {
		x.Since(Copied{})
	}
	return x.rest
}

// Copied is what stands in the file once everything is written.
func (x *Extract) Copied() Copied { return x.plan().then }

// Entries counts the entries of the file: those that are copied, and what its tail
// says.
func (x *Extract) Entries() int {
	n := x.Copied().Tail
	for _, lines := range [][]session.FileLine{x.Lines, x.NewFile.Beside} {
		for i := range lines {
			if lines[i].Pos != session.NoPos {
				n++
			}
		}
	}
	return n
}

// rest is what is to be written.
type rest struct {
	lines, beside copying
	tail          [][]byte
	then          Copied
}

func (x *Extract) since(c Copied) (r rest, ok bool) {
	if r.lines, r.then.Lines, ok = x.lines.since(c.Lines); !ok {
		return r, false
	}
	if r.beside, r.then.Beside, ok = x.beside.since(c.Beside); !ok {
		return r, false
	}
	return r, x.Tail == nil || x.finish(&r, c)
}

// finish makes the lines of the tail that are not there yet.
func (x *Extract) finish(r *rest, c Copied) bool {
	for _, key := range c.Labels {
		if !slices.Contains(x.ends.labels, key) {
			return false
		}
	}
	r.then.Labels, r.then.Tail = x.ends.labels, c.Tail
	above := ""
	say := func(what session.Saying, words ...string) {
		id := x.ends.id(words...)
		r.tail = append(r.tail, x.Tail.Line(id, above, what))
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

// copying is lines of a file, and where those that are copied stand.
type copying struct {
	lines []session.FileLine
	spots []spot
}

// since is what comes after the beginning that stands in a file, false when another
// one does.
func (c copying) since(r Run) (rest copying, all Run, ok bool) {
	if r.Len > len(c.lines) {
		return rest, all, false
	}
	s := summing{to: sha256.New()}
	spots := c.spots
	for i := range c.lines {
		if i == r.Len {
			rest = copying{c.lines[i:], spots}
			ok = i == 0 || s.sum() == r.Sum
		}
		if c.lines[i].Text == nil {
			s.spot(&spots[0], c.lines[i].With)
			spots = spots[1:]
		} else {
			s.text(c.lines[i].Text)
		}
	}
	if all = (Run{len(c.lines), s.sum()}); r.Len == all.Len {
		ok = r.Len == 0 || r == all
	}
	return rest, all, ok
}

// each calls write with every line, without its end.
func (c copying) each(ctx context.Context, from *opened, write func(line []byte) error) error {
	next := 0
	for _, l := range c.lines {
		if err := ctx.Err(); err != nil {
			return err
		}
		text := l.Text
		if text == nil {
			at := &c.spots[next]
			next++
			var err error
			if text, err = from.line(at, l.Edit); err != nil {
				return fmt.Errorf("entry %s: %w", at.id, err)
			}
		}
		if err := write(text); err != nil {
			return err
		}
	}
	return nil
}

// summing sums up what lines of a file are, without reading them.
type summing struct {
	to  hash.Hash
	buf []byte
}

// text takes in a line by what it says.
func (s *summing) text(line []byte) {
	s.buf = append(s.buf, 't')
	s.add(string(line))
}

// spot takes in a line by where it stands in the session.
func (s *summing) spot(at *spot, with string) {
	s.buf = append(s.buf, 'c')
	s.buf = binary.AppendVarint(s.buf, int64(at.span.File))
	s.buf = binary.AppendVarint(s.buf, at.span.Off)
	s.buf = binary.AppendVarint(s.buf, int64(at.span.Len))
	s.add(at.id)
	s.add(with)
}

func (s *summing) add(text string) {
	s.buf = append(binary.AppendUvarint(s.buf, uint64(len(text))), text...)
	if len(s.buf) > 4<<10 {
		s.flush()
	}
}

func (s *summing) flush() {
	s.to.Write(s.buf)
	s.buf = s.buf[:0]
}

func (s *summing) sum() string {
	s.flush()
	return hex.EncodeToString(s.to.Sum(nil)[:16])
}
