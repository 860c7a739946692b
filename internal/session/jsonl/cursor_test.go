package jsonl

import (
	"encoding/json"
	"testing"
)

var validityCases = []string{
	``, ` `, `{}`, `[]`, `{"a":1}`, `{"a":1,}`, `{,}`, `[1,]`, `[,1]`, `{"a" : [ 1 , 2 ] } `, `{"a":1}x`, `nul`, `null`, `true`, `tru`, `truee`,
	`-`, `-0`, `01`, `1.`, `.5`, `1.5e`, `1.5e+`, `1.5E-3`, `1e5`, `+1`, `"a`, `"a\`, `"a\u12`, `"a\u12zz"`, `"\u12aF"`, `"\x"`, "\"\n\"", "\"\x00\"", "\"\xff\"", "\xff",
	`"0123456\"8"`, `"01234567"`, `"012345678\\"`, `{"a":{"b":{"c":[[[]]]}}}`, `{"a"}`, `{"a":}`, `{1:2}`, `[1 2]`, `{"a":1 "b":2}`, "\u00a0{}", "\ufeff{}", `{}{}`, "[1\t,\r\n2]", "\v1", `"\/\b\f\n\r\t"`,
}

func TestCursorAcceptsWhatEncodingJSONAccepts(t *testing.T) {
	for _, text := range validityCases {
		c := Open([]byte(text))
		c.Skip()
		if err := c.End(); (err == nil) != json.Valid([]byte(text)) {
			t.Errorf("Skip(%q): err = %v, json.Valid = %v", text, err, json.Valid([]byte(text)))
		}
	}
}
