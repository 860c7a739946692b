package claude

import "sessiontree/internal/session/jsonl"

// message holds the used fields of a line's message.
type message struct {
	id, model, stop jsonl.Value
	text            jsonl.Value // content that is a string
	blocks          []block
	tokens          int64 // size of the context after the request
}

// block is one block of a content.
type block struct {
	typ, text, thinking, id, name, input, callID, failed, content jsonl.Value
}

func (m *message) readMessage(c *jsonl.Cursor) {
	blocks := m.blocks[:0]
	*m = message{blocks: blocks}
	if c.Kind() != '{' {
		c.Skip()
		return
	}
	for ok := c.EnterObject(); ok; ok = c.More() {
		switch string(c.Key()) {
		case "id":
			m.id = c.Value()
		case "model":
			m.model = c.Value()
		case "stop_reason":
			m.stop = c.Value()
		case "content":
			m.readContentBlocks(c)
		case "usage":
			m.readUsage(c)
		default:
			c.Skip()
		}
	}
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
		var b block
		for ok := c.EnterObject(); ok; ok = c.More() {
			if v := b.blockField(c.Key()); v != nil {
				*v = c.Value()
			} else {
				c.Skip()
			}
		}
		m.blocks = append(m.blocks, b)
	}
}

func (b *block) blockField(key []byte) *jsonl.Value {
	switch string(key) {
	case "type":
		return &b.typ
	case "text":
		return &b.text
	case "thinking":
		return &b.thinking
	case "id":
		return &b.id
	case "name":
		return &b.name
	case "input":
		return &b.input
	case "tool_use_id":
		return &b.callID
	case "is_error":
		return &b.failed
	case "content":
		return &b.content
	}
	return nil
}

// readUsage sums the tokens in the model's context after the request.
func (m *message) readUsage(c *jsonl.Cursor) {
	m.tokens = 0
	for ok := c.EnterObject(); ok; ok = c.More() {
		switch string(c.Key()) {
		case "input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens":
			if n, ok := c.Value().Number(); ok && n > 0 && n < 1<<40 {
				m.tokens += int64(n)
			}
		default:
			c.Skip()
		}
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
