package jsonl

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// maxDepth is the maximum nesting of values. It is the limit of encoding/json, so that both accept
// the same lines.
const maxDepth = 10000

// Cursor walks one JSON text. Its methods consume values in order, and every value
// reached must be consumed by exactly one of Value, Skip, EnterObject or EnterArray.
// After an error all methods return zero values, so that loops end. Returned values
// alias the text.
//
//	c := jsonl.NewCursor(line)
//	for ok := c.EnterObject(); ok; ok = c.More() {
//		switch string(c.Key()) {
//		case "id":
//			id = c.Value()
//		default:
//			c.Skip()
//		}
//	}
//	err := c.End()
type Cursor struct {
	text    []byte
	pos     int
	key     []byte
	words   keyWords // of key
	closers []byte   // closing bytes of the open containers
	err     error
}

// NewCursor returns a cursor before the first value of text.
func NewCursor(text []byte) Cursor { return Cursor{text: text} }

// Reset moves c before the first value of text and keeps its buffers.
func (c *Cursor) Reset(text []byte) { *c = Cursor{text: text, closers: c.closers[:0]} }

var (
	errTruncated = errors.New("it ends in the middle of a value")
	errTooDeep   = errors.New("it is nested too deeply")
)

func (c *Cursor) setError() {
	if c.err != nil {
		return
	}
	if c.pos >= len(c.text) {
		c.err = errTruncated
		return
	}
	c.err = fmt.Errorf("unexpected byte %q at offset %d", c.text[c.pos], c.pos)
}

func (c *Cursor) skipSpace() {
	for c.pos < len(c.text) && isJSONSpace(c.text[c.pos]) {
		c.pos++
	}
}

func isJSONSpace(b byte) bool { return b <= ' ' && (b == ' ' || b == '\n' || b == '\r' || b == '\t') }

// Kind returns the first byte of the next value: one of { [ " t f n, 0 for a number, or 'x' for no
// value.
func (c *Cursor) Kind() byte { return kindOfByte(c.peekByte()) }

// peekByte returns the first byte of the next value, 0 if there is none.
func (c *Cursor) peekByte() byte {
	c.skipSpace()
	if c.pos >= len(c.text) || c.err != nil {
		return 0
	}
	return c.text[c.pos]
}

func kindOfByte(b byte) byte {
	switch b {
	case '{', '[', '"', 't', 'f', 'n':
		return b
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return 0
	}
	return 'x'
}

// EnterObject enters the next value if it is an object and moves before the value of its first key.
// If the value is empty or no object, it is consumed and ok is false.
func (c *Cursor) EnterObject() (ok bool) { return c.enterContainer('{', '}') }

// EnterArray enters the next value if it is an array and moves before its first element. If the
// value is empty or no array, it is consumed and ok is false.
func (c *Cursor) EnterArray() (ok bool) { return c.enterContainer('[', ']') }

func (c *Cursor) enterContainer(opener, closer byte) bool {
	if c.peekByte() != opener {
		c.Skip()
		return false
	}
	c.pos++
	if len(c.closers) >= maxDepth {
		c.err = errTooDeep
		return false
	}
	c.skipSpace()
	if c.pos < len(c.text) && c.text[c.pos] == closer {
		c.pos++
		return false
	}
	c.closers = append(c.closers, closer)
	return c.reachValue(closer)
}

// More moves to the next value of the innermost object or array. At its end it leaves the container
// and returns false.
func (c *Cursor) More() bool {
	if c.err != nil {
		return false
	}
	c.skipSpace()
	closer := c.closers[len(c.closers)-1]
	if c.pos >= len(c.text) {
		c.setError()
		return false
	}
	switch c.text[c.pos] {
	case ',':
		c.pos++
		return c.reachValue(closer)
	case closer:
		c.pos++
		c.closers = c.closers[:len(c.closers)-1]
		return false
	}
	c.setError()
	return false
}

// reachValue moves before a value and past its key if it has one.
func (c *Cursor) reachValue(closer byte) bool {
	if closer == ']' || c.readShortKey() {
		return true
	}
	c.skipSpace()
	if c.pos >= len(c.text) || c.text[c.pos] != '"' {
		c.setError()
		return false
	}
	start := c.pos + 1
	end, escaped := c.findStringEnd(start)
	if c.err != nil {
		return false
	}
	c.key = c.text[start : end-1]
	if escaped {
		c.key = AppendText(nil, Value{Raw: c.text[start-1 : end], escaped: true}, len(c.key))
	}
	c.words = makeKeyWords(c.key)
	c.pos = end
	c.skipSpace()
	if c.pos >= len(c.text) || c.text[c.pos] != ':' {
		c.setError()
		return false
	}
	c.pos++
	return true
}

// readShortKey reads a key in the common form: at most fifteen plain bytes, without white space
// around it. It consumes nothing if the key has another form.
func (c *Cursor) readShortKey() bool {
	i := c.pos + 1
	if i < 1 || i > len(c.text)-17 || c.text[i-1] != '"' {
		return false
	}
	first, last, end := binary.LittleEndian.Uint64(c.text[i:i+8]), uint64(0), i
	m := markSpecialBytes(first)
	if m != 0 {
		first &= bytesBelow(m)
	} else {
		end += 8
		last = binary.LittleEndian.Uint64(c.text[end : end+8])
		m = markSpecialBytes(last)
		last &= bytesBelow(m)
	}
	end += bits.TrailingZeros64(m) >> 3
	if m == 0 || c.text[end] != '"' || c.text[end+1] != ':' {
		return false
	}
	c.key, c.words, c.pos = c.text[i:end], keyWords{first, last}, end+2
	return true
}

// Key returns the key of the next value.
func (c *Cursor) Key() []byte { return c.key }

// Value consumes and returns the next value of any kind.
func (c *Cursor) Value() Value {
	if c.peekByte() == '"' {
		start := c.pos
		end, escaped := c.findStringEnd(start + 1)
		if c.err != nil {
			return Value{}
		}
		c.pos = end
		return Value{Raw: c.text[start:end], escaped: escaped}
	}
	start := c.pos
	c.Skip()
	if c.err != nil {
		return Value{}
	}
	return Value{Raw: c.text[start:c.pos]}
}

// End returns an error unless the text is exactly one JSON value.
func (c *Cursor) End() error {
	if c.err == nil {
		c.skipSpace()
		if c.pos < len(c.text) {
			c.setError()
		}
	}
	return c.err
}
