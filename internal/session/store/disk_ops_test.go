package store_test

import (
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/store"
)

// wantUnconfirmed fails unless the error says that something was written.
func wantUnconfirmed(t testing.TB, err error) {
	t.Helper()
	if !errors.Is(err, safefile.ErrUnconfirmed) || !errors.Is(err, syscall.EIO) || !strings.Contains(err.Error(), "but the disk does not confirm it") {
		t.Errorf("the error is %v", err)
	}
}

// If the disk does not confirm the name of a new file, the error comes with its path.
func TestFork_unconfirmed(t *testing.T) {
	lib, s, path := changed(t, talk()...)
	lib.FailSync(syscall.EIO)
	f, err := s.Fork(ctx, "a1", "")
	wantUnconfirmed(t, err)
	if f.Path == "" || !strings.Contains(content(t, f.Path), `"hi"`) {
		t.Errorf("made is %+v", f)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A migration that the disk does not confirm is completed nevertheless: the labels of
// the sidecar are in the file, and the sidecar says so.
func TestMigrate_unconfirmed(t *testing.T) {
	lib, s, path := changed(t, old()...)
	apply(t, s, setLabel("L3", "kept"))
	lib.FailSync(syscall.EIO)
	m, err := s.Migrate(ctx)
	wantUnconfirmed(t, err)
	if m.Backup != path+".bak" || m.FromVersion == m.ToVersion || strings.Count(content(t, path), `"kept"`) != 1 {
		t.Errorf("%+v", m)
	}
	again := openSession(t, libraryWith(t, store.Config{Roots: []string{filepath.Dir(path)}, StateDir: filepath.Join(filepath.Dir(filepath.Dir(path)), "state")}), path)
	if notes := again.Notes(); len(notes) != 0 {
		t.Errorf("notes %+v: the label is kept outside of the file still", notes)
	}
}

// Without hard links, files are created and migrated, and no file is overwritten.
func TestNoLinks(t *testing.T) {
	for name, renames := range map[string]bool{"renaming": true, "copying": false} {
		t.Run(name, func(t *testing.T) {
			lib, s, path := changed(t, talk()...)
			lib.NoLinks(renames)
			out := filepath.Join(filepath.Dir(path), "made.jsonl")
			if _, err := s.Fork(ctx, "a1", out); err != nil {
				t.Fatal(err)
			}
			made := content(t, out)
			if _, err := s.Fork(ctx, "a3", out); !errors.Is(err, session.ErrExists) || content(t, out) != made {
				t.Errorf("a second one in its place: %v", err)
			}
			lib, s, path = changed(t, old()...)
			lib.NoLinks(renames)
			before := content(t, path)
			write(t, path+".bak", "somebody else's\n")
			m, err := s.Migrate(ctx)
			if err != nil || m.Backup != path+".2.bak" || content(t, m.Backup) != before || content(t, path) == before || content(t, path+".bak") != "somebody else's\n" {
				t.Errorf("%+v, %v", m, err)
			}
			for _, p := range []string{out, path} {
				if left, _ := filepath.Glob(filepath.Join(filepath.Dir(p), ".*")); len(left) > 0 {
					t.Errorf("left behind: %v", left)
				}
			}
		})
	}
}
