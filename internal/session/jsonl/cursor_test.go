package jsonl

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

var validityCases = []string{
	``, ` `, `{}`, `[]`, `{"a":1}`, `{"a":1,}`, `{,}`, `[1,]`, `[,1]`, `{"a" : [ 1 , 2 ] } `, `{"a":1}x`, `nul`, `null`, `true`, `tru`, `truee`,
	`-`, `-0`, `01`, `1.`, `.5`, `1.5e`, `1.5e+`, `1.5E-3`, `1e5`, `+1`, `"a`, `"a\`, `"a\u12`, `"a\u12zz"`, `"\u12aF"`, `"\x"`, "\"\n\"", "\"\x00\"", "\"\xff\"", "\xff",
	`"0123456\"8"`, `"01234567"`, `"012345678\\"`, `{"a":{"b":{"c":[[[]]]}}}`, `{"a"}`, `{"a":}`, `{1:2}`, `[1 2]`, `{"a":1 "b":2}`, "\u00a0{}", "\ufeff{}", `{}{}`, "[1\t,\r\n2]", "\v1", `"\/\b\f\n\r\t"`,
}

func TestCursorAcceptsWhatEncodingJSONAccepts(t *testing.T) {
	t.Parallel()
	for _, text := range validityCases {
		c := NewCursor([]byte(text))
		c.Skip()
		if err := c.End(); (err == nil) != json.Valid([]byte(text)) {
			t.Errorf("Skip(%q): err = %v, json.Valid = %v", text, err, json.Valid([]byte(text)))
		}
	}
}

func TestCursorDepth(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 9999, 10000, 10001, 100000} {
		for _, pair := range [][2]string{{"[", "]"}, {`{"a":`, "}"}} {
			inner := "1"
			if pair[0] == "[" {
				inner = ""
			}
			text := []byte(strings.Repeat(pair[0], n) + inner + strings.Repeat(pair[1], n))
			c := NewCursor(text)
			c.Skip()
			if err := c.End(); (err == nil) != json.Valid(text) {
				t.Errorf("%d x %s: err = %v, json.Valid = %v", n, pair[0], err, json.Valid(text))
			}
		}
	}
}

// TestCursorStringLengths checks all lengths around the blocks of eight and sixteen bytes.
func TestCursorStringLengths(t *testing.T) {
	t.Parallel()
	for n := range 40 {
		for _, end := range []string{`"`, `\""`, `\\"`, `\u00e9"`, "\t\"", `\x"`, ``, `\`, `\u00`, "é\"", "#\"", `]"`, "\xff\""} {
			for _, tail := range []string{"", ` `, strings.Repeat(" ", 20), "x"} {
				text := []byte(`"` + strings.Repeat("a", n) + end + tail)
				c := NewCursor(text)
				v := c.Value()
				err := c.End()
				if (err == nil) != json.Valid(text) {
					t.Fatalf("%q: err = %v, json.Valid = %v", text, err, json.Valid(text))
				}
				if err == nil {
					sameString(t, v, n)
				}
				if n < 20 {
					key := []byte(`{` + string(text) + `:1}`)
					c := NewCursor(key)
					c.Skip()
					if err := c.End(); (err == nil) != json.Valid(key) {
						t.Fatalf("%q: err = %v, json.Valid = %v", key, err, json.Valid(key))
					}
				}
			}
		}
	}
}

func TestAppendID(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`"k\ud800"`: `k\ud800`, `"\ud83d\ude00"`: "😀", `"\udc00\ud800x"`: `\udc00\ud800x`, `5`: "",
	} {
		c := NewCursor([]byte(text))
		if got := string(AppendID(nil, c.Value())); got != want {
			t.Errorf("AppendID(%s) = %q, want %q", text, got, want)
		}
	}
}

func TestAppendNumber(t *testing.T) {
	t.Parallel()
	for f, want := range map[float64]string{
		0: "0", 1: "1", -1.5: "-1.5", 1e20: "100000000000000000000", 1e21: "1e+21", 1e-6: "0.000001", 1.5e-7: "1.5e-7", 1e-100: "1e-100",
		math.Inf(1): "Infinity", math.Inf(-1): "-Infinity",
	} {
		if got := string(AppendNumber(nil, f)); got != want {
			t.Errorf("AppendNumber(%v) = %s, want %s", f, got, want)
		}
	}
}

func TestTruthy(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		``: false, `null`: false, `false`: false, `0`: false, `-0.0`: false, `""`: false, `true`: true, `1e-9`: true, `"0"`: true, `[]`: true, `{}`: true,
	} {
		c := NewCursor([]byte(text))
		if got := c.Value().IsTruthy(); got != want {
			t.Errorf("Truthy(%s) = %v", text, got)
		}
	}
}
