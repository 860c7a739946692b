package pi

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
)

// TestFingerprint checks that the changes of a migration keep the fingerprint and that any other
// change does not.
func TestFingerprint(t *testing.T) {
	line := `{"type":"message","timestamp":"T","message":{"role":"hookMessage","content":"a\u00e9/\/","n":1.50}}`
	for _, same := range []string{
		`{"type":"message","timestamp":"T","message":{"role":"custom","content":"aé//","n":1.5},"id":"a","parentId":null}`,
		`{ "id":"x", "parentId":"y", "timestamp":"T", "message" : {"n":15e-1,"content":"aé//","role":"hookMessage"}, "type":"old","type":"message"}`,
	} {
		if Format.Fingerprint([]byte(line)) != OMP.Fingerprint([]byte(same)) {
			t.Errorf("another print: %s", same)
		}
	}
	for _, other := range []string{
		`{"type":"message","timestamp":"T","message":{"role":"user","content":"a\u00e9/\/","n":1.50}}`,
		`{"type":"message","timestamp":"U","message":{"role":"hookMessage","content":"a\u00e9/\/","n":1.50}}`,
		`{"type":"message","timestamp":"T","message":{"role":"hookMessage","content":"b\u00e9/\/","n":1.50}}`,
		`{"type":"message","timestamp":"T","role":"hookMessage","content":"a\u00e9/\/","n":1.50}`,
		`{"type":"message","timestamp":"T"}`, `[]`, ``,
	} {
		if Format.Fingerprint([]byte(line)) == Format.Fingerprint([]byte(other)) {
			t.Errorf("the same print: %s", other)
		}
	}
}

// TestFingerprintSurvivesMigration checks that lines keep their fingerprint when they are rewritten
// by our own migrator or by encoding/json.
func TestFingerprintSurvivesMigration(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/pi/v*/input.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("no files: ", err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		m, seen := Format.Write.NewMigrator((&file{}).mint()), map[uint64]string{}
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			out, id, err := m.MigrateLine([]byte(line))
			if err != nil {
				t.Fatal(err)
			}
			if id == "" {
				continue
			}
			var v map[string]any
			if err := json.Unmarshal(out, &v); err != nil {
				t.Fatal(err)
			}
			anew, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			before := Format.Fingerprint([]byte(line))
			if before != Format.Fingerprint(out) {
				t.Errorf("%s: another print: %s", line, out)
			}
			if before != Format.Fingerprint(anew) && !strings.Contains(line, "message") {
				t.Errorf("%s: another print: %s", line, anew)
			}
			if other, ok := seen[before]; ok && other != line {
				t.Errorf("one print: %s and %s", line, other)
			}
			seen[before] = line
		}
	}
}

func TestTouched(t *testing.T) {
	for _, c := range []struct {
		line           string
		read, modified []string
	}{
		{`{"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"x"},` +
			`{"type":"toolCall","id":"1","name":"edit","arguments":{"path":"f.ts"}},{"type":"toolCall","id":"2","name":"read","arguments":{"path":"r.ts"}},` +
			`{"type":"toolCall","id":"3","name":"read","arguments":{"file_path":"f.ts"}},{"type":"toolCall","id":"4","name":"write","arguments":{"path":"w\u00e9"}},` +
			`{"type":"toolCall","id":"5","name":"bash","arguments":{"path":"no"}},{"type":"toolCall","id":"6","name":"read","arguments":{"path":7}},` +
			`{"type":"toolCall","id":"7","name":"read","arguments":{"path":"r.ts"}},{"type":"toolCall","id":"8","name":"read"}]}}`,
			[]string{"r.ts", "f.ts"}, []string{"f.ts", "wé"}},
		{`{"type":"branch_summary","summary":"s","details":{"readFiles":["a","b","a"],"modifiedFiles":["c",4]}}`, []string{"a", "b"}, []string{"c"}},
		{`{"type":"message","message":{"role":"user","content":"x"}}`, nil, nil},
		{`{"type":"message","message":{"role":"toolResult","content":[],"details":{"diff":"-x"}}}`, nil, nil},
	} {
		for _, f := range []*session.Format{&Format, &OMP} {
			b, err := f.DecodeBody([]byte(c.line))
			if err != nil {
				t.Fatal(err)
			}
			read, modified := f.Write.TouchedFiles(b)
			if diff := cmp.Diff([][]string{c.read, c.modified}, [][]string{read, modified}); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.line, diff)
			}
		}
	}
}
