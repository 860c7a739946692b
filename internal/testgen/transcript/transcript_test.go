package transcript

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"
)

var start = time.Date(2026, 2, 3, 9, 0, 0, 0, time.UTC)

func TestFile(t *testing.T) {
	f := New(Pi, "s", "/w", start)
	ask := f.AddPrompt(`a "quoted" <prompt>`)
	f.AddBashCall("", "true", "", false)
	f.AddLabel(ask, "here")
	f.BranchFrom(ask)
	f.AddReply("another answer")
	var parents []any
	for i, text := range bytes.Split(bytes.TrimSuffix(f.Bytes(), []byte("\n")), []byte("\n")) {
		var l map[string]any
		if err := json.Unmarshal(text, &l); err != nil {
			t.Fatalf("line %d: %v\n%s", i+1, err, text)
		}
		parents = append(parents, l["parentId"])
	}
	if len(parents) != 6 || parents[1] != nil || parents[2] != ask || parents[5] != ask {
		t.Errorf("parents are %v", parents)
	}
	if !bytes.Contains(f.Bytes(), []byte(`a \"quoted\" <prompt>`)) {
		t.Error("text was escaped as HTML")
	}
	if !bytes.HasSuffix(f.Bytes(), f.LastLines(2)) {
		t.Error("Tail is not the end of Bytes")
	}
}

func TestFile_SameBytes(t *testing.T) {
	write := func() []byte {
		f := New(Omp, "s", "/w", start)
		f.AddModelChange("p", "m")
		f.AddPrompt("x")
		f.AddThinkingReply("y", "z")
		return f.Bytes()
	}
	if a, b := write(), write(); !bytes.Equal(a, b) {
		t.Errorf("two runs differ:\n%s\n%s", a, b)
	}
}
