package jsonl

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestEdit(t *testing.T) {
	t.Parallel()
	set := func(value string, path ...string) func([]byte) ([]byte, error) {
		return func(line []byte) ([]byte, error) { return SetKey(line, []byte(value), path...) }
	}
	del := func(path ...string) func([]byte) ([]byte, error) {
		return func(line []byte) ([]byte, error) { return DeleteKey(line, path...) }
	}
	rename := func(from, to string) func([]byte) ([]byte, error) {
		return func(line []byte) ([]byte, error) { return RenameKey(line, from, to) }
	}
	for _, c := range []struct {
		line, want string
		edit       func([]byte) ([]byte, error)
	}{
		{`{}`, `{"a":1}`, set("1", "a")},
		{` { } `, ` {"a":1 } `, set("1", "a")},
		{`{"b" : 2 }`, `{"b" : 2,"a":1 }`, set("1", "a")},
		{`{ "a" :  "x" , "b":2}`, `{ "a" :  null , "b":2}`, set("null", "a")},
		{`{"a":1,"a":2}`, `{"a":1,"a":3}`, set("3", "a")},
		{`{"\u0061":1}`, `{"\u0061":3}`, set("3", "a")},
		{`{"m":{"role":"x"},"r":0}`, `{"m":{"role":"y"},"r":0}`, set(`"y"`, "m", "role")},
		{`{"m":{},"m":{"n":{}}}`, `{"m":{},"m":{"n":{"o":1}}}`, set("1", "m", "n", "o")},
		{`{ "a" : 1 , "b" : 2 }`, `{ "b" : 2 }`, del("a")},
		{`{ "a" : 1 , "b" : 2 }`, `{ "a" : 1 }`, del("b")},
		{`{ "a" : 1 }`, `{ }`, del("a")},
		{`{"a":1,"b":2,"a":3,"c":4,"a":5}`, `{"b":2,"c":4}`, del("a")},
		{`{"a":1}`, `{"a":1}`, del("b")},
		{`{"m":{"a":1,"b":2}}`, `{"m":{"b":2}}`, del("m", "a")},
		{`{ "uuid" : 1,"b":2}`, `{ "id" : 1,"b":2}`, rename("uuid", "id")},
		{`{"uuid":1,"id":2}`, `{"uuid":1,"id":2}`, rename("uuid", "id")},
	} {
		before := c.line
		got, err := c.edit([]byte(c.line))
		if err != nil || string(got) != c.want || c.line != before {
			t.Errorf("%s became %s (%v), want %s", c.line, got, err, c.want)
		}
	}
	for _, line := range []string{``, `[]`, `3`, `{"a":1`, `{"a":1}x`, `{"a":1}`, `{"m":3}`} {
		if _, err := SetKey([]byte(line), []byte("1"), "m", "n"); err == nil {
			t.Errorf("%q was edited", line)
		}
	}
}

// FuzzEdit checks that encoding/json reads an edited object as if the same edit had been made to
// its decoded value, and that the bytes around the object are unchanged.
func FuzzEdit(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add([]byte(s), "a")
	}
	f.Fuzz(func(t *testing.T, line []byte, key string) {
		// encoding/json repairs keys that are no UTF-8, so that two keys can become one.
		key = strings.ReplaceAll(strings.ToValidUTF8(key, ""), "\ufffd", "")
		var want map[string]any
		if err := json.Unmarshal(line, &want); err != nil || want == nil {
			return
		}
		checkEdit(t, line, key, want)
	})
}

func TestEditProperty(t *testing.T) {
	t.Parallel()
	space := rapid.SampledFrom([]string{"", "", " ", "\t "})
	rapid.Check(t, func(t *rapid.T) {
		var line strings.Builder
		line.WriteString(space.Draw(t, "s") + "{" + space.Draw(t, "s"))
		for i := range rapid.IntRange(0, 5).Draw(t, "keys") {
			if i > 0 {
				line.WriteString("," + space.Draw(t, "s"))
			}
			line.WriteString(rapid.SampledFrom([]string{`"a"`, `"b"`, `"\u0061"`, `"c\n"`, `""`}).Draw(t, "key"))
			line.WriteString(space.Draw(t, "s") + ":" + space.Draw(t, "s"))
			line.WriteString(rapid.SampledFrom([]string{`1`, `"x,\"}"`, `{"a":[1, {}]}`, `[ ]`, `null`}).Draw(t, "value"))
			line.WriteString(space.Draw(t, "s"))
		}
		line.WriteString("}" + space.Draw(t, "s"))
		var want map[string]any
		if err := json.Unmarshal([]byte(line.String()), &want); err != nil {
			t.Fatal(err)
		}
		checkEdit(t, []byte(line.String()), rapid.SampledFrom([]string{"a", "b", "c\n", "", "z"}).Draw(t, "edited"), want)
	})
}

type tester interface {
	Helper()
	Errorf(string, ...any)
	Fatalf(string, ...any)
}

func checkEdit(t tester, line []byte, key string, want map[string]any) {
	t.Helper()
	_, had := want[key]
	set, err := SetKey(line, []byte(`{"new":7}`), key)
	if err != nil {
		t.Fatalf("Set(%q): %v", line, err)
	}
	want[key] = map[string]any{"new": 7.0}
	sameObject(t, set, want)
	if back := strings.Replace(string(set), `{"new":7}`, "", 1); had && len(back) > len(line) {
		t.Errorf("%q grew to %q", line, set)
	}
	gone, err := DeleteKey(line, key)
	if err != nil {
		t.Fatalf("Delete(%q): %v", line, err)
	}
	delete(want, key)
	sameObject(t, gone, want)
	if !had {
		if string(gone) != string(line) {
			t.Errorf("deleting nothing made %q of %q", gone, line)
		}
		if back, err := DeleteKey(set, key); err != nil || string(back) != string(line) {
			t.Errorf("%q, set and deleted: %q", line, back)
		}
	}
}

func sameObject(t tester, line []byte, want map[string]any) {
	t.Helper()
	var got map[string]any
	if err := json.Unmarshal(line, &got); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%q (-want +got):\n%s", line, diff)
	}
}

func TestAppendString(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                         `""`,
		"a<b>&\u2028\"\\/":         "\"a<b>&\u2028\\\"\\\\/\"",
		"\x00\b\t\n\v\f\r\x1f\x7f": `"\u0000\b\t\n\u000b\f\r\u001f` + "\x7f\"",
		"漢😀\xff":                   "\"漢😀\ufffd\"",
	} {
		if got := string(AppendString(nil, text)); got != want {
			t.Errorf("%q is written %s, want %s", text, got, want)
		}
	}
}
