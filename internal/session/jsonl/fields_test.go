package jsonl

import (
	"encoding/json"
	"fmt"
	"testing"
)

type member struct {
	id, name Value
	rest     []Value
	count    int
}

var memberFields = NewFields(
	func(m *member) map[string]*Value { return map[string]*Value{"id": &m.id, "": &m.name, "name": &m.name} },
	map[string]func(*member, *Cursor){
		"list": func(m *member, c *Cursor) {
			for ok := c.EnterArray(); ok; ok = c.More() {
				m.rest = append(m.rest, c.Value())
			}
		},
		"count": func(m *member, c *Cursor) {
			m.count++
			c.Skip()
		},
	},
)

func TestFields(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{}`:                                   `"" "" [] 0`,
		`5`:                                    `"" "" [] 0`,
		`null`:                                 `"" "" [] 0`,
		`{"name":"b","id":"a","x":{"id":"c"}}`: `"\"a\"" "\"b\"" [] 0`,
		`{"id":"a","id":{"id":1}}`:             `"{\"id\":1}" "" [] 0`,
		`{"\u0069d":1,"di":2,"iD":3}`:          `"1" "" [] 0`,
		`{"count":[1],"list":[1,{}],"count":0,"list":7}`: `"" "" [1 {}] 2`,
	} {
		c := NewCursor([]byte(text))
		var m member
		memberFields.ReadObject(&c, &m)
		if err := c.End(); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		var rest []string
		for _, v := range m.rest {
			rest = append(rest, string(v.Raw))
		}
		if got := fmt.Sprintf("%q %q %v %d", m.id.Raw, m.name.Raw, rest, m.count); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestFields_manyKeys checks that every key of a large table is found, and no other.
func TestFields_manyKeys(t *testing.T) {
	t.Parallel()
	readers := map[string]func(*[]string, *Cursor){}
	for i := range 200 {
		readers[fmt.Sprint("key", i)] = func(found *[]string, c *Cursor) {
			*found = append(*found, string(c.Key()))
			c.Skip()
		}
	}
	f := NewFields(func(*[]string) map[string]*Value { return nil }, readers)
	for i := range 400 {
		var found []string
		key := fmt.Sprint("key", i)
		c := NewCursor(fmt.Appendf(nil, `{%q:1}`, key))
		f.ReadObject(&c, &found)
		if (len(found) == 1 && found[0] == key) != (i < 200) {
			t.Errorf("%s: read as %v", key, found)
		}
	}
}

// TestFields_similarKeys checks that a key is not read as another one with the same first and last bytes, or the
// same bytes but for zeros.
func TestFields_similarKeys(t *testing.T) {
	t.Parallel()
	keys := []string{"a", "a\x00", "abcdefg", "abcdefgh", "abcdefgh\x00", "abcdefghijklmno", "abcdefgh12345678", "abcdefgh.12345678", "abcdefgh,12345678"}
	for _, known := range keys {
		f := NewFields(func(v *Value) map[string]*Value { return map[string]*Value{known: v} }, nil)
		for _, key := range keys {
			name, err := json.Marshal(key)
			if err != nil {
				t.Fatal(err)
			}
			for _, space := range []string{"", " "} { // with it, the key is read in another way
				var v Value
				c := NewCursor(fmt.Appendf(nil, `{%s%s:1, "padding": "so that a short key may be read"}`, name, space))
				f.ReadObject(&c, &v)
				if (v.Kind() == 0) != (key == known) {
					t.Errorf("the key %q of %q%s is read as %q", known, name, space, v.Raw)
				}
			}
		}
	}
}

// TestNewFields_foreignDestination checks that a destination must be a part of the value, because
// it is found by its offset.
func TestNewFields_foreignDestination(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("a destination outside of the value was accepted")
		}
	}()
	NewFields(func(*member) map[string]*Value { return map[string]*Value{"id": new(Value)} }, nil)
}
