package pi

import "sessiontree/internal/session/jsonl"

// messageContent is the content of a message: a string, or blocks.
type messageContent struct {
	text   jsonl.Value
	blocks []block
}

// block is one block of a content. Its type may be recorded after its other keys.
type block struct {
	typ, text, id, name, args jsonl.Value
}

// blockFields reads the members of a block.
var blockFields = jsonl.NewFields(
	func(b *block) map[string]*jsonl.Value {
		return map[string]*jsonl.Value{
			"type":      &b.typ,
			"text":      &b.text,
			"id":        &b.id,
			"name":      &b.name,
			"arguments": &b.args,
		}
	},
	nil,
)

func (t *messageContent) resetContent() { t.text, t.blocks = jsonl.Value{}, t.blocks[:0] }

func (t *messageContent) readContent(c *jsonl.Cursor) {
	t.resetContent()
	if c.Kind() != '[' {
		t.text = c.Value()
		return
	}
	for ok := c.EnterArray(); ok; ok = c.More() {
		t.blocks = append(t.blocks, block{})
		blockFields.ReadObject(c, &t.blocks[len(t.blocks)-1])
	}
}

// appendText appends the text of the content, its blocks joined without a separator, at most limit
// UTF-16 units.
func (t *messageContent) appendText(dst []byte, limit int) []byte {
	dst, limit = jsonl.AppendTextWithin(dst, t.text, limit)
	for i := range t.blocks {
		if b := &t.blocks[i]; limit > 0 && b.typ.Is("text") {
			dst, limit = jsonl.AppendTextWithin(dst, b.text, limit)
		}
	}
	return dst
}

// hasText reports whether the content holds text that is not blank.
func (t *messageContent) hasText() bool {
	if !t.text.IsBlank() {
		return true
	}
	for i := range t.blocks {
		if b := &t.blocks[i]; b.typ.Is("text") && !b.text.IsBlank() {
			return true
		}
	}
	return false
}

func (t *messageContent) hasBlockType(typ string) bool {
	for i := range t.blocks {
		if t.blocks[i].typ.Is(typ) {
			return true
		}
	}
	return false
}

// lastText returns the last text of the content.
func (t *messageContent) lastText() jsonl.Value {
	for i := len(t.blocks) - 1; i >= 0; i-- {
		if t.blocks[i].typ.Is("text") {
			return t.blocks[i].text
		}
	}
	return t.text
}
