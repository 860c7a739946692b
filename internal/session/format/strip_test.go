package format_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/format"
)

// FuzzStrip checks for any line that the stripped line is JSON, that the line itself is not
// modified, and that stripping again changes nothing.
func FuzzStrip(f *testing.F) {
	for _, pattern := range []string{"pi/kitchen-sink/*.jsonl", "pi/images/*.jsonl", "dialects/omp18-roles/*.jsonl", "claude/project/*.jsonl", "wave/forms/*.jsonl"} {
		files, err := filepath.Glob(filepath.Join("../../../testdata", pattern))
		if err != nil || len(files) == 0 {
			f.Fatal(pattern, err)
		}
		for _, path := range files {
			text, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			for line := range bytes.Lines(text) {
				f.Add(bytes.TrimSpace(line), uint8(7))
			}
		}
	}
	f.Fuzz(func(t *testing.T, line []byte, flags uint8) {
		w := session.Omissions{Output: flags&1 != 0, Thinking: flags&2 != 0, Images: flags&4 != 0}
		for _, format := range format.All {
			before := bytes.Clone(line)
			out, err := format.Export.Strip(line, w)
			if !bytes.Equal(line, before) {
				t.Fatalf("%s: the line itself is changed", format.Name)
			}
			if err != nil {
				continue
			}
			if !json.Valid(out) {
				t.Fatalf("%s: %q became %q", format.Name, line, out)
			}
			if again, err := format.Export.Strip(out, w); err != nil || !bytes.Equal(again, out) {
				t.Fatalf("%s: %q became %q, then %q (%v)", format.Name, line, out, again, err)
			}
		}
	})
}
