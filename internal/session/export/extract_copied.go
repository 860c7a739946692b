package export

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"

	"sessiontree/internal/session"
	"sessiontree/internal/session/scan"
	"sessiontree/internal/session/store"
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

// skipCopied limits the extract to the lines that a file lacks, which was created
// appendable. It returns false and changes nothing if the file is not a prefix of the
// extract: an entry in it changed or moved, or a label was removed.
func (x *extract) skipCopied(c CopiedState) bool {
	if !x.appendable {
		return false
	}
	rest, ok := x.planAfter(c)
	if ok {
		x.plan = &rest
	}
	return ok
}

// planOutput returns the lines to write: all of them unless skipCopied was called.
func (x *extract) planOutput() *outputPlan {
	if x.plan == nil {
		rest, _ := x.planAfter(CopiedState{})
		x.plan = &rest
	}
	return x.plan
}

// copiedAfter returns the state of the file after everything is written.
func (x *extract) copiedAfter() CopiedState { return x.planOutput().copied }

// countFileEntries returns the number of entries in the file, those of its trailer
// included.
func (x *extract) countFileEntries() int {
	n := x.copiedAfter().TrailerLines
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
	lines        store.OutputLines
	trailer      []session.FileLine
	afterTrailer store.OutputLines // after the trailer
	unordered    store.OutputLines
	copied       CopiedState
}

func (x *extract) planAfter(c CopiedState) (r outputPlan, ok bool) {
	if r.lines, r.copied.Lines, ok = linesAfter(x.lines, c.Lines); !ok {
		return r, false
	}
	if r.unordered, r.copied.Unordered, ok = linesAfter(x.unordered, c.Unordered); !ok {
		return r, false
	}
	switch {
	case x.Trailer == nil:
		return r, true
	case x.Trailer.LastLineIsLeaf && c.TrailerLines > 0 && len(r.lines.Lines) > 0:
		return r, false // the agent continued from an entry before the trailer lines
	}
	return r, x.buildTrailer(&r, c)
}

// splitLastLine splits off the last line.
func splitLastLine(c store.OutputLines) (most, last store.OutputLines) {
	line, at := len(c.Lines)-1, len(c.Locations)
	if c.Lines[line].Text == nil {
		at--
	}
	return store.OutputLines{Lines: c.Lines[:line], Locations: c.Locations[:at]}, store.OutputLines{Lines: c.Lines[line:], Locations: c.Locations[at:]}
}

// linesAfter returns the lines of c after the prefix r, and the prefix that consists of
// all lines of c. ok is false if the lines do not start with r.
func linesAfter(c store.OutputLines, r LinePrefix) (rest store.OutputLines, all LinePrefix, ok bool) {
	if r.Len > len(c.Lines) {
		return rest, all, false
	}
	s := lineHasher{to: sha256.New()}
	spots := c.Locations
	for i := range c.Lines {
		if i == r.Len {
			rest = store.OutputLines{Lines: c.Lines[i:], Locations: spots}
			ok = i == 0 || s.hexDigest() == r.Sum
		}
		if c.Lines[i].Text == nil {
			s.hashLocation(&spots[0], c.Lines[i].EditInput)
			spots = spots[1:]
		} else {
			s.hashText(c.Lines[i].Text)
		}
	}
	if all = (LinePrefix{len(c.Lines), s.hexDigest()}); r.Len == all.Len {
		ok = r.Len == 0 || r == all
	}
	return rest, all, ok
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
