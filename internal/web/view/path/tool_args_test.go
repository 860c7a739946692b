package path

import (
	"encoding/json"
	"testing"
)

func TestToolArgs(t *testing.T) {
	for _, c := range []struct{ in, file, lines string }{
		{`{"path":"a","offset":424,"limit":21}`, "a", "424–444"},
		{`{"path":"a","limit":20}`, "a", "1–20"},
		{`{"file_path":"b","offset":7}`, "b", "from 7"},
		{`{"path":"a","offset":"7","limit":null}`, "a", ""},
		{`{"path":5,"offset":-1}`, "", ""},
		{`[1]`, "", ""},
		{`{"path":"a"`, "", ""},
	} {
		a := parseToolArgs(json.RawMessage(c.in))
		if a.File() != c.file || a.lineRange() != c.lines {
			t.Errorf("%s: file %q lines %q, want %q %q", c.in, a.File(), a.lineRange(), c.file, c.lines)
		}
	}
}
