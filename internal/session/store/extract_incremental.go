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

// CopiedState is what of a session stands in a file that was made of it, so that the file
// can go on with the session. The zero value is an empty file.
type CopiedState struct {
	Lines        LinePrefix `json:"lines"`
	Unordered    LinePrefix `json:"beside,omitzero"`
	Name         string     `json:"name,omitempty"`   // that it says, as a hash
	Labels       []string   `json:"labels,omitempty"` // in force, as hashes
	Leaf         string     `json:"leaf,omitempty"`   // id of the entry where the agent stands by it
	TrailerLines int        `json:"tail,omitempty"`   // lines that say this
}

// LinePrefix is the beginning of a list of lines.
type LinePrefix struct {
	Len int    `json:"len"`
	Sum string `json:"sum"` // of what the lines are
}

// SkipCopied leaves out of the extract what stands in a file already, made with
// Origin.Beside. It answers false, and changes nothing, when the file is no beginning
// of it: an entry in it changed or comes later by now, or a label is not in force any
// more.
func (x *Extract) SkipCopied(c CopiedState) bool {
	if !x.appendable {
		return false
	}
	rest, ok := x.planAfter(c)
	if ok {
		x.plan = &rest
	}
	return ok
}

// planOutput is what is to be written: everything unless Since says otherwise.
func (x *Extract) planOutput() *outputPlan {
	if x.plan == nil {
		rest, _ := x.planAfter(CopiedState{})
		x.plan = &rest
	}
	return x.plan
}

// CopiedAfter is what stands in the file once everything is written.
func (x *Extract) CopiedAfter() CopiedState { return x.planOutput().copied }

// CountFileEntries counts the entries of the file: those that are copied, and what its tail
// says.
func (x *Extract) CountFileEntries() int {
	n := x.CopiedAfter().TrailerLines
	for _, lines := range [][]session.FileLine{x.Lines, x.NewFile.Unordered} {
		for i := range lines {
			if lines[i].Pos != session.NoPos || lines[i].AddsEntry {
				n++
			}
		}
	}
	return n
}

// outputPlan is what is to be written.
type outputPlan struct {
	lines        outputLines
	trailer      [][]byte
	afterTrailer outputLines // behind the tail
	unordered    outputLines
	copied       CopiedState
}

func (x *Extract) planAfter(c CopiedState) (r outputPlan, ok bool) {
	if r.lines, r.copied.Lines, ok = x.lines.linesAfter(c.Lines); !ok {
		return r, false
	}
	if r.unordered, r.copied.Unordered, ok = x.unordered.linesAfter(c.Unordered); !ok {
		return r, false
	}
	switch {
	case x.Trailer == nil:
		return r, true
	case x.Trailer.LastLineIsLeaf && c.TrailerLines > 0 && len(r.lines.lines) > 0:
		return r, false // the agent went on beside what was told of it
	}
	return r, x.buildTrailer(&r, c)
}

// outputLines is lines of a file, and where those that are copied stand.
type outputLines struct {
	lines     []session.FileLine
	locations []lineLocation
}

// splitLastLine takes the last line off.
func (c outputLines) splitLastLine() (most, last outputLines) {
	line, at := len(c.lines)-1, len(c.locations)
	if c.lines[line].Text == nil {
		at--
	}
	return outputLines{c.lines[:line], c.locations[:at]}, outputLines{c.lines[line:], c.locations[at:]}
}

// linesAfter is what comes after the beginning that stands in a file, false when another
// one does.
func (c outputLines) linesAfter(r LinePrefix) (rest outputLines, all LinePrefix, ok bool) {
	if r.Len > len(c.lines) {
		return rest, all, false
	}
	s := lineHasher{to: sha256.New()}
	spots := c.locations
	for i := range c.lines {
		if i == r.Len {
			rest = outputLines{c.lines[i:], spots}
			ok = i == 0 || s.hexDigest() == r.Sum
		}
		if c.lines[i].Text == nil {
			s.hashLocation(&spots[0], c.lines[i].EditInput)
			spots = spots[1:]
		} else {
			s.hashText(c.lines[i].Text)
		}
	}
	if all = (LinePrefix{len(c.lines), s.hexDigest()}); r.Len == all.Len {
		ok = r.Len == 0 || r == all
	}
	return rest, all, ok
}

// eachOutputLine calls write with every line, without its end.
func (c outputLines) eachOutputLine(ctx context.Context, from *openFiles, write func(line []byte) error) error {
	next := 0
	for _, l := range c.lines {
		if err := ctx.Err(); err != nil {
			return err
		}
		text := l.Text
		if text == nil {
			at := &c.locations[next]
			next++
			var err error
			if text, err = from.readEditedLine(at, l.Edit); err != nil {
				return fmt.Errorf("entry %s: %w", at.id, err)
			}
		}
		if err := write(text); err != nil {
			return err
		}
	}
	return nil
}

// lineHasher sums up what lines of a file are, without reading them.
type lineHasher struct {
	to  hash.Hash
	buf []byte
}

// hashText takes in a line by what it says.
func (s *lineHasher) hashText(line []byte) {
	s.buf = append(s.buf, 't')
	s.hashField(string(line))
}

// hashLocation takes in a line by where it stands in the session.
func (s *lineHasher) hashLocation(at *lineLocation, with string) {
	s.buf = append(s.buf, 'c')
	s.buf = binary.AppendVarint(s.buf, int64(at.span.File))
	s.buf = binary.AppendVarint(s.buf, at.span.Off)
	s.buf = binary.AppendVarint(s.buf, int64(at.span.Len))
	s.hashField(at.id)
	s.hashField(with)
}

func (s *lineHasher) hashField(text string) {
	s.buf = append(binary.AppendUvarint(s.buf, uint64(len(text))), text...)
	if len(s.buf) > 4<<10 {
		s.flushBuffer()
	}
}

func (s *lineHasher) flushBuffer() {
	s.to.Write(s.buf)
	s.buf = s.buf[:0]
}

func (s *lineHasher) hexDigest() string {
	s.flushBuffer()
	return hex.EncodeToString(s.to.Sum(nil)[:16])
}
