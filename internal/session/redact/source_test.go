package redact

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"sessiontree/internal/slowtest"
)

// bytesPerFalseKey is the amount of source code that may hold one false finding. The standard
// library does hold some keys in its tests.
const bytesPerFalseKey = 10 << 20

// TestSourceTrees searches for keys in Go's standard library, and in the directories in
// REDACT_SOURCES.
func TestSourceTrees(t *testing.T) {
	slowtest.SkipIfShort(t)
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("no go command: ", err)
	}
	library := filepath.Join(strings.TrimSpace(string(root)), "src")
	for _, dir := range append(filepath.SplitList(os.Getenv("REDACT_SOURCES")), library) {
		size, found := scanTree(t, dir)
		t.Logf("%s: %d keys in %d MB", dir, len(found), size>>20)
		for i, f := range found {
			if allowed := int(size / bytesPerFalseKey); i >= allowed || testing.Verbose() {
				t.Logf("%s", f)
			}
			if i == int(size/bytesPerFalseKey) {
				t.Errorf("more than one key in %d MB of %s", bytesPerFalseKey>>20, dir)
			}
		}
	}
}

// TestCorpus searches for keys in real sessions, which hold none.
func TestCorpus(t *testing.T) {
	dir := "../../../../shared/corpus"
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no corpus beside the clone")
	}
	_, found := scanTree(t, dir)
	for _, f := range found {
		t.Error(f)
	}
}

// scanTree returns the size of the text files below a directory and the keys found
// in them, each with its place.
func scanTree(t *testing.T, dir string) (size int64, found []string) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	files := make(chan string)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for file := range files {
				n, keys := scanFile(file)
				mu.Lock()
				size, found = size+n, append(found, keys...)
				mu.Unlock()
			}
		})
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files <- path
		}
		return err
	})
	close(files)
	wg.Wait()
	if err != nil {
		t.Fatal(err)
	}
	return size, found
}

// scanFile returns the size of a text file and the keys found in it.
func scanFile(file string) (size int64, found []string) {
	b, err := os.ReadFile(file)
	if err != nil || !utf8.Valid(b) {
		return 0, nil
	}
	if filepath.Ext(file) == ".jsonl" {
		for line := range bytes.Lines(b) {
			values, _ := dana.FindValues(line)
			for _, v := range values {
				if v.Class == ClassKeys {
					found = append(found, file+": "+v.Kind+": "+v.Excerpt)
				}
			}
		}
		return int64(len(b)), found
	}
	text := string(b)
	for _, f := range dana.findClasses(text, map[string]bool{ClassKeys: true}) {
		found = append(found, file+": "+f.Kind+": "+text[max(0, f.Start-40):f.Start]+">>"+text[f.Start:min(f.End, f.Start+100)]+"<<")
	}
	return int64(len(text)), found
}
