package wave

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// line is what is wanted of one recorded line. Keys come in any order, so nothing
// is decoded before the line has ended.
type line struct {
	cursor jsonl.Cursor

	typ, id, role, time        jsonl.Value
	workdir, created, branch   jsonl.Value // of the header
	content                    jsonl.Value // of the first version
	model                      jsonl.Value // usage
	prompt, completion, tokens int64
	meta, hasBlocks            bool
	blocks                     []block
}

// block is what is wanted of one block of a message.
type block struct {
	typ, content, stage, source                              jsonl.Value
	id, name, params, compact, result, failure, success, job jsonl.Value
	command, code, summary                                   jsonl.Value
	images, snapshots                                        jsonl.Value
}

var lines jsonl.Pool[line]

// reset forgets everything but memory that can be used again.
func (l *line) reset(text []byte) {
	c, blocks := l.cursor, l.blocks[:0]
	*l = line{}
	l.cursor, l.blocks = c, blocks
	l.cursor.Reset(text)
}

// read takes the line in. jsonl.ErrNoObject is of a line that is JSON but no object.
func (l *line) read(text []byte) error {
	l.reset(text)
	c := &l.cursor
	isObject := c.Kind() == '{'
	for ok := c.Enter(); ok; ok = c.More() {
		l.field(c)
	}
	if err := c.End(); err != nil || isObject {
		return err
	}
	return jsonl.ErrNoObject
}

func (l *line) field(c *jsonl.Cursor) {
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
		l.usage(c)
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
	for ok := c.Elements(); ok; ok = c.More() {
		var b block
		for ok := c.Enter(); ok; ok = c.More() {
			if v := b.value(c.Key()); v != nil {
				*v = c.Value()
			} else {
				c.Skip()
			}
		}
		l.blocks = append(l.blocks, b)
	}
}

// value is where the value of a block's key goes, nil when it is not wanted.
func (b *block) value(key []byte) *jsonl.Value {
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

func (l *line) usage(c *jsonl.Cursor) {
	for ok := c.Enter(); ok; ok = c.More() {
		switch string(c.Key()) {
		case "model":
			l.model = c.Value()
		case "prompt_tokens":
			l.prompt = count(c.Value())
		case "completion_tokens":
			l.completion = count(c.Value())
		case "total_tokens":
			l.tokens = count(c.Value())
		default:
			c.Skip()
		}
	}
}

// count is a number of tokens; what cannot be one is 0.
func count(v jsonl.Value) int64 {
	n, _ := v.Number()
	if !(n > 0) || n > 1<<40 {
		return 0
	}
	return int64(n)
}

// isHeader reports whether the line describes the session.
func (l *line) isHeader() bool { return l.typ.Is("metadata") && !l.hasBlocks }

// isMessage reports whether the line is a message of today's form.
func (l *line) isMessage() bool { return l.hasBlocks && l.role.IsString() }

// isText reports whether the line is a message of the first form.
func (l *line) isText() bool {
	return !l.hasBlocks && l.content.IsString() && l.typ.Kind() == 'x' && (l.role.Is("user") || l.role.Is("assistant"))
}

// sniffed is how many records are looked at.
const sniffed = 16

// sniff reports whether a file that begins with head is a session of Wave: its
// header, or messages of blocks or, in the first version, of text.
func sniff(head []byte) bool {
	var l line
	n := 0
	for found := range jsonl.Lines(head) {
		if l.read(found.Data) != nil {
			continue
		}
		switch {
		case l.isHeader() && (l.workdir.IsString() || l.created.IsString() || l.branch.IsString()):
			return true
		case l.isMessage() && l.id.IsString(), l.isText() && l.time.IsString():
			return true
		}
		if n++; n == sniffed {
			break
		}
	}
	return false
}

// scan reads one line into a record.
func scan(text []byte, home string) (session.Record, error) {
	l := lines.Get()
	defer lines.Put(l, len(text))
	if err := l.read(text); err != nil {
		return session.Record{}, err
	}
	return l.record(home), nil
}
