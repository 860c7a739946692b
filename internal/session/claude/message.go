package claude

import (
	"sessiontree/internal/session/claude/usage"
	"sessiontree/internal/session/jsonl"
)

// message holds the used fields of a line's message.
type message struct {
	id, model, stop jsonl.Value
	text            jsonl.Value // content that is a string
	blocks          []block
	usage           usage.Usage
}

// block is one block of a content.
type block struct {
	typ, text, thinking, id, name, input, callID, failed, content jsonl.Value
}

// messageFields reads the members of a message.
var messageFields = jsonl.NewFields(
	func(m *message) map[string]*jsonl.Value {
		return map[string]*jsonl.Value{"id": &m.id, "model": &m.model, "stop_reason": &m.stop}
	},
	map[string]func(*message, *jsonl.Cursor){
		"content": (*message).readContentBlocks,
		"usage":   func(m *message, c *jsonl.Cursor) { m.usage.ReadUsage(c) },
	},
)

// blockFields reads the members of a block.
var blockFields = jsonl.NewFields(
	func(b *block) map[string]*jsonl.Value {
		return map[string]*jsonl.Value{
			"type":        &b.typ,
			"text":        &b.text,
			"thinking":    &b.thinking,
			"id":          &b.id,
			"name":        &b.name,
			"input":       &b.input,
			"tool_use_id": &b.callID,
			"is_error":    &b.failed,
			"content":     &b.content,
		}
	},
	nil,
)

func (m *message) readMessage(c *jsonl.Cursor) {
	*m = message{blocks: m.blocks[:0]}
	messageFields.ReadObject(c, m)
}

func (m *message) readContentBlocks(c *jsonl.Cursor) {
	if c.Kind() != '[' {
		m.text = c.Value()
		return
	}
	for ok := c.EnterArray(); ok; ok = c.More() {
		if c.Kind() != '{' {
			c.Skip()
			continue
		}
		m.blocks = append(m.blocks, block{})
		blockFields.ReadObject(c, &m.blocks[len(m.blocks)-1])
	}
}

// firstBlock returns the first block of a type, nil if there is none.
func (m *message) firstBlock(typ string) *block {
	for i := range m.blocks {
		if m.blocks[i].typ.Is(typ) {
			return &m.blocks[i]
		}
	}
	return nil
}

// hasBlock reports whether the message has a block of a type.
func (m *message) hasBlock(typ string) bool { return m.firstBlock(typ) != nil }

// plainText returns the text of the message, its text blocks joined by line breaks, at most limit
// UTF-16 units.
func (m *message) plainText(limit int) string {
	return string(m.appendPlainText(nil, limit))
}

// rowText returns the text of the message for a row.
func (m *message) rowText() string {
	var room [4 * maxPreview]byte // line breaks between blocks do not count toward the limit
	return string(flattenBytes(m.appendPlainText(room[:0], maxPreview)))
}

func (m *message) appendPlainText(dst []byte, limit int) []byte {
	dst, limit = jsonl.AppendTextWithin(dst, m.text, limit)
	for i := range m.blocks {
		if b := &m.blocks[i]; limit > 0 && b.typ.Is("text") {
			if len(dst) > 0 {
				dst = append(dst, '\n')
			}
			dst, limit = jsonl.AppendTextWithin(dst, b.text, limit)
		}
	}
	return dst
}

// hasText reports whether the message holds text that is not blank.
func (m *message) hasText() bool {
	if !m.text.IsBlank() {
		return true
	}
	for i := range m.blocks {
		if b := &m.blocks[i]; b.typ.Is("text") && !b.text.IsBlank() {
			return true
		}
	}
	return false
}
