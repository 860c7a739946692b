package workload

import (
	"io/fs"
	"os"
	"strings"
	"testing"
)

// Each query has two words of a prompt in one of the sessions.
func TestWriteTextLibrary(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lib, err := WriteTextLibrary(dir, 20, 20_000, 10)
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	total := 0
	err = fs.WalkDir(os.DirFS(dir), ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(dir + "/" + path)
		files, total = append(files, string(text)), total+len(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 20 || int64(total) != lib.Bytes || len(lib.Queries) != 10 {
		t.Fatalf("%d files, %d bytes of %d, %d queries", len(files), total, lib.Bytes, len(lib.Queries))
	}
	for _, query := range lib.Queries {
		first, second, ok := strings.Cut(query, " ")
		found := false
		for _, text := range files {
			for line := range strings.Lines(text) {
				found = found || strings.Contains(line, `"role":"user"`) && strings.Contains(line, first) && strings.Contains(line, second)
			}
		}
		if !ok || !found {
			t.Errorf("no prompt has the words %q", query)
		}
	}
}
