package wave

import (
	"encoding/binary"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// line holds the fields of a recorded line that are used. Keys come in any order, so nothing is
// decoded before the whole line has been read.
type line struct {
	cursor jsonl.Cursor

	typ, id, role, time      jsonl.Value
	workdir, created, branch jsonl.Value // of the header
	content                  jsonl.Value // of the first version
	model                    jsonl.Value // of the usage
	prompt, tokens           int64       // of the prompt, cached ones included, and of the context after the request
	used                     session.Usage
	meta, hasBlocks          bool
	blocks                   []block

	entryDetails session.Details // as far as they are read
}

// block holds the used fields of one block of a message.
type block struct {
	typ, content, stage, source                              jsonl.Value
	id, name, params, compact, result, failure, success, job jsonl.Value
	command, code, summary                                   jsonl.Value
	images, snapshots                                        jsonl.Value
}

// lineFields reads the members of a line.
var lineFields = jsonl.NewFields(
	func(l *line) map[string]*jsonl.Value {
		return map[string]*jsonl.Value{
			"timestamp": &l.time,
			"id":        &l.id,
			"role":      &l.role,
			"type":      &l.typ,
			"workdir":   &l.workdir,
			"createdAt": &l.created,
			"gitBranch": &l.branch,
			"content":   &l.content,
		}
	},
	map[string]func(*line, *jsonl.Cursor){
		"blocks": func(l *line, c *jsonl.Cursor) { l.readBlocks(c) },
		"usage":  func(l *line, c *jsonl.Cursor) { l.readTokenUsage(c) },
		"isMeta": func(l *line, c *jsonl.Cursor) { l.meta = c.Value().Kind() == 't' },
	},
)

// blockFields reads the members of a block of a message.
var blockFields = jsonl.NewFields(
	func(b *block) map[string]*jsonl.Value {
		return map[string]*jsonl.Value{
			"type":             &b.typ,
			"content":          &b.content,
			"stage":            &b.stage,
			"source":           &b.source,
			"id":               &b.id,
			"name":             &b.name,
			"parameters":       &b.params,
			"compactParams":    &b.compact,
			"result":           &b.result,
			"error":            &b.failure,
			"success":          &b.success,
			"backgroundTaskId": &b.job,
			"command":          &b.command,
			"exitCode":         &b.code,
			"summary":          &b.summary,
			"imageUrls":        &b.images,
			"images":           &b.images,
			"snapshots":        &b.snapshots,
		}
	},
	nil,
)

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
	lineFields.ReadObject(c, l)
	if err := c.End(); err != nil || isObject {
		return err
	}
	return jsonl.ErrNotObject
}

func (l *line) readBlocks(c *jsonl.Cursor) {
	l.blocks, l.hasBlocks = l.blocks[:0], c.Kind() == '['
	for ok := c.EnterArray(); ok; ok = c.More() {
		l.blocks = append(l.blocks, block{})
		blockFields.ReadObject(c, &l.blocks[len(l.blocks)-1])
	}
}

func (l *line) readTokenUsage(c *jsonl.Cursor) {
	for ok := c.EnterObject(); ok; ok = c.More() {
		switch string(c.Key()) {
		case "model":
			l.model = c.Value()
		case "prompt_tokens":
			l.prompt = c.Value().Count()
		case "completion_tokens":
			l.used.Output = c.Value().Count()
		case "cache_read_input_tokens":
			l.used.CacheRead = c.Value().Count()
		case "cache_creation_input_tokens":
			l.used.CacheWrite = c.Value().Count()
		case "total_tokens":
			l.tokens = c.Value().Count()
		default:
			c.Skip()
		}
	}
}

// charge returns the charge of a message, nil if it records no request. Copies of a message have
// its time and its content.
func (l *line) charge() *session.Charge {
	u := l.used
	u.Input = max(l.prompt-u.CacheRead-u.CacheWrite, 0)
	if u == (session.Usage{}) {
		return nil
	}
	text := make([]byte, 0, 1024)
	for i := range l.blocks[:min(len(l.blocks), 4)] {
		text = jsonl.AppendText(text, l.blocks[i].content, maxPreview)
		text = append(text, l.blocks[i].id.Bytes()...)
	}
	var tokens []byte
	for _, n := range [...]int64{u.Input, u.Output, u.CacheRead, u.CacheWrite} {
		tokens = binary.AppendVarint(tokens, n)
	}
	return &session.Charge{Key: session.HashParts(l.time.Bytes(), l.model.Bytes(), tokens, text), Model: shortName(l.model), Usage: u}
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
