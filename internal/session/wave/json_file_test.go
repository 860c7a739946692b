package wave

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

func TestSniffWhole(t *testing.T) {
	t.Parallel()
	for head, want := range map[string]bool{
		`{"id":"s","version":"1","messages":[`:              true,
		`{ "version": "1", "id": "s", "messages": [{"rol`:   true,
		`{"id":"s","version":"1","messages":{}}`:            false,
		`{"id":"s","messages":[]}`:                          false,
		`{"type":"session","version":3,"id":"x","cwd":"/"}`: false,
		`[1]`: false, "": false, `{"id":"s"`: false,
	} {
		if got := sniffJSONFile([]byte(head)); got != want {
			t.Errorf("sniffWhole(%s) = %v", head, got)
		}
	}
}

func FuzzSplit(f *testing.F) {
	files, err := filepath.Glob("../../../testdata/wave/whole/*.json")
	if err != nil || len(files) == 0 {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(`{"messages":[1],"messages":[{},2]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		sniffJSONFile(text)
		_, records, err := splitJSONFile(text)
		if (err == nil) != json.Valid(text) {
			t.Fatalf("split: %v, valid: %v", err, json.Valid(text))
		}
		if err != nil {
			return
		}
		for _, s := range records {
			if !json.Valid(text[s.Off : s.Off+int64(s.Len)]) {
				t.Fatalf("record at %d is no value: %s", s.Off, text[s.Off:s.Off+int64(s.Len)])
			}
		}
	})
}
