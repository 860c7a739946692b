package store_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"sessiontree/internal/session/roots"
)

// mirror is copies of files below a directory of its own, at their absolute paths.
type mirror struct{ dir string }

func (mirror) AreRemote() bool { return false }

func (m mirror) at(path string) string { return filepath.Join(m.dir, path) }

func (m mirror) OpenCopy(path string) (roots.ReadableFile, error) {
	if info, err := os.Stat(m.at(path)); err == nil && info.IsDir() {
		return nil, fs.ErrNotExist
	}
	return os.Open(m.at(path))
}

func (m mirror) StatCopy(path string) (fs.FileInfo, error)     { return os.Stat(m.at(path)) }
func (m mirror) ReadCopyDir(dir string) ([]fs.DirEntry, error) { return os.ReadDir(m.at(dir)) }

func (m mirror) WalkCopies(path string, fn func(string, fs.FileInfo)) {
	_ = filepath.WalkDir(m.at(path), func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return nil
		}
		rel, err := filepath.Rel(m.dir, name)
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil {
			fn(string(filepath.Separator)+rel, info)
		}
		return err
	})
}

// mirrorOf copies all files below a directory.
func mirrorOf(t testing.TB, dir string) mirror {
	t.Helper()
	m := mirror{t.TempDir()}
	copyTree(t, dir, m.at(dir))
	return m
}

// copyTree copies all files below a directory, with their times.
func copyTree(t testing.TB, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if e.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.WriteFile(target, text, 0o644); err != nil {
			return err
		}
		return os.Chtimes(target, info.ModTime(), info.ModTime())
	})
	if err != nil {
		t.Fatal(err)
	}
}
