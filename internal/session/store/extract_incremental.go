package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"

	"sessiontree/internal/session"
	"sessiontree/internal/session/scan"
)

// CopiedState describes which lines of a session a file made from it already has, so
// that new lines can be appended. The zero value describes an empty file.
type CopiedState struct {
	Lines        LinePrefix `json:"lines"`
	Unordered    LinePrefix `json:"beside,omitzero"`
	Name         string     `json:"name,omitempty"`   // hash of the session name in the file
	Labels       []string   `json:"labels,omitempty"` // hashes of the labels in effect
	Leaf         string     `json:"leaf,omitempty"`   // id of the entry that is the leaf in the file
	TrailerLines int        `json:"tail,omitempty"`   // number of lines with names, labels or leaf
}

// LinePrefix identifies the first lines of a list.
type LinePrefix struct {
	Len int    `json:"len"`
	Sum string `json:"sum"` // hash of the lines
}

// SkipCopied limits the extract to the lines that a file lacks. The file was created with
// Origin.SidecarAnnotations. SkipCopied returns false and changes nothing if the file
// is not a prefix of the extract: an entry in it changed or moved, or a label was
// removed.
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

// planOutput returns the lines to write: all of them unless SkipCopied was called.
func (x *Extract) planOutput() *outputPlan {
	if x.plan == nil {
		rest, _ := x.planAfter(CopiedState{})
		x.plan = &rest
	}
	return x.plan
}

// CopiedAfter returns the state of the file after everything is written.
func (x *Extract) CopiedAfter() CopiedState { return x.planOutput().copied }

// CountFileEntries returns the number of entries in the file, those of its trailer
// included.
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

// outputPlan is the lines to write.
type outputPlan struct {
	lines        outputLines
	trailer      [][]byte
	afterTrailer outputLines // after the trailer
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
		return r, false // the agent continued from an entry before the trailer lines
	}
	return r, x.buildTrailer(&r, c)
}

// outputLines is lines of a file, with the locations of the copied ones.
type outputLines struct {
	lines     []session.FileLine
	locations []scan.Location
}

// splitLastLine splits off the last line.
func (c outputLines) splitLastLine() (most, last outputLines) {
	line, at := len(c.lines)-1, len(c.locations)
	if c.lines[line].Text == nil {
		at--
	}
	return outputLines{c.lines[:line], c.locations[:at]}, outputLines{c.lines[line:], c.locations[at:]}
}

// linesAfter returns the lines after a prefix, and the prefix that all lines make. ok
// is false if the lines do not start with r.
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

// eachOutputLine calls write with every line, without its newline.
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
				return fmt.Errorf("entry %s: %w", at.ID, err)
			}
		}
		if err := write(text); err != nil {
			return err
		}
	}
	return nil
}

// lineHasher hashes lines of a file without reading the copied ones.
type lineHasher struct {
	to  hash.Hash
	buf []byte
}

// hashText hashes a line by its text.
func (s *lineHasher) hashText(line []byte) {
	s.buf = append(s.buf, 't')
	s.hashField(string(line))
}

// hashLocation hashes a copied line by its location in the session.
func (s *lineHasher) hashLocation(at *scan.Location, with string) {
	s.buf = append(s.buf, 'c')
	s.buf = binary.AppendVarint(s.buf, int64(at.Span.File))
	s.buf = binary.AppendVarint(s.buf, at.Span.Off)
	s.buf = binary.AppendVarint(s.buf, int64(at.Span.Len))
	s.hashField(at.ID)
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
