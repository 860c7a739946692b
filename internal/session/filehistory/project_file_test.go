package filehistory

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"sessiontree/internal/session/catalog"
)

// Only regular files below the directory of a session that changed them are read.
func TestReadProjectFile(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links need rights")
	}
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := func(to, name string) {
		t.Helper()
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	write("project/a.go", "package a\n")
	write("project/binary", "a\x00b")
	write("project/large", strings.Repeat("x", MaxFileBytes+1))
	write("secret/key", "secret\n")
	write("project-2/b.go", "secret\n")
	link("a.go", "project/inside.go")
	link("../secret/key", "project/outside.go")
	link("../secret", "project/folder")
	for _, c := range []struct{ cwd, file, want string }{
		{"project", "project/a.go", "package a\n"},
		{"project", "project/inside.go", "package a\n"},
		{"project", "project/outside.go", "cannot be read"},
		{"project", "project/folder/key", "cannot be read"},
		{"project", "secret/key", "not below the directory"},
		{"project", "project/../secret/key", "not below the directory"},
		{"project", "project-2/b.go", "not below the directory"},
		{"project", "project", "not below the directory"},
		{"project", "project/binary", "not text"},
		{"project", "project/large", "larger than 2 MB"},
		{"project", "project/gone.go", "not there any more"},
		{"gone", "gone/a.go", "not there any more"},
		{"", "secret/key", "not below the directory"},
		{"/", "secret/key", "not below the directory"},
		{".", "project", "cannot be read"},
	} {
		cwd := c.cwd
		if cwd != "" && cwd != "/" {
			cwd = filepath.Join(dir, cwd)
		}
		got, err := ReadProjectFile(catalog.ChangedFile{Path: dir + "/" + c.file, Sessions: []*catalog.Summary{{Cwd: "relative"}, {Cwd: cwd}}})
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) || strings.Contains(got, "secret\n") {
			t.Errorf("%s in %q: %q, want %q", c.file, c.cwd, got, c.want)
		}
	}
}
