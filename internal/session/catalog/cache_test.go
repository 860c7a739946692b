package catalog_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// A start that finds every file as the cache describes it has nothing to keep.
func TestSecondStartKeepsCache(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("files have no identity here, so each is looked at again")
	}
	dir, cache := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"pi.jsonl":     header("s") + user("u", "", 1, "x"),
		"claude.jsonl": recordedLine("s1", "u1", "", 1, ""),
	} {
		path := filepath.Join(dir, name)
		write(t, path, text)
		long := time.Now().Add(-time.Hour)
		if err := os.Chtimes(path, long, long); err != nil {
			t.Fatal(err)
		}
	}
	filled(t, cache, dir)
	before := cacheFile(t, cache)
	filled(t, cache, dir)
	if !os.SameFile(before, cacheFile(t, cache)) {
		t.Error("the cache was written again, although nothing changed")
	}
}

func cacheFile(t testing.TB, dir string) os.FileInfo {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "catalog-*"))
	if err != nil || len(paths) != 1 {
		t.Fatalf("caches %q: %v", paths, err)
	}
	info, err := os.Stat(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	return info
}
