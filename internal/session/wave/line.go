package wave

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// line holds the fields of a recorded line that are used. Keys come in any order, so nothing is
// decoded before the whole line has been read.
type line struct {
	cursor jsonl.Cursor

	typ, id, role, time        jsonl.Value
	workdir, created, branch   jsonl.Value // of the header
	content                    jsonl.Value // of the first version
	model                      jsonl.Value // of the usage
	prompt, completion, tokens int64
	meta, hasBlocks            bool
	blocks                     []block

	entryDetails session.Details // as far as they are read
}

// block holds the used fields of one block of a message.
type block struct {
	typ, content, stage, source                              jsonl.Value
	id, name, params, compact, result, failure, success, job jsonl.Value
	command, code, summary                                   jsonl.Value
	images, snapshots                                        jsonl.Value
}

var linePool jsonl.Pool[line]

// resetLine clears the line and keeps its buffers for reuse.
func (l *line) resetLine(text []byte) {
	c, blocks := l.cursor, l.blocks[:0]
	*l = line{}
	l.cursor, l.blocks = c, blocks
	l.cursor.Reset(text)
}

// readLine reads a line. It returns jsonl.ErrNotObject for a line that is JSON but no object.
func (l *line) readLine(text []byte) error {
	l.resetLine(text)
	c := &l.cursor
	isObject := c.Kind() == '{'
	for ok := c.EnterObject(); ok; ok = c.More() {
		l.readField(c)
	}
	if err := c.End(); err != nil || isObject {
		return err
	}
	return jsonl.ErrNotObject
}

func (l *line) readField(c *jsonl.Cursor) {
	switch string(c.Key()) {
	case "timestamp":
		l.time = c.Value()
	case "id":
		l.id = c.Value()
	case "role":
		l.role = c.Value()
	case "blocks":
		l.readBlocks(c)
	case "usage":
		l.readTokenUsage(c)
	case "isMeta":
		l.meta = c.Value().Kind() == 't'
	case "type":
		l.typ = c.Value()
	case "workdir":
		l.workdir = c.Value()
	case "createdAt":
		l.created = c.Value()
	case "gitBranch":
		l.branch = c.Value()
	case "content":
		l.content = c.Value()
	default:
		c.Skip()
	}
}

func (l *line) readBlocks(c *jsonl.Cursor) {
	l.blocks, l.hasBlocks = l.blocks[:0], c.Kind() == '['
	for ok := c.EnterArray(); ok; ok = c.More() {
		var b block
		for ok := c.EnterObject(); ok; ok = c.More() {
			if v := b.blockField(c.Key()); v != nil {
				*v = c.Value()
			} else {
				c.Skip()
			}
		}
		l.blocks = append(l.blocks, b)
	}
}

// blockField returns the destination of a key's value, nil if the key is not used.
func (b *block) blockField(key []byte) *jsonl.Value {
	switch string(key) {
	case "type":
		return &b.typ
	case "content":
		return &b.content
	case "stage":
		return &b.stage
	case "source":
		return &b.source
	case "id":
		return &b.id
	case "name":
		return &b.name
	case "parameters":
		return &b.params
	case "compactParams":
		return &b.compact
	case "result":
		return &b.result
	case "error":
		return &b.failure
	case "success":
		return &b.success
	case "backgroundTaskId":
		return &b.job
	case "command":
		return &b.command
	case "exitCode":
		return &b.code
	case "summary":
		return &b.summary
	case "imageUrls", "images":
		return &b.images
	case "snapshots":
		return &b.snapshots
	}
	return nil
}

func (l *line) readTokenUsage(c *jsonl.Cursor) {
	for ok := c.EnterObject(); ok; ok = c.More() {
		switch string(c.Key()) {
		case "model":
			l.model = c.Value()
		case "prompt_tokens":
			l.prompt = tokenCount(c.Value())
		case "completion_tokens":
			l.completion = tokenCount(c.Value())
		case "total_tokens":
			l.tokens = tokenCount(c.Value())
		default:
			c.Skip()
		}
	}
}

// tokenCount returns a number of tokens, 0 if v cannot be one.
func tokenCount(v jsonl.Value) int64 {
	n, _ := v.Number()
	if !(n > 0) || n > 1<<40 {
		return 0
	}
	return int64(n)
}

// isHeader reports whether the line describes the session.
func (l *line) isHeader() bool { return l.typ.Is("metadata") && !l.hasBlocks }

// isMessage reports whether the line is a message in the current form.
func (l *line) isMessage() bool { return l.hasBlocks && l.role.IsString() }

// isTextMessage reports whether the line is a message in the form of the first version.
func (l *line) isTextMessage() bool {
	return !l.hasBlocks && l.content.IsString() && l.typ.Kind() == 'x' && (l.role.Is("user") || l.role.Is("assistant"))
}

// maxSniffed is the number of records that are checked.
const maxSniffed = 16

// sniffSession reports whether a file that begins with head is a session of Wave: a header, or
// messages with blocks or, in the first version, with text.
func sniffSession(head []byte) bool {
	var l line
	n := 0
	for found := range jsonl.Lines(head) {
		if l.readLine(found.Data) != nil {
			continue
		}
		switch {
		case l.isHeader() && (l.workdir.IsString() || l.created.IsString() || l.branch.IsString()):
			return true
		case l.isMessage() && l.id.IsString(), l.isTextMessage() && l.time.IsString():
			return true
		}
		if n++; n == maxSniffed {
			break
		}
	}
	return false
}

// scanLine scans one line into a record.
func scanLine(text []byte, home string) (session.Record, error) {
	l := linePool.Get()
	defer linePool.Put(l, len(text))
	if err := l.readLine(text); err != nil {
		return session.Record{}, err
	}
	return l.makeRecord(home), nil
}
