package pi

import (
	"bytes"
	"crypto/sha256"
	"fmt"

	"sessiontree/internal/session/jsonl"
)

// stringPacker collects the strings of an entry and allocates them together, because they have the
// same lifetime and a session has many.
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

// packSince sets dst to what was appended to buf since from. makeStrings does the assignment, so a
// dst must be packed only once and not be set otherwise.
func (p *stringPacker) packSince(dst *string, from int) {
	p.refs = append(p.refs, packedString{dst, from, len(p.buf)})
}

// makeStrings allocates and assigns all strings.
func (p *stringPacker) makeStrings() {
	all := string(p.buf)
	for _, r := range p.refs {
		if r.from < r.to {
			*r.dst = all[r.from:r.to]
		}
	}
}

// packID packs an id, which may be a number.
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

// maxID is the maximum length of an id in bytes. Pages repeat ids in every link; the agents' own
// ids have 36 bytes at most.
const maxID = 512

// shortID returns id or, if it is too long, its beginning and a hash, so that different ids stay
// different.
func shortID(id []byte) []byte {
	if len(id) <= maxID {
		return id
	}
	sum := sha256.Sum256(id)
	return fmt.Appendf(nil, "%s~%x", bytes.ToValidUTF8(id[:64], nil), sum[:16])
}

// packText packs v, cut at limit UTF-16 units.
func (p *stringPacker) packText(dst *string, v jsonl.Value, limit int) {
	from := len(p.buf)
	p.buf = jsonl.AppendText(p.buf, v, limit)
	p.packSince(dst, from)
}

// packRow packs v for a row, cut at limit UTF-16 units.
func (p *stringPacker) packRow(dst *string, v jsonl.Value, limit int) {
	from := len(p.buf)
	p.buf = jsonl.AppendText(p.buf, v, limit)
	p.flattenSince(from)
	p.packSince(dst, from)
}

// packTrimmed packs v without white space at its ends.
func (p *stringPacker) packTrimmed(dst *string, v jsonl.Value) {
	from := len(p.buf)
	p.buf = jsonl.AppendText(p.buf, v, maxWholeText)
	p.trimSince(from)
	p.packSince(dst, from)
}

// packContent packs the text of t for a row, cut at limit UTF-16 units.
func (p *stringPacker) packContent(dst *string, t *messageContent, limit int) {
	from := len(p.buf)
	p.buf = t.appendText(p.buf, limit)
	p.flattenSince(from)
	p.packSince(dst, from)
}

// packWord packs a string that recurs in the lines of a session.
func (p *stringPacker) packWord(dst *string, v jsonl.Value) {
	if w := internWord(v.Bytes()); w != "" {
		*dst = w
		return
	}
	p.packText(dst, v, maxName)
}

// flattenSince replaces line breaks and tabs in buf[from:] by spaces and trims it, as pi does for
// its rows.
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

// maxName is the maximum length of a name, in case a file is not what it seems.
const maxName = 512

// internWord returns words that occur in almost every file without allocating.
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
