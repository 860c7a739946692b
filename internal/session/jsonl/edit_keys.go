package jsonl

import "errors"

// ErrNotObject is returned for a line, or a value in it, that must be an object and is not.
var ErrNotObject = errors.New("it is not a JSON object")

// SetKey returns line, a JSON object, with value as the value of the key at path. All keys of path
// but the last must lead to existing objects. A missing key is appended; of a repeated key the last
// one is set, because it is the one that readers use. All other bytes stay the same, and line
// itself is not modified.
func SetKey(line, value []byte, path ...string) ([]byte, error) {
	o, err := locateObject(line, path)
	if err != nil {
		return nil, err
	}
	key := path[len(path)-1]
	if i := o.lastIndex(key); i >= 0 {
		return spliceBytes(line, o.members[i].value, o.members[i].end, value), nil
	}
	at, text := o.open, make([]byte, 0, len(key)+len(value)+4)
	if n := len(o.members); n > 0 {
		at, text = o.members[n-1].end, append(text, ',')
	}
	text = append(AppendString(text, key), ':')
	return spliceBytes(line, at, at, append(text, value...)), nil
}

// DeleteKey returns line, a JSON object, without any occurrence of the key at path. All other bytes
// stay the same.
func DeleteKey(line []byte, path ...string) ([]byte, error) {
	o, err := locateObject(line, path)
	if err != nil {
		return nil, err
	}
	key := path[len(path)-1]
	if o.lastIndex(key) < 0 {
		return line, nil
	}
	out, before := append(make([]byte, 0, len(line)), line[:o.open]...), o.open
	for i, m := range o.members {
		if m.key == key {
			continue
		}
		gap := line[o.open:o.members[0].start]
		if before != o.open {
			gap = line[o.members[i-1].end:m.start] // including the comma
		}
		out, before = append(append(out, gap...), line[m.start:m.end]...), m.end
	}
	return append(out, line[o.members[len(o.members)-1].end:]...), nil
}

// RenameKey returns line, a JSON object, with the top-level key from renamed to to. An object
// without from, or with a key to, is returned unchanged.
func RenameKey(line []byte, from, to string) ([]byte, error) {
	o, err := locateObject(line, []string{from})
	if err != nil {
		return nil, err
	}
	i := o.lastIndex(from)
	if i < 0 || o.lastIndex(to) >= 0 {
		return line, nil
	}
	m := o.members[i]
	return spliceBytes(line, m.start, m.keyEnd, AppendString(nil, to)), nil
}

// spliceBytes returns line with the bytes from start to end replaced by text.
func spliceBytes(line []byte, start, end int, text []byte) []byte {
	out := make([]byte, 0, len(line)+len(text)-(end-start))
	out = append(append(out, line[:start]...), text...)
	return append(out, line[end:]...)
}

// objectLayout is the position of an object's parts in a line.
type objectLayout struct {
	open    int // after the brace
	members []memberLayout
}

type memberLayout struct {
	Value
	key                       string
	start, keyEnd, value, end int // offsets of the key, its end, the value and its end
}

func (o *objectLayout) lastIndex(key string) int {
	for i := len(o.members) - 1; i >= 0; i-- {
		if o.members[i].key == key {
			return i
		}
	}
	return -1
}

// locateObject finds the object that holds the last key of path. It checks the whole line.
func locateObject(line []byte, path []string) (objectLayout, error) {
	c := NewCursor(line)
	c.Skip()
	if err := c.End(); err != nil {
		return objectLayout{}, err
	}
	o, err := parseMembers(line, 0, len(line))
	for _, key := range path[:len(path)-1] {
		if err != nil {
			break
		}
		i := o.lastIndex(key)
		if i < 0 {
			return objectLayout{}, ErrNotObject
		}
		o, err = parseMembers(line, o.members[i].value, o.members[i].end)
	}
	return o, err
}

// parseMembers finds the members of the object in line[from:to].
func parseMembers(line []byte, from, to int) (objectLayout, error) {
	c := NewCursor(line[from:to])
	if c.Kind() != '{' {
		return objectLayout{}, ErrNotObject
	}
	o := objectLayout{open: from + c.pos + 1}
	next := o.open // where the search for the next key begins
	for ok := c.EnterObject(); ok; ok = c.More() {
		m := memberLayout{key: string(c.Key()), start: next, keyEnd: from + c.pos - 1}
		for isJSONSpace(line[m.start]) || line[m.start] == ',' {
			m.start++
		}
		for isJSONSpace(line[m.keyEnd-1]) { // before the colon
			m.keyEnd--
		}
		m.Value = c.Value()
		m.end = from + c.pos
		m.value = m.end - len(m.Raw)
		o.members, next = append(o.members, m), m.end
	}
	return o, nil
}
