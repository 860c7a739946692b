package jsonl

// RewriteMembers returns an object or array with each of its values replaced by the result of
// change. For array elements key is empty. change returns its argument to keep a value and nil to
// remove it. If all values are kept, or v is any other value, it returns v.Raw itself. v must be
// part of a line that has been checked.
func RewriteMembers(v Value, change func(key string, v Value) []byte) []byte {
	o := valueMembers(v)
	texts, changed := make([][]byte, len(o.members)), false
	for i, m := range o.members {
		texts[i] = change(m.key, m.Value)
		changed = changed || !SameBytes(texts[i], m.Raw)
	}
	if !changed {
		return v.Raw
	}
	out, before := append(make([]byte, 0, len(v.Raw)), v.Raw[:o.open]...), o.open
	for i, m := range o.members {
		if texts[i] == nil {
			continue
		}
		gap := v.Raw[o.open:o.members[0].start]
		if before != o.open {
			gap = v.Raw[o.members[i-1].end:m.start] // including the comma
		}
		out, before = append(append(append(out, gap...), v.Raw[m.start:m.value]...), texts[i]...), m.end
	}
	return append(out, v.Raw[o.members[len(o.members)-1].end:]...)
}

// RewriteMember is RewriteMembers for the value of one key.
func RewriteMember(v Value, key string, change func(v Value) []byte) []byte {
	return RewriteMembers(v, func(k string, v Value) []byte {
		if k == key {
			return change(v)
		}
		return v.Raw
	})
}

// SameBytes reports whether a and b are the same slice of memory.
func SameBytes(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) && (a == nil) == (b == nil)
}

// valueMembers finds the members of an object or the elements of an array.
func valueMembers(v Value) (o objectLayout) {
	switch v.Kind() {
	case '{':
		o, _ = parseMembers(v.Raw, 0, len(v.Raw)) // cannot fail: it is an object
	case '[':
		c := NewCursor(v.Raw)
		o.open = c.pos + 1
		for ok := c.EnterArray(); ok; ok = c.More() {
			c.skipSpace()
			m := memberLayout{start: c.pos, value: c.pos}
			m.Value = c.Value()
			m.end = c.pos
			o.members = append(o.members, m)
		}
	}
	return o
}

// RewriteStrings returns v with each string in it, except keys, replaced by the result of change;
// nil keeps the string. key is the key of the member that holds the string, directly or within
// arrays. If all strings are kept, it returns v.Raw itself. v must be part of a line that has been
// checked.
func RewriteStrings(v Value, change func(key string, v Value) []byte) []byte {
	c := NewCursor(v.Raw)
	var out []byte
	done, key := 0, "" // done: bytes of v.Raw that are copied
	var above []string // the keys of the open containers
	for more := true; more; {
		switch c.Kind() {
		case '{', '[':
			if c.enterAny() {
				above = append(above, key)
				key = c.keyOrDefault(key)
				continue
			}
		case '"':
			text := c.Value()
			if to := change(key, text); to != nil {
				out = append(append(out, v.Raw[done:c.pos-len(text.Raw)]...), to...)
				done = c.pos
			}
		default:
			c.Skip()
		}
		for more = false; len(above) > 0 && !more; {
			if more = c.More(); more {
				key = c.keyOrDefault(above[len(above)-1])
			} else {
				above = above[:len(above)-1]
			}
		}
	}
	if done == 0 {
		return v.Raw
	}
	return append(out, v.Raw[done:]...)
}

// enterAny enters an object or array.
func (c *Cursor) enterAny() bool {
	if c.Kind() == '{' {
		return c.EnterObject()
	}
	return c.EnterArray()
}

// keyOrDefault returns the key of the next value, or key within an array.
func (c *Cursor) keyOrDefault(key string) string {
	if c.closers[len(c.closers)-1] == '}' {
		return string(c.key)
	}
	return key
}

// RewriteLine returns the result of change for line, which must be a JSON object. If change returns
// its argument, it returns line itself.
func RewriteLine(line []byte, change func(v Value) []byte) ([]byte, error) {
	v, err := ParseObject(line)
	if err != nil {
		return nil, err
	}
	out := change(v)
	if SameBytes(out, v.Raw) {
		return line, nil
	}
	return out, nil
}
