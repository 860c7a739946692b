package jsonl

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strconv"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

var fuzzSeeds = append([]string{
	`{"type":"message","id":"a1","parentId":null,"n":-1.5e3,"message":{"role":"user","content":[{"type":"text","text":"one\ntwo \ud83d\ude00 \u00e9 é"}]}}`,
	`{"a":"first","a":"last","\u0061":"later","b":{"c":1,"c":[true,false,null]}}`,
	`{"id":"k\ud800","x":"\udc00\ud800\ud800\udc00","big":1e999,"z":[1.0,10,1e21,1e-7,-0,0.1]}`,
	"{\"bad\":\"\xff\xc3(\xe2\x82\",\"ctl\":\"\\u0001\\b\\f\\n\\r\\t\\u2028\"}",
	`[["` + "0123456789012345678901234567890123456789" + `"],[],{}]`,
}, validityCases...)

// FuzzCursor compares the cursor with encoding/json: both accept the same texts and read the same
// values from them.
func FuzzCursor(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add([]byte(s), 7)
	}
	f.Fuzz(func(t *testing.T, text []byte, limit int) {
		c := NewCursor(text)
		v := c.Value()
		err := c.End()
		if valid := json.Valid(text); (err == nil) != valid {
			t.Fatalf("End() = %v, json.Valid = %v", err, valid)
		}
		if err != nil {
			return
		}
		limit &= 0xff
		sameStructure(t, text)
		sameValue(t, v, limit)
	})
}

// sameStructure compares the members or elements of an object or array.
func sameStructure(t *testing.T, text []byte) {
	c := NewCursor(text)
	switch c.Kind() {
	case '{':
		var want map[string]json.RawMessage
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatalf("encoding/json: %v", err)
		}
		got := map[string]Value{}
		for ok := c.EnterObject(); ok; ok = c.More() {
			key := string([]rune(string(c.Key()))) // encoding/json repairs keys that are no UTF-8
			got[key] = c.Value()
		}
		if len(got) != len(want) {
			t.Fatalf("%d keys, want %d", len(got), len(want))
		}
		for key, w := range want {
			if string(got[key].Raw) != string(w) {
				t.Fatalf("key %q: %q, want %q", key, got[key].Raw, w)
			}
			sameValue(t, got[key], 3)
		}
	case '[':
		var want []json.RawMessage
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatalf("encoding/json: %v", err)
		}
		n := 0
		for ok := c.EnterArray(); ok; ok = c.More() {
			if v := c.Value(); string(v.Raw) != string(want[n]) {
				t.Fatalf("element %d: %q, want %q", n, v.Raw, want[n])
			}
			n++
		}
		if n != len(want) {
			t.Fatalf("%d elements, want %d", n, len(want))
		}
	default:
		c.Skip()
	}
	if err := c.End(); err != nil {
		t.Fatalf("End() after a walk: %v", err)
	}
}

func sameValue(t *testing.T, v Value, limit int) {
	switch v.Kind() {
	case '"':
		sameString(t, v, limit)
	case 0:
		sameNumber(t, v)
	}
	compactIsSame(t, v, limit)
}

func sameString(t *testing.T, v Value, limit int) {
	var want string
	if err := json.Unmarshal(v.Raw, &want); err != nil {
		t.Fatalf("encoding/json: %v", err)
	}
	if got := string(AppendText(nil, v, Unlimited)); got != want {
		t.Fatalf("AppendText(%q) = %q, want %q", v.Raw, got, want)
	}
	if got := v.Text(); got != want {
		t.Fatalf("Text(%q) = %q, want %q", v.Raw, got, want)
	}
	if got := string(AppendText([]byte("x"), v, limit)); got != "x"+cutUnits(want, limit) {
		t.Fatalf("AppendText(%q, %d) = %q, want %q", v.Raw, limit, got, "x"+cutUnits(want, limit))
	}
	blank := true
	for _, r := range want {
		blank = blank && IsSpace(r)
	}
	if v.IsBlank() != blank {
		t.Fatalf("Blank(%q) = %v", v.Raw, v.IsBlank())
	}
	if !utf8.Valid(AppendID(nil, v)) {
		t.Fatalf("AppendID(%q) is no UTF-8", v.Raw)
	}
	if v.Is("id") != (want == "id") {
		t.Fatalf("Is(%q) = %v", v.Raw, v.Is("id"))
	}
}

// cutUnits returns the beginning of s in UTF-16 units, without half of a pair.
func cutUnits(s string, limit int) string {
	units := utf16.Encode([]rune(s))
	if len(units) <= limit {
		return s
	}
	units = units[:limit]
	if limit > 0 && units[limit-1] >= 0xD800 && units[limit-1] < 0xDC00 {
		units = units[:limit-1]
	}
	return string(utf16.Decode(units))
}

func sameNumber(t *testing.T, v Value) {
	want, err := strconv.ParseFloat(string(v.Raw), 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		t.Fatalf("strconv: %v", err)
	}
	got, ok := v.Number()
	if !ok || got != want {
		t.Fatalf("Number(%q) = %v %v, want %v", v.Raw, got, ok, want)
	}
	back, err := strconv.ParseFloat(string(AppendNumber(nil, got)), 64)
	if err != nil || back != got && !math.IsInf(got, 0) {
		t.Fatalf("AppendNumber(%v) = %q", got, AppendNumber(nil, got))
	}
}

// compactIsSame checks that a compact text has the same value, and that a cut one is its beginning.
func compactIsSame(t *testing.T, v Value, limit int) {
	whole, more := AppendCompact(nil, v, Unlimited)
	if more {
		t.Fatalf("AppendCompact(%q) without a limit was cut", v.Raw)
	}
	var want, got any
	if json.Unmarshal(v.Raw, &want) == nil { // otherwise a number that no float64 can hold
		if err := json.Unmarshal(whole, &got); err != nil {
			t.Fatalf("AppendCompact(%q) = %q: %v", v.Raw, whole, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("AppendCompact(%q) = %q", v.Raw, whole)
		}
	}
	part, more := AppendCompact(nil, v, limit)
	if string(part) != cutUnits(string(whole), limit) || more != (len(part) < len(whole)) {
		t.Fatalf("AppendCompact(%q, %d) = %q %v, want the beginning of %q", v.Raw, limit, part, more, whole)
	}
}
