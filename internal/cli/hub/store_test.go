package hub

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each database has a cache directory of its own, which does not depend on the password. Without one
// the hub starts, too.
func TestMakeDatabaseCacheDir(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(home, "cache"))
	t.Setenv("LocalAppData", filepath.Join(home, "cache"))
	var log bytes.Buffer
	dirOf := func(db string) string {
		return (&Options{db: db}).makeDatabaseCacheDir(slog.New(slog.NewTextHandler(&log, nil)))
	}
	first := dirOf("postgres://hub:one@db.example/hub")
	if info, err := os.Stat(first); err != nil || !info.IsDir() || !strings.HasPrefix(first, home) {
		t.Fatalf("directory %q: %v", first, err)
	}
	if again, other := dirOf("postgres://hub:two@db.example/hub"), dirOf("postgres://hub:one@db.example/other"); again != first || other == first {
		t.Errorf("directories %q, %q with another password, %q of another database", first, again, other)
	}
	if log.Len() > 0 {
		t.Errorf("logged: %s", &log)
	}
	for _, name := range []string{"cache", "Library"} { // become files
		path := filepath.Join(home, name)
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if dir := dirOf("postgres://hub:one@db.example/hub"); dir != "" || !strings.Contains(log.String(), "XDG_CACHE_HOME") {
		t.Errorf("without a cache directory: %q, logged %q", dir, &log)
	}
}
