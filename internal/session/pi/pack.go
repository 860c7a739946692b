package pi

import (
	"bytes"
	"crypto/sha256"
	"fmt"

	"sessiontree/internal/session/jsonl"
)

// packer gathers the strings of an entry and makes them in one allocation: they
// live and die together, and a session has many.
type packer struct {
	buf  []byte
	refs []ref
}

// ref is a string to be made of buf[from:to].
type ref struct {
	dst      *string
	from, to int
}

func (p *packer) reset() { p.buf, p.refs = p.buf[:0], p.refs[:0] }

// keep makes dst what was appended to buf since from. It does so at the end: a dst
// must be kept only once, and not be set otherwise.
func (p *packer) keep(dst *string, from int) {
	p.refs = append(p.refs, ref{dst, from, len(p.buf)})
}

// seal makes all strings.
func (p *packer) seal() {
	all := string(p.buf)
	for _, r := range p.refs {
		if r.from < r.to {
			*r.dst = all[r.from:r.to]
		}
	}
}

// id keeps v as a name: an id, or a number in its place.
func (p *packer) id(dst *string, v jsonl.Value) {
	from := len(p.buf)
	if n, ok := v.Number(); ok {
		p.buf = jsonl.AppendNumber(p.buf, n)
	} else {
		p.buf = jsonl.AppendID(p.buf, v)
	}
	p.buf = append(p.buf[:from], shortID(p.buf[from:])...)
	p.keep(dst, from)
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

// text keeps v, cut at limit UTF-16 units.
func (p *packer) text(dst *string, v jsonl.Value, limit int) {
	from := len(p.buf)
	p.buf = jsonl.AppendText(p.buf, v, limit)
	p.keep(dst, from)
}

// row keeps v as a row shows it, cut at limit UTF-16 units.
func (p *packer) row(dst *string, v jsonl.Value, limit int) {
	from := len(p.buf)
	p.buf = jsonl.AppendText(p.buf, v, limit)
	p.flatten(from)
	p.keep(dst, from)
}

// name keeps v trimmed.
func (p *packer) name(dst *string, v jsonl.Value) {
	from := len(p.buf)
	p.buf = jsonl.AppendText(p.buf, v, maxUncut)
	p.trim(from)
	p.keep(dst, from)
}

// content keeps the text of t as a row shows it, cut at limit UTF-16 units.
func (p *packer) content(dst *string, t *content, limit int) {
	from := len(p.buf)
	p.buf = t.append(p.buf, limit)
	p.flatten(from)
	p.keep(dst, from)
}

// word keeps v, a string that recurs in the lines of a session.
func (p *packer) word(dst *string, v jsonl.Value) {
	if w := known(v.Bytes()); w != "" {
		*dst = w
		return
	}
	p.text(dst, v, maxWord)
}

// flatten turns the line breaks and tabs of buf[from:] into blanks and trims it,
// as pi does before it draws a row.
func (p *packer) flatten(from int) {
	for _, gap := range []byte{'\n', '\t'} {
		rest := p.buf[from:]
		for i := bytes.IndexByte(rest, gap); i >= 0; i = bytes.IndexByte(rest, gap) {
			rest[i] = ' '
			rest = rest[i+1:]
		}
	}
	p.trim(from)
}

// trim removes white space from the ends of buf[from:].
func (p *packer) trim(from int) {
	b := bytes.TrimFunc(p.buf[from:], jsonl.IsSpace)
	p.buf = p.buf[:from+copy(p.buf[from:], b)]
}

// maxWord bounds what is no text but a name, in case a file is not what it seems.
const maxWord = 512

// known answers the words that occur in almost every file without allocating.
func known(b []byte) string {
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
