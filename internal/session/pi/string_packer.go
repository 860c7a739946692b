package pi

import (
	"bytes"
	"crypto/sha256"
	"fmt"

	"sessiontree/internal/session/jsonl"
)

// stringPacker gathers the strings of an entry and makes them in one allocation: they
// live and die together, and a session has many.
type stringPacker struct {
	buf  []byte
	refs []packedString
}

// packedString is a string to be made of buf[from:to].
type packedString struct {
	dst      *string
	from, to int
}

func (p *stringPacker) resetPacker() { p.buf, p.refs = p.buf[:0], p.refs[:0] }

// packSince makes dst what was appended to buf since from. It does so at the end: a dst
// must be kept only once, and not be set otherwise.
func (p *stringPacker) packSince(dst *string, from int) {
	p.refs = append(p.refs, packedString{dst, from, len(p.buf)})
}

// makeStrings makes all strings.
func (p *stringPacker) makeStrings() {
	all := string(p.buf)
	for _, r := range p.refs {
		if r.from < r.to {
			*r.dst = all[r.from:r.to]
		}
	}
}

// packID keeps v as a name: an id, or a number in its place.
func (p *stringPacker) packID(dst *string, v jsonl.Value) {
	from := len(p.buf)
	if n, ok := v.Number(); ok {
		p.buf = jsonl.AppendNumber(p.buf, n)
	} else {
		p.buf = jsonl.AppendID(p.buf, v)
	}
	p.buf = append(p.buf[:from], shortID(p.buf[from:])...)
	p.packSince(dst, from)
}

// maxID bounds an id, in bytes. Ids stand in every link of a page; the agents'
// own have 36 at most.
const maxID = 512

// shortID is the id itself, or where it is too long its beginning and a hash:
// different ids stay different, and equal ones equal.
func shortID(id []byte) []byte {
	if len(id) <= maxID {
		return id
	}
	sum := sha256.Sum256(id)
	return fmt.Appendf(nil, "%s~%x", bytes.ToValidUTF8(id[:64], nil), sum[:16])
}

// packText keeps v, cut at limit UTF-16 units.
func (p *stringPacker) packText(dst *string, v jsonl.Value, limit int) {
	from := len(p.buf)
	p.buf = jsonl.AppendText(p.buf, v, limit)
	p.packSince(dst, from)
}

// packRow keeps v as a row shows it, cut at limit UTF-16 units.
func (p *stringPacker) packRow(dst *string, v jsonl.Value, limit int) {
	from := len(p.buf)
	p.buf = jsonl.AppendText(p.buf, v, limit)
	p.flattenSince(from)
	p.packSince(dst, from)
}

// packTrimmed keeps v trimmed.
func (p *stringPacker) packTrimmed(dst *string, v jsonl.Value) {
	from := len(p.buf)
	p.buf = jsonl.AppendText(p.buf, v, maxWholeText)
	p.trimSince(from)
	p.packSince(dst, from)
}

// packContent keeps the text of t as a row shows it, cut at limit UTF-16 units.
func (p *stringPacker) packContent(dst *string, t *messageContent, limit int) {
	from := len(p.buf)
	p.buf = t.appendText(p.buf, limit)
	p.flattenSince(from)
	p.packSince(dst, from)
}

// packWord keeps v, a string that recurs in the lines of a session.
func (p *stringPacker) packWord(dst *string, v jsonl.Value) {
	if w := internWord(v.Bytes()); w != "" {
		*dst = w
		return
	}
	p.packText(dst, v, maxName)
}

// flattenSince turns the line breaks and tabs of buf[from:] into blanks and trims it,
// as pi does before it draws a row.
func (p *stringPacker) flattenSince(from int) {
	for _, gap := range []byte{'\n', '\t'} {
		rest := p.buf[from:]
		for i := bytes.IndexByte(rest, gap); i >= 0; i = bytes.IndexByte(rest, gap) {
			rest[i] = ' '
			rest = rest[i+1:]
		}
	}
	p.trimSince(from)
}

// trimSince removes white space from the ends of buf[from:].
func (p *stringPacker) trimSince(from int) {
	b := bytes.TrimFunc(p.buf[from:], jsonl.IsSpace)
	p.buf = p.buf[:from+copy(p.buf[from:], b)]
}

// maxName bounds what is no text but a name, in case a file is not what it seems.
const maxName = 512

// internWord answers the words that occur in almost every file without allocating.
func internWord(b []byte) string {
	switch string(b) {
	case "user":
		return "user"
	case "assistant":
		return "assistant"
	case "toolResult":
		return "toolResult"
	case "stop":
		return "stop"
	case "toolUse":
		return "toolUse"
	case "aborted":
		return "aborted"
	case "bash":
		return "bash"
	case "read":
		return "read"
	case "edit":
		return "edit"
	case "write":
		return "write"
	case "grep":
		return "grep"
	case "find":
		return "find"
	case "ls":
		return "ls"
	case "anthropic":
		return "anthropic"
	case "openai":
		return "openai"
	case "google":
		return "google"
	}
	return ""
}
