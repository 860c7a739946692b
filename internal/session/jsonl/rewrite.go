package jsonl

// RewriteMembers answers an object or array with what change makes of each of its values;
// in an array key is empty. A value that is answered as it was given stays, one that
// is answered as nil goes. Where all stay, and of any other value, v.Raw itself is
// answered. v must be of a line that was checked.
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
			gap = v.Raw[o.members[i-1].end:m.start] // with the comma
		}
		out, before = append(append(append(out, gap...), v.Raw[m.start:m.value]...), texts[i]...), m.end
	}
	return append(out, v.Raw[o.members[len(o.members)-1].end:]...)
}

// RewriteMember is Rewrite of the value of one key.
func RewriteMember(v Value, key string, change func(v Value) []byte) []byte {
	return RewriteMembers(v, func(k string, v Value) []byte {
		if k == key {
			return change(v)
		}
		return v.Raw
	})
}

// SameBytes reports whether a and b are the same bytes of the same memory.
func SameBytes(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) && (a == nil) == (b == nil)
}

// valueMembers finds what stands in an object or array.
func valueMembers(v Value) (o objectLayout) {
	switch v.Kind() {
	case '{':
		o, _ = parseMembers(v.Raw, 0, len(v.Raw)) // it is an object
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

// RewriteStrings answers a value with what change makes of each string in it that is no key:
// nil leaves it as it is. key is that of the member that the string is, or that the
// arrays are that it stands in. Where all stay v.Raw itself is answered. v must be of
// a line that was checked.
func RewriteStrings(v Value, change func(key string, v Value) []byte) []byte {
	c := NewCursor(v.Raw)
	var out []byte
	done, key := 0, "" // done: bytes of v.Raw that are taken over
	var above []string // the keys of what is open
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

// enterAny steps into an object or array.
func (c *Cursor) enterAny() bool {
	if c.Kind() == '{' {
		return c.EnterObject()
	}
	return c.EnterArray()
}

// keyOrDefault is the key of the value the cursor stands before, or key in an array.
func (c *Cursor) keyOrDefault(key string) string {
	if c.closers[len(c.closers)-1] == '}' {
		return string(c.key)
	}
	return key
}

// RewriteLine answers line, a JSON object, with what change makes of it. Where that is
// the bytes it was given, line itself is answered.
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
