package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"

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

// Since leaves out of the extract what stands in a file already, made with
// Origin.Beside. It answers false, and changes nothing, when the file is no beginning
// of it: an entry in it changed or comes later by now, or a label is not in force any
// more.
func (x *Extract) Since(c Copied) bool {
	if !x.on {
		return false
	}
	rest, ok := x.since(c)
	if ok {
		x.rest = &rest
	}
	return ok
}

// plan is what is to be written: everything unless Since says otherwise.
func (x *Extract) plan() *rest {
	if x.rest == nil {
		rest, _ := x.since(Copied{})
		x.rest = &rest
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
			if lines[i].Pos != session.NoPos || lines[i].Added {
				n++
			}
		}
	}
	return n
}

// rest is what is to be written.
type rest struct {
	lines  copying
	tail   [][]byte
	last   copying // behind the tail
	beside copying
	then   Copied
}

func (x *Extract) since(c Copied) (r rest, ok bool) {
	if r.lines, r.then.Lines, ok = x.lines.since(c.Lines); !ok {
		return r, false
	}
	if r.beside, r.then.Beside, ok = x.beside.since(c.Beside); !ok {
		return r, false
	}
	switch {
	case x.Tail == nil:
		return r, true
	case x.Tail.Moves && c.Tail > 0 && len(r.lines.lines) > 0:
		return r, false // the agent went on beside what was told of it
	}
	return r, x.finish(&r, c)
}

// copying is lines of a file, and where those that are copied stand.
type copying struct {
	lines []session.FileLine
	spots []spot
}

// split takes the last line off.
func (c copying) split() (most, last copying) {
	line, at := len(c.lines)-1, len(c.spots)
	if c.lines[line].Text == nil {
		at--
	}
	return copying{c.lines[:line], c.spots[:at]}, copying{c.lines[line:], c.spots[at:]}
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
