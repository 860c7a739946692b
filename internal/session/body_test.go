package session_test

import (
	"encoding/json"
	"strings"
	"testing"

	"sessiontree/internal/session"
)

func TestBlock_EachArg(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		``:                                     "",
		`{}`:                                   "",
		`"text"`:                               "text",
		`{"command":"ls","timeout":5}`:         "command: ls timeout: 5",
		`{"a":[1,"b",{"c":"d"},"e"],"f":null}`: "a: 1 b c: d e f:",
		`{"a":{"b":{}},"c":true,"d":"e"}`:      "a: b: c: d: e",
		`[["x"],{"y":["z"]}]`:                  "x y: z",
		`{"a":"b","c`:                          "a: b",
	} {
		var got []string
		block := session.Block{Args: json.RawMessage(args)}
		block.EachArg(func(text string, isKey bool) {
			if isKey {
				text += ":"
			}
			got = append(got, text)
		})
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: %q, want %q", args, text, want)
		}
	}
}
