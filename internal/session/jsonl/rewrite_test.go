package jsonl

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestRewrite(t *testing.T) {
	t.Parallel()
	change := func(key string, v Value) []byte {
		switch {
		case key == "gone" || v.Is("gone"):
			return nil
		case v.Is("x"):
			return []byte(`"y"`)
		}
		return v.Raw
	}
	for in, want := range map[string]string{
		`{}`:                                 `{}`,
		`[ ]`:                                `[ ]`,
		`"x"`:                                `"x"`,
		`{ "a" : "x" , "b":1 }`:              `{ "a" : "y" , "b":1 }`,
		`{"gone":1,"a":1}`:                   `{"a":1}`,
		`{ "a":1 , "gone":1 }`:               `{ "a":1 }`,
		`{"gone":1,"gone":2}`:                `{}`,
		`{"a":1,"gone":[1],"b":2,"gone":{}}`: `{"a":1,"b":2}`,
		`{"\u0067one":1}`:                    `{}`,
		`["gone", "x" , 3 ]`:                 `["y" , 3 ]`,
		`[1,"gone" ,2]`:                      `[1 ,2]`,
		`["gone"]`:                           `[]`,
	} {
		got := string(RewriteMembers(valueOf(in), change))
		if got != want || !json.Valid([]byte(got)) {
			t.Errorf("%s became %s, want %s", in, got, want)
		}
	}
	v := valueOf(`{ "a" : [1, 2] }`)
	if !SameBytes(RewriteMembers(v, change), v.Raw) {
		t.Error("what stays is copied")
	}
}

func valueOf(text string) Value {
	c := NewCursor([]byte(text))
	return c.Value()
}

func TestTexts(t *testing.T) {
	t.Parallel()
	upper := func(key string, v Value) []byte {
		if key == "keep" {
			return nil
		}
		return AppendString(nil, strings.ToUpper(v.Text())+key)
	}
	for in, want := range map[string]string{
		`"a"`: `"A"`,
		`{"k":"a" , "keep":["b",{"c":"d","e":[["f"]]},"g"],"n":[1,null,"h"]}`: `{"k":"Ak" , "keep":["b",{"c":"Dc","e":[["Fe"]]},"g"],"n":[1,null,"Hn"]}`,
		`[{},[],{"a":{}},"x"]`: `[{},[],{"a":{}},"X"]`,
	} {
		if got := string(RewriteStrings(valueOf(in), upper)); got != want {
			t.Errorf("%s became %s, want %s", in, got, want)
		}
	}
	v := valueOf(`{"keep":"a","b":[1,{}]}`)
	if !SameBytes(RewriteStrings(v, upper), v.Raw) {
		t.Error("what stays is copied")
	}
}

// FuzzRewrite checks that the result is JSON and what encoding/json gives for the same change.
func FuzzRewrite(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c := NewCursor(text)
		v := c.Value()
		if c.End() != nil {
			return
		}
		n := 0
		out := RewriteMembers(v, func(_ string, v Value) []byte {
			n++
			switch n % 3 {
			case 0:
				return nil
			case 1:
				return []byte("7")
			}
			return v.Raw
		})
		if !json.Valid(out) {
			t.Fatalf("%q became %q", v.Raw, out)
		}
		changed := RewriteStrings(v, func(string, Value) []byte { return []byte(`""`) })
		if was, is := read(t, v.Raw), read(t, changed); !reflect.DeepEqual(blank(was), is) {
			t.Fatalf("%q became %q", v.Raw, changed)
		}
	})
}

func read(t *testing.T, text []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return v
}

// blank returns v with every string in it empty.
func blank(v any) any {
	switch v := v.(type) {
	case string:
		return ""
	case []any:
		for i := range v {
			v[i] = blank(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = blank(v[key])
		}
	}
	return v
}
