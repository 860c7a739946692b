package workload

import (
	"bytes"
	"io/fs"
	"os"
	"testing"
)

func TestWriteSearchLibrary(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	size, err := WriteSearchLibrary(dir, 201, 6000)
	if err != nil {
		t.Fatal(err)
	}
	counts, files, total := map[string]int{}, 0, int64(0)
	err = fs.WalkDir(os.DirFS(dir), ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := fs.ReadFile(os.DirFS(dir), path)
		if err != nil {
			return err
		}
		for _, word := range []string{PromptWord, OutputWord, OldestWord} {
			if bytes.Contains(text, []byte(word)) {
				counts[word]++
			}
		}
		files, total = files+1, total+int64(len(text))
		return nil
	})
	if err != nil || files != 201 || total != size {
		t.Errorf("%d files of %d bytes, %v; want 201 and %d", files, total, err, size)
	}
	if counts[PromptWord] != 3 || counts[OutputWord] != 2 || counts[OldestWord] != 1 {
		t.Errorf("sessions with the words: %v", counts)
	}
}
