package filehistory

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Only regular files below the directories that the user named are read.
// projectDirs returns directories that are where they are named.
func projectDirs(dirs ...string) (list []ProjectDir) {
	for _, dir := range dirs {
		list = append(list, ProjectDir{Path: dir, Root: dir})
	}
	return list
}

// The files of a directory can be elsewhere, as those of the demo are.
func TestReadProjectFile_Elsewhere(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("package a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	dirs := []ProjectDir{{Path: "/home/dev/proj", Root: dir}}
	if got, err := ReadProjectFile(dirs, "/home/dev/proj/a.go"); err != nil || got != "package a\n" {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := ReadProjectFile(dirs, filepath.Join(dir, "a.go")); err == nil {
		t.Error("the file is read under its other name")
	}
}

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
	for _, c := range []struct{ file, want string }{
		{"project/a.go", "package a\n"},
		{"project/inside.go", "package a\n"},
		{"project/outside.go", "cannot be read"},
		{"project/folder/key", "cannot be read"},
		{"secret/key", "--project-dir"},
		{"project/../secret/key", "--project-dir"},
		{"project-2/b.go", "--project-dir"},
		{"project", "--project-dir"},
		{"project/binary", "not text"},
		{"project/large", "larger than 2 MB"},
		{"project/gone.go", "does not exist"},
		{"gone/a.go", "does not exist"},
	} {
		got, err := ReadProjectFile(projectDirs(filepath.Join(dir, "gone"), filepath.Join(dir, "project")), dir+"/"+c.file)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) || strings.Contains(got, "secret\n") {
			t.Errorf("%s: %q, want %q", c.file, got, c.want)
		}
	}
	if got, err := ReadProjectFile(nil, filepath.Join(dir, "project/a.go")); err == nil {
		t.Errorf("without a directory, the file is read: %q", got)
	}
	if data, err := os.ReadFile("/proc/kallsyms"); err == nil && len(data) > MaxFileBytes { // it reports the size 0
		if got, err := ReadProjectFile(projectDirs("/proc"), "/proc/kallsyms"); err == nil || !strings.Contains(err.Error(), "larger than 2 MB") {
			t.Errorf("a file of an unknown size: %d bytes, %v", len(got), err)
		}
	}
}
