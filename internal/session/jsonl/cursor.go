package jsonl

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// maxDepth is how deep values may be nested: the limit of encoding/json, so that
// both accept the same lines.
const maxDepth = 10000

// Cursor walks one JSON text. Its methods must consume values in order, and every
// value reached must be consumed by exactly one of Value, Skip, Enter or Elements.
// After an error every method answers nothing and loops end. What it answers
// aliases the text.
//
//	c := jsonl.Open(line)
//	for ok := c.Enter(); ok; ok = c.More() {
//		switch string(c.Key()) {
//		case "id":
//			id = c.Value()
//		default:
//			c.Skip()
//		}
//	}
//	err := c.End()
type Cursor struct {
	b    []byte
	i    int
	key  []byte
	open []byte // closers of the containers entered
	err  error
}

// Open makes a cursor before the first value of text.
func Open(text []byte) Cursor { return Cursor{b: text} }

// Reset makes c a cursor before the first value of text and keeps its memory.
func (c *Cursor) Reset(text []byte) { *c = Cursor{b: text, open: c.open[:0]} }

var (
	errShort = errors.New("it ends in the middle of a value")
	errDeep  = errors.New("it is nested too deeply")
)

func (c *Cursor) fail() {
	if c.err != nil {
		return
	}
	if c.i >= len(c.b) {
		c.err = errShort
		return
	}
	c.err = fmt.Errorf("unexpected byte %q at offset %d", c.b[c.i], c.i)
}

func (c *Cursor) space() {
	for c.i < len(c.b) && isSpace(c.b[c.i]) {
		c.i++
	}
}

func isSpace(b byte) bool { return b <= ' ' && (b == ' ' || b == '\n' || b == '\r' || b == '\t') }

// Kind is the first byte of the next value: one of { [ " t f n, 0 for a number,
// or 'x' for no value.
func (c *Cursor) Kind() byte { return kind(c.next()) }

// next is the byte the next value begins with, 0 when there is none.
func (c *Cursor) next() byte {
	c.space()
	if c.i >= len(c.b) || c.err != nil {
		return 0
	}
	return c.b[c.i]
}

func kind(b byte) byte {
	switch b {
	case '{', '[', '"', 't', 'f', 'n':
		return b
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return 0
	}
	return 'x'
}

// Enter steps into the next value when it is an object and stands before the
// value of its first key. When the object is empty or the value none, the value is
// consumed and ok is false.
func (c *Cursor) Enter() (ok bool) { return c.enter('{', '}') }

// Elements steps into the next value when it is an array and stands before its
// first element. When the array is empty or the value none, the value is consumed
// and ok is false.
func (c *Cursor) Elements() (ok bool) { return c.enter('[', ']') }

func (c *Cursor) enter(opener, closer byte) bool {
	if c.next() != opener {
		c.Skip()
		return false
	}
	c.i++
	if len(c.open) >= maxDepth {
		c.err = errDeep
		return false
	}
	c.space()
	if c.i < len(c.b) && c.b[c.i] == closer {
		c.i++
		return false
	}
	c.open = append(c.open, closer)
	return c.reach(closer)
}

// More steps to the next value of the object or array entered last. At its end
// it steps out and answers false.
func (c *Cursor) More() bool {
	if c.err != nil {
		return false
	}
	c.space()
	closer := c.open[len(c.open)-1]
	if c.i >= len(c.b) {
		c.fail()
		return false
	}
	switch c.b[c.i] {
	case ',':
		c.i++
		return c.reach(closer)
	case closer:
		c.i++
		c.open = c.open[:len(c.open)-1]
		return false
	}
	c.fail()
	return false
}

// reach stands before a value, past its key when it has one.
func (c *Cursor) reach(closer byte) bool {
	if closer == ']' || c.shortKey() {
		return true
	}
	c.space()
	if c.i >= len(c.b) || c.b[c.i] != '"' {
		c.fail()
		return false
	}
	start := c.i + 1
	end, escaped := c.string(start)
	if c.err != nil {
		return false
	}
	c.key = c.b[start : end-1]
	if escaped {
		c.key = AppendText(nil, Value{Raw: c.b[start-1 : end], escaped: true}, len(c.key))
	}
	c.i = end
	c.space()
	if c.i >= len(c.b) || c.b[c.i] != ':' {
		c.fail()
		return false
	}
	c.i++
	return true
}

// shortKey takes a key as agents write them: at most fifteen plain bytes, without
// white space around it. Of other keys it takes nothing.
func (c *Cursor) shortKey() bool {
	i := c.i + 1
	if i < 1 || i > len(c.b)-17 || c.b[i-1] != '"' {
		return false
	}
	m := marks(binary.LittleEndian.Uint64(c.b[i : i+8]))
	end := i
	if m == 0 {
		end += 8
		m = marks(binary.LittleEndian.Uint64(c.b[end : end+8]))
	}
	end += bits.TrailingZeros64(m) >> 3
	if m == 0 || c.b[end] != '"' || c.b[end+1] != ':' {
		return false
	}
	c.key, c.i = c.b[i:end], end+2
	return true
}

// Key is the key of the value the cursor stands before.
func (c *Cursor) Key() []byte { return c.key }

// Value consumes the next value, whatever it is.
func (c *Cursor) Value() Value {
	if c.next() == '"' {
		start := c.i
		end, escaped := c.string(start + 1)
		if c.err != nil {
			return Value{}
		}
		c.i = end
		return Value{Raw: c.b[start:end], escaped: escaped}
	}
	start := c.i
	c.Skip()
	if c.err != nil {
		return Value{}
	}
	return Value{Raw: c.b[start:c.i]}
}

// End reports what is wrong with the text: nil when it is exactly one JSON value.
func (c *Cursor) End() error {
	if c.err == nil {
		c.space()
		if c.i < len(c.b) {
			c.fail()
		}
	}
	return c.err
}
