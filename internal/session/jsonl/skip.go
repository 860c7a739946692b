package jsonl

import (
	"encoding/binary"
	"math/bits"
)

// Skip consumes the next value and checks it. It keeps its own stack, so that
// depth costs no recursion.
func (c *Cursor) Skip() {
	base := len(c.open)
	for c.err == nil {
		switch c.Kind() {
		case '{':
			if c.descend('}') {
				continue
			}
		case '[':
			if c.descend(']') {
				continue
			}
		case '"':
			if end, _ := c.string(c.i + 1); c.err == nil {
				c.i = end
			}
		case 't':
			c.literal("true")
		case 'f':
			c.literal("false")
		case 'n':
			c.literal("null")
		case 0:
			c.number()
		default:
			c.fail()
		}
		for c.err == nil {
			if len(c.open) == base {
				return
			}
			if c.More() {
				break
			}
		}
	}
}

// descend steps into a container and reports whether a value follows in it.
func (c *Cursor) descend(closer byte) bool {
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

func (c *Cursor) literal(want string) {
	if len(c.b)-c.i >= len(want) && string(c.b[c.i:c.i+len(want)]) == want {
		c.i += len(want)
		return
	}
	for k := 0; k < len(want) && c.i < len(c.b) && c.b[c.i] == want[k]; k++ {
		c.i++
	}
	c.fail()
}

// number consumes a number by the grammar of JSON: no leading zeros, digits on
// both sides of the point.
func (c *Cursor) number() {
	if c.b[c.i] == '-' {
		c.i++
	}
	switch {
	case c.i < len(c.b) && c.b[c.i] == '0':
		c.i++
	case !c.digits():
		return
	}
	if c.i < len(c.b) && c.b[c.i] == '.' {
		c.i++
		if !c.digits() {
			return
		}
	}
	if c.i < len(c.b) && c.b[c.i]|0x20 == 'e' {
		c.i++
		if c.i < len(c.b) && (c.b[c.i] == '+' || c.b[c.i] == '-') {
			c.i++
		}
		c.digits()
	}
}

func (c *Cursor) digits() bool {
	start := c.i
	for c.i < len(c.b) && c.b[c.i]-'0' <= 9 {
		c.i++
	}
	if c.i == start {
		c.fail()
		return false
	}
	return true
}

// string finds the end of the string whose first byte after the quote is at i:
// the index after its closing quote.
func (c *Cursor) string(i int) (end int, escaped bool) {
	b := c.b
	for {
		var slash bool
		i, slash = special(b, i)
		escaped = escaped || slash
		if i >= len(b) {
			c.i = len(b)
			c.fail()
			return 0, false
		}
		switch ch := b[i]; {
		case ch == '"':
			return i + 1, escaped
		case ch == '\\':
			escaped = true
			n := escape(b[i:])
			if n == 0 {
				c.i = i
				c.failEscape()
				return 0, false
			}
			i += n
		case ch < ' ':
			c.i = i
			c.fail()
			return 0, false
		default:
			i++
		}
	}
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// marks sets the high bit of every byte of w that is a quote, a backslash or a
// control character. Above such a byte it may set others; the lowest bit is sure.
//
// Flipping bit 1 puts the quote next to the control characters, so that one
// subtraction finds both.
func marks(w uint64) uint64 {
	low, slash := (w^ones*2)-ones*0x21, (w^ones*'\\')-ones
	return (low | slash) & ^w & highs
}

// special passes over the bytes from i on that a string may hold as they are, and
// over escape sequences of two. It stops at a byte that needs a closer look, or
// near the end. Session files are strings for the most part, so eight bytes are
// looked at together, and mostly twice eight.
func special(b []byte, i int) (at int, escaped bool) {
	for i >= 0 && i <= len(b)-17 { // and one more, behind a backslash
		m := marks(binary.LittleEndian.Uint64(b[i : i+8]))
		if m == 0 {
			i += 8
			if m = marks(binary.LittleEndian.Uint64(b[i : i+8])); m == 0 {
				i += 8
				continue
			}
		}
		i += bits.TrailingZeros64(m) >> 3
		if b[i] != '\\' || !short[b[i+1]] {
			return i, escaped
		}
		escaped = true
		i += 2
	}
	return i, escaped
}

// short are the bytes that end an escape sequence of two.
var short = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}

// escape is the length of the escape sequence that b begins with, 0 when it is
// none.
func escape(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	if short[b[1]] {
		return 2
	}
	if b[1] == 'u' && len(b) >= 6 && hex(b[2]) && hex(b[3]) && hex(b[4]) && hex(b[5]) {
		return 6
	}
	return 0
}

func hex(b byte) bool { return b-'0' <= 9 || b|0x20 >= 'a' && b|0x20 <= 'f' }

func (c *Cursor) failEscape() {
	if len(c.b)-c.i < 6 {
		c.err = errShort
		return
	}
	c.fail()
}
