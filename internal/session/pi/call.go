package pi

import (
	"math"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

const (
	maxCommand = 50 // UTF-16 units of a command that a row shows; pi's number
	maxArgs    = 40 // the same for the arguments of a tool nobody knows
	maxLine    = 160
)

// calls makes the tool calls of an answer.
func (p *packer) calls(blocks []block, home string) []session.ToolCall {
	n := 0
	for i := range blocks {
		if blocks[i].typ.Is("toolCall") {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	out := make([]session.ToolCall, 0, n)
	for i := range blocks {
		if b := &blocks[i]; b.typ.Is("toolCall") {
			out = append(out, session.ToolCall{})
			call := &out[len(out)-1]
			p.id(&call.ID, b.id)
			p.word(&call.Name, b.name)
			from := len(p.buf)
			a := p.arg(b, home)
			p.keep(&call.Arg, from)
			p.line(&call.Line, a.command)
		}
	}
	return out
}

// args is what rows show of a call's arguments.
type args struct {
	path, filePath, offset, limit, command, pattern jsonl.Value
}

func (a *args) scan(v jsonl.Value) {
	c := jsonl.Open(v.Raw)
	for ok := c.Enter(); ok; ok = c.More() {
		switch string(c.Key()) {
		case "path":
			a.path = c.Value()
		case "file_path":
			a.filePath = c.Value()
		case "offset":
			a.offset = c.Value()
		case "limit":
			a.limit = c.Value()
		case "command":
			a.command = c.Value()
		case "pattern":
			a.pattern = c.Value()
		default:
			c.Skip()
		}
	}
}

// arg appends the argument that tells most, as pi words it behind the tool's
// name, and answers all that rows show.
func (p *packer) arg(b *block, home string) (a args) {
	switch string(b.name.Bytes()) {
	case "read", "write", "edit", "bash", "grep", "find", "ls":
		a.scan(b.args)
	}
	switch string(b.name.Bytes()) {
	case "read":
		p.path(a.file(), home)
		p.lineRange(a.offset, a.limit)
	case "write", "edit":
		p.path(a.file(), home)
	case "bash":
		p.command(a.command)
	case "grep":
		p.buf = append(p.buf, '/')
		p.loose(a.pattern)
		p.buf = append(p.buf, "/ in "...)
		p.place(a.path, home)
	case "find":
		p.loose(a.pattern)
		p.buf = append(p.buf, " in "...)
		p.place(a.path, home)
	case "ls":
		p.place(a.path, home)
	default:
		p.other(b.args)
	}
	return a
}

// line keeps more of a command than pi's cut leaves of it.
func (p *packer) line(dst *string, v jsonl.Value) {
	from := len(p.buf)
	if v.IsString() {
		p.buf = jsonl.AppendText(p.buf, v, maxLine)
		p.flatten(from)
	}
	if units(p.buf[from:]) <= maxCommand {
		p.buf = p.buf[:from]
		return
	}
	p.keep(dst, from)
}

func (a *args) file() jsonl.Value {
	if a.path.Truthy() {
		return a.path
	}
	return a.filePath
}

// loose appends v as JavaScript's String would, nothing for what is not truthy.
func (p *packer) loose(v jsonl.Value) {
	switch {
	case v.IsString():
		p.buf = jsonl.AppendText(p.buf, v, maxWord)
	case v.Truthy():
		p.buf, _ = jsonl.AppendCompact(p.buf, v, maxArgs)
	}
}

// path appends a path, its home directory as "~". Like the newest pi it leaves
// /home/ab alone when home is /home/a.
func (p *packer) path(v jsonl.Value, home string) {
	from := len(p.buf)
	p.loose(v)
	path := string(p.buf[from:])
	rest, inside := strings.CutPrefix(path, home)
	if inside && home != "" && (rest == "" || rest[0] == '/' || rest[0] == '\\') {
		p.buf = append(append(p.buf[:from], '~'), rest...)
	}
}

// place appends a directory, the current one when none is named.
func (p *packer) place(v jsonl.Value, home string) {
	if !v.Truthy() {
		p.buf = append(p.buf, '.')
		return
	}
	p.path(v, home)
}

// lineRange appends the lines that were read, when the call named any.
func (p *packer) lineRange(offset, limit jsonl.Value) {
	from, hasFrom := offset.Number()
	count, hasCount := limit.Number()
	if !hasFrom && !hasCount {
		return
	}
	if !hasFrom {
		from = 1
	}
	p.buf = jsonl.AppendNumber(append(p.buf, ':'), from)
	if to := from + count - 1; hasCount && to != 0 && !math.IsNaN(to) {
		p.buf = jsonl.AppendNumber(append(p.buf, '-'), to)
	}
}

// command appends the beginning of a command on one line. pi counts what it cuts
// before the line is trimmed.
func (p *packer) command(v jsonl.Value) {
	from := len(p.buf)
	p.loose(v)
	whole := units(p.buf[from:])
	p.flatten(from)
	p.cut(from, maxCommand)
	if whole > maxCommand {
		p.buf = append(p.buf, "..."...)
	}
}

// units counts the UTF-16 units of a text.
func units(text []byte) (n int) {
	for _, r := range string(text) {
		if n++; r > 0xFFFF {
			n++
		}
	}
	return n
}

// other appends the beginning of the arguments of a tool nobody knows.
func (p *packer) other(v jsonl.Value) {
	more := false
	if p.buf, more = jsonl.AppendCompact(p.buf, v, maxArgs); more {
		p.buf = append(p.buf, "..."...)
	}
}
