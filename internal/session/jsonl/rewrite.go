package jsonl

// Rewrite answers an object or array with what change makes of each of its values;
// in an array key is empty. A value that is answered as it was given stays, one that
// is answered as nil goes. Where all stay, and of any other value, v.Raw itself is
// answered. v must be of a line that was checked.
func Rewrite(v Value, change func(key string, v Value) []byte) []byte {
	o := members(v)
	texts, changed := make([][]byte, len(o.members)), false
	for i, m := range o.members {
		texts[i] = change(m.key, m.Value)
		changed = changed || !Same(texts[i], m.Raw)
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

// RewriteAt is Rewrite of the value of one key.
func RewriteAt(v Value, key string, change func(v Value) []byte) []byte {
	return Rewrite(v, func(k string, v Value) []byte {
		if k == key {
			return change(v)
		}
		return v.Raw
	})
}

// Same reports whether a and b are the same bytes of the same memory.
func Same(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) && (a == nil) == (b == nil)
}

// members finds what stands in an object or array.
func members(v Value) (o object) {
	switch v.Kind() {
	case '{':
		o, _ = parts(v.Raw, 0, len(v.Raw)) // it is an object
	case '[':
		c := Open(v.Raw)
		o.open = c.i + 1
		for ok := c.Elements(); ok; ok = c.More() {
			c.space()
			m := member{start: c.i, value: c.i}
			m.Value = c.Value()
			m.end = c.i
			o.members = append(o.members, m)
		}
	}
	return o
}

// Texts answers a value with what change makes of each string in it that is no key:
// nil leaves it as it is. key is that of the member that the string is, or that the
// arrays are that it stands in. Where all stay v.Raw itself is answered. v must be of
// a line that was checked.
func Texts(v Value, change func(key string, v Value) []byte) []byte {
	c := Open(v.Raw)
	var out []byte
	done, key := 0, "" // done: bytes of v.Raw that are taken over
	var above []string // the keys of what is open
	for more := true; more; {
		switch c.Kind() {
		case '{', '[':
			if c.into() {
				above = append(above, key)
				key = c.keyOr(key)
				continue
			}
		case '"':
			text := c.Value()
			if to := change(key, text); to != nil {
				out = append(append(out, v.Raw[done:c.i-len(text.Raw)]...), to...)
				done = c.i
			}
		default:
			c.Skip()
		}
		for more = false; len(above) > 0 && !more; {
			if more = c.More(); more {
				key = c.keyOr(above[len(above)-1])
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

// into steps into an object or array.
func (c *Cursor) into() bool {
	if c.Kind() == '{' {
		return c.Enter()
	}
	return c.Elements()
}

// keyOr is the key of the value the cursor stands before, or key in an array.
func (c *Cursor) keyOr(key string) string {
	if c.open[len(c.open)-1] == '}' {
		return string(c.key)
	}
	return key
}

// Change answers line, a JSON object, with what change makes of it. Where that is
// the bytes it was given, line itself is answered.
func Change(line []byte, change func(v Value) []byte) ([]byte, error) {
	v, err := Whole(line)
	if err != nil {
		return nil, err
	}
	out := change(v)
	if Same(out, v.Raw) {
		return line, nil
	}
	return out, nil
}
