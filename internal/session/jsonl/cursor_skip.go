package jsonl

// Skip consumes and checks the next value. It keeps its own stack instead of recursing.
func (c *Cursor) Skip() {
	base := len(c.closers)
	for c.err == nil {
		switch c.Kind() {
		case '{':
			if c.pushContainer('}') {
				continue
			}
		case '[':
			if c.pushContainer(']') {
				continue
			}
		case '"':
			if end, _ := c.findStringEnd(c.pos + 1); c.err == nil {
				c.pos = end
			}
		case 't':
			c.skipLiteral("true")
		case 'f':
			c.skipLiteral("false")
		case 'n':
			c.skipLiteral("null")
		case 0:
			c.skipNumber()
		default:
			c.setError()
		}
		for c.err == nil {
			if len(c.closers) == base {
				return
			}
			if c.More() {
				break
			}
		}
	}
}

// pushContainer enters a container and reports whether a value follows in it.
func (c *Cursor) pushContainer(closer byte) bool {
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

func (c *Cursor) skipLiteral(want string) {
	if len(c.text)-c.pos >= len(want) && string(c.text[c.pos:c.pos+len(want)]) == want {
		c.pos += len(want)
		return
	}
	for k := 0; k < len(want) && c.pos < len(c.text) && c.text[c.pos] == want[k]; k++ {
		c.pos++
	}
	c.setError()
}

// skipNumber consumes a number by the grammar of JSON: no leading zeros, and digits on both sides
// of the point.
func (c *Cursor) skipNumber() {
	if c.text[c.pos] == '-' {
		c.pos++
	}
	switch {
	case c.pos < len(c.text) && c.text[c.pos] == '0':
		c.pos++
	case !c.skipDigits():
		return
	}
	if c.pos < len(c.text) && c.text[c.pos] == '.' {
		c.pos++
		if !c.skipDigits() {
			return
		}
	}
	if c.pos < len(c.text) && c.text[c.pos]|0x20 == 'e' {
		c.pos++
		if c.pos < len(c.text) && (c.text[c.pos] == '+' || c.text[c.pos] == '-') {
			c.pos++
		}
		c.skipDigits()
	}
}

func (c *Cursor) skipDigits() bool {
	rest := c.text[c.pos:]
	n := 0
	for n < len(rest) && rest[n]-'0' <= 9 {
		n++
	}
	c.pos += n
	if n == 0 {
		c.setError()
		return false
	}
	return true
}

// findStringEnd returns the index after the closing quote of the string whose first byte after the
// opening quote is at i.
func (c *Cursor) findStringEnd(i int) (end int, escaped bool) {
	b := c.text
	for {
		var slash bool
		i, slash = skipPlainBytes(b, i)
		escaped = escaped || slash
		if i >= len(b) {
			c.pos = len(b)
			c.setError()
			return 0, false
		}
		switch ch := b[i]; {
		case ch == '"':
			return i + 1, escaped
		case ch == '\\':
			escaped = true
			n := escapeLength(b[i:])
			if n == 0 {
				c.pos = i
				c.setEscapeError()
				return 0, false
			}
			i += n
		case ch < ' ':
			c.pos = i
			c.setError()
			return 0, false
		default:
			i++
		}
	}
}

// escapeLength returns the length of the escape sequence that b begins with, 0 if it is invalid.
func escapeLength(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	if isShortEscape[b[1]] {
		return 2
	}
	if b[1] == 'u' && len(b) >= 6 && isHexDigit(b[2]) && isHexDigit(b[3]) && isHexDigit(b[4]) && isHexDigit(b[5]) {
		return 6
	}
	return 0
}

func isHexDigit(b byte) bool { return b-'0' <= 9 || b|0x20 >= 'a' && b|0x20 <= 'f' }

func (c *Cursor) setEscapeError() {
	if len(c.text)-c.pos < 6 {
		c.err = errTruncated
		return
	}
	c.setError()
}
