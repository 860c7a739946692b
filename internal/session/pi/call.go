package pi

import (
	"math"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
	"sessiontree/internal/session/pi/omp"
)

const (
	maxCommand     = 50 // UTF-16 units of a command in a row; pi's limit
	maxArgs        = 40 // UTF-16 units of the arguments of an unknown tool in a row
	maxCommandLine = 160
)

// packCalls returns the tool calls of an answer.
func (p *stringPacker) packCalls(blocks []block, home string) []session.ToolCall {
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
			p.packID(&call.ID, b.id)
			p.packWord(&call.Name, b.name)
			from := len(p.buf)
			a := p.appendArgument(b, home)
			p.packSince(&call.Arg, from)
			p.packCommandLine(&call.CommandLine, a.command)
		}
	}
	return out
}

// callArguments holds the arguments of a call that rows show.
type callArguments struct {
	path, filePath, offset, limit, command, pattern jsonl.Value
}

func (a *callArguments) readArguments(v jsonl.Value) {
	c := jsonl.NewCursor(v.Raw)
	for ok := c.EnterObject(); ok; ok = c.More() {
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

// appendArgument appends the most informative argument in pi's wording and returns all arguments
// that rows show.
func (p *stringPacker) appendArgument(b *block, home string) (a callArguments) {
	switch string(b.name.Bytes()) {
	case "read", "write", "edit", "bash", "grep", "find", "ls":
		a.readArguments(b.args)
	}
	switch string(b.name.Bytes()) {
	case "read":
		p.appendPath(a.filePathArgument(), home)
		p.appendLineRange(a.offset, a.limit)
	case "write", "edit":
		p.appendPath(a.filePathArgument(), home)
	case "bash":
		p.appendCommand(a.command)
	case "grep":
		p.buf = append(p.buf, '/')
		p.appendTruthy(a.pattern)
		p.buf = append(p.buf, "/ in "...)
		p.appendDirectory(a.path, home)
	case "find":
		p.appendTruthy(a.pattern)
		p.buf = append(p.buf, " in "...)
		p.appendDirectory(a.path, home)
	case "ls":
		p.appendDirectory(a.path, home)
	default:
		p.appendOther(string(b.name.Bytes()), b.args)
	}
	return a
}

// packCommandLine packs a longer part of a command if pi's limit cuts it.
func (p *stringPacker) packCommandLine(dst *string, v jsonl.Value) {
	from := len(p.buf)
	if v.IsString() {
		p.buf = jsonl.AppendText(p.buf, v, maxCommandLine)
		p.flattenSince(from)
	}
	if countUTF16(p.buf[from:]) <= maxCommand {
		p.buf = p.buf[:from]
		return
	}
	p.packSince(dst, from)
}

func (a *callArguments) filePathArgument() jsonl.Value {
	if a.path.IsTruthy() {
		return a.path
	}
	return a.filePath
}

// appendTruthy appends v as JavaScript's String would, and nothing if v is falsy.
func (p *stringPacker) appendTruthy(v jsonl.Value) {
	switch {
	case v.IsString():
		p.buf = jsonl.AppendText(p.buf, v, maxName)
	case v.IsTruthy():
		p.buf, _ = jsonl.AppendCompact(p.buf, v, maxArgs)
	}
}

// appendPath appends a path with the home directory as "~". Like the newest pi it does not shorten
// /home/ab if home is /home/a.
func (p *stringPacker) appendPath(v jsonl.Value, home string) {
	from := len(p.buf)
	p.appendTruthy(v)
	path, n := p.buf[from:], len(home)
	if n == 0 || len(path) < n || string(path[:n]) != home {
		return
	}
	if rest := path[n:]; len(rest) == 0 || rest[0] == '/' || rest[0] == '\\' {
		p.buf = append(append(p.buf[:from], '~'), rest...)
	}
}

// appendDirectory appends a directory, "." by default.
func (p *stringPacker) appendDirectory(v jsonl.Value, home string) {
	if !v.IsTruthy() {
		p.buf = append(p.buf, '.')
		return
	}
	p.appendPath(v, home)
}

// appendLineRange appends the range of lines to read, if the call has any.
func (p *stringPacker) appendLineRange(offset, limit jsonl.Value) {
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

// appendCommand appends the beginning of a command on one line. Like pi it measures the command
// before trimming.
func (p *stringPacker) appendCommand(v jsonl.Value) {
	from := len(p.buf)
	p.appendTruthy(v)
	whole := countUTF16(p.buf[from:])
	p.flattenSince(from)
	p.cutSince(from, maxCommand)
	if whole > maxCommand {
		p.buf = append(p.buf, "..."...)
	}
}

// countUTF16 counts the UTF-16 units of a text.
func countUTF16(text []byte) (n int) {
	for _, r := range string(text) {
		if n++; r > 0xFFFF {
			n++
		}
	}
	return n
}

// appendOther appends what is most informative of the arguments of a tool of oh-my-pi, and the
// beginning of those of an unknown tool.
func (p *stringPacker) appendOther(tool string, args jsonl.Value) {
	texts, from := omp.Arguments(tool, args), len(p.buf)
	if len(texts) == 0 {
		p.appendJSON(args)
		return
	}
	for i := 0; i < len(texts) && countUTF16(p.buf[from:]) <= maxCommand; i++ {
		if i > 0 {
			p.buf = append(p.buf, ", "...)
		}
		p.buf = jsonl.AppendText(p.buf, texts[i], maxCommand+1)
	}
	p.flattenSince(from)
	if countUTF16(p.buf[from:]) > maxCommand {
		p.cutSince(from, maxCommand)
		p.buf = append(p.buf, "..."...)
	}
}

// appendJSON appends the beginning of an unknown tool's arguments.
func (p *stringPacker) appendJSON(v jsonl.Value) {
	more := false
	if p.buf, more = jsonl.AppendCompact(p.buf, v, maxArgs); more {
		p.buf = append(p.buf, "..."...)
	}
}
