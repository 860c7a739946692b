package store_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

func TestRefresh_Growth(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	write(t, path, header, user("u1", "", "one"))
	s := open(t, path)
	before := revision(s)
	refresh(t, s, store.Unchanged)

	add(t, path, user("a1", "u1", "two"), label("l1", "a1", "u1", "here"))
	c := refresh(t, s, store.Appended)
	if c.Entries != 2 || !c.Labels || c.Leaf != "l1" {
		t.Errorf("change %+v, want 2 entries, labels, leaf l1", c)
	}
	wantIDs(t, s, "u1 a1 l1")
	if p, ok := s.FirstEntrySince(before); !ok || p != 1 {
		t.Errorf("Since(%v) = %d %v, want 1 true", before, p, ok)
	}
	if p, ok := s.FirstEntrySince(c.Rev); !ok || p != 3 {
		t.Errorf("Since(%v) = %d %v, want 3 true", c.Rev, p, ok)
	}
	if c.Rev.Epoch != before.Epoch {
		t.Errorf("growth changed the epoch")
	}
	refresh(t, s, store.Unchanged)
}

func TestRefresh_TornLineWaits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	line := user("u2", "u1", "the second prompt")
	write(t, path, header, user("u1", "", "one"))
	s := open(t, path)
	for _, part := range []string{line[:10], line[10:60]} {
		add(t, path, part)
		refresh(t, s, store.Unchanged)
		wantIDs(t, s, "u1")
		if !torn(s) {
			t.Fatal("no note about the torn line")
		}
	}
	add(t, path, line[60:], user("u3", "u2", "x"))
	refresh(t, s, store.Appended)
	wantIDs(t, s, "u1 u2 u3")
	if torn(s) {
		t.Error("the note stands though the line is whole")
	}
	if body, err := s.ReadRawLine(ctx, pos(t, s, "u2")); err != nil || string(body)+"\n" != line {
		t.Errorf("Raw = %q, %v", body, err)
	}
}

func TestRefresh_WholeLineWithoutItsEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	line := strings.TrimSuffix(user("u2", "u1", "two"), "\n")
	write(t, path, header, user("u1", "", "one"), line)
	s := open(t, path)
	wantIDs(t, s, "u1 u2")
	if !torn(s) {
		t.Error("no note about the missing line end")
	}
	t.Run("ends later", func(t *testing.T) {
		add(t, path, "\n", user("u3", "u2", "three"))
		c := refresh(t, s, store.Appended)
		if c.Entries != 1 || torn(s) {
			t.Errorf("%d new entries, torn %v", c.Entries, torn(s))
		}
		wantIDs(t, s, "u1 u2 u3")
	})
	t.Run("goes on", func(t *testing.T) {
		write(t, path, header, user("u1", "", "one"), line)
		s := open(t, path)
		add(t, path, user("u3", "u2", "glued to the line before")) // as pi 0.58 does
		refresh(t, s, store.Rewritten)
		wantIDs(t, s, "u1")
	})
}

func TestRefresh_Reload(t *testing.T) {
	long := []string{header, user("u1", "", strings.Repeat("x", 6000)), user("u2", "u1", strings.Repeat("y", 6000)), user("u3", "u2", "z")}
	for _, test := range []struct {
		name   string
		change func(t *testing.T, path string)
		want   string
	}{
		{"shrunk", func(t *testing.T, path string) { write(t, path, long[:3]...) }, "u1 u2"},
		{"replaced by rename", func(t *testing.T, path string) {
			write(t, path+".tmp", long[0], long[1], long[2], user("u9", "u2", "z"))
			if err := os.Rename(path+".tmp", path); err != nil {
				t.Fatal(err)
			}
		}, "u1 u2 u9"},
		{"same size, other tail", func(t *testing.T, path string) {
			write(t, path, long[0], long[1], long[2], user("u4", "u2", "z"))
		}, "u1 u2 u4"},
		{"grown, other head", func(t *testing.T, path string) {
			write(t, path, long[0], user("v1", "", strings.Repeat("x", 6000)), long[2], long[3], user("u4", "u3", "new"))
		}, "v1 u2 u3 u4"},
		{"grown, other tail", func(t *testing.T, path string) {
			write(t, path, long[0], long[1], long[2], user("v3", "u2", "z"), user("u4", "v3", "new"))
		}, "u1 u2 v3 u4"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.jsonl")
			write(t, path, long...)
			s := open(t, path)
			before := revision(s)
			test.change(t, path)
			c := refresh(t, s, store.Rewritten)
			if c.Rev.Epoch == before.Epoch {
				t.Error("same epoch after a rewrite")
			}
			if _, ok := s.FirstEntrySince(before); ok {
				t.Error("Since answers over a rewrite")
			}
			wantIDs(t, s, test.want)
			refresh(t, s, store.Unchanged)
		})
	}
}

func TestRefresh_RepeatedIDIsARewrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	write(t, path, header, user("u1", "", "one"), user("u2", "u1", "two"))
	s := open(t, path)
	before := revision(s)
	add(t, path, header, user("u1", "", "one"), user("u2", "u1", "other"))
	if c := refresh(t, s, store.Rewritten); c.Rev.Epoch == before.Epoch {
		t.Error("same epoch though positions changed")
	}
	body, err := s.ReadBody(ctx, pos(t, s, "u2"))
	if err != nil {
		t.Fatal(err)
	}
	if got := body.Blocks[0].Text; got != "other" {
		t.Errorf("body %q, want that of the last line", got)
	}
}

func TestRefresh_Gone(t *testing.T) {
	content := []string{header, user("u1", "", "one")}
	for _, test := range []struct {
		name string
		gone func(path string) error
		why  error
	}{
		{"deleted", os.Remove, fs.ErrNotExist},
		{"emptied", func(path string) error { return os.Truncate(path, 0) }, session.ErrNoSession},
		{"became a directory", func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o755)) }, session.ErrNoSession},
		{"became something else", func(path string) error { return os.WriteFile(path, []byte("hello\n"), 0o644) }, session.ErrNoSession},
		{"no permission", func(path string) error { return os.Chmod(path, 0) }, fs.ErrPermission},
		{"directory deleted", func(path string) error { return os.RemoveAll(filepath.Dir(path)) }, fs.ErrNotExist},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.why == fs.ErrPermission && os.Geteuid() == 0 {
				t.Skip("root may read everything")
			}
			dir := t.TempDir()
			path := filepath.Join(dir, "project", "a.jsonl")
			write(t, path, content...)
			lib := library(t, dir)
			s, err := lib.Open(ctx, path)
			if err != nil {
				t.Fatal(err)
			}
			if err := test.gone(path); err != nil {
				t.Fatal(err)
			}
			refresh(t, s, store.Removed)
			if !errors.Is(s.FileError(), test.why) {
				t.Errorf("Gone() = %v, want %v", s.FileError(), test.why)
			}
			wantIDs(t, s, "u1") // the entries remain
			refresh(t, s, store.Unchanged)
			if _, err := lib.Open(ctx, path); !errors.Is(err, test.why) {
				t.Errorf("Open = %v, want %v", err, test.why)
			}

			_ = os.Chmod(path, 0o644)
			_ = os.Remove(path)
			write(t, path, append(content, user("u2", "u1", "back"))...)
			refresh(t, s, store.Rewritten)
			if s.FileError() != nil {
				t.Errorf("Gone() = %v after the return", s.FileError())
			}
			wantIDs(t, s, "u1 u2")
		})
	}
}

// slot returns a title slot of oh-my-pi, 256 bytes with its newline.
func slot(title string) string {
	start := `{"type":"title","v":1,"title":"` + title + `","updatedAt":"2026-01-02T03:04:05.000Z","pad":"`
	return start + strings.Repeat(" ", 256-len(start)-3) + "\"}\n"
}

func TestRefresh_SlotOverwrittenInPlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	write(t, path, slot("old title"), header, user("u1", "", strings.Repeat("x", 9000)))
	s := open(t, path)
	name := func() (n string) {
		s.ReadTree(func(tree *session.Tree, _ store.Revision) { n = tree.Header().Name })
		return n
	}
	if name() != "old title" {
		t.Fatalf("name %q", name())
	}
	before := revision(s)
	overwrite(t, path, slot("new title"), 0)
	c := refresh(t, s, store.Rewritten)
	if name() != "new title" || c.Rev == before {
		t.Errorf("name %q at %v, before %v", name(), c.Rev, before)
	}
	add(t, path, user("u2", "u1", "more"))
	refresh(t, s, store.Appended)
	wantIDs(t, s, "u1 u2")
	if name() != "new title" {
		t.Errorf("name %q after growth", name())
	}

	// Only the slot and the appended bytes are read: a changed line between them is not
	// seen.
	overwrite(t, path, slot("third title"), 0)
	overwrite(t, path, "XXXX", 5000)
	add(t, path, user("u3", "u2", "more"))
	if c := refresh(t, s, store.Rewritten); c.Entries != 1 {
		t.Errorf("%d new entries, want 1", c.Entries)
	}
	wantIDs(t, s, "u1 u2 u3")
	if name() != "third title" {
		t.Errorf("name %q", name())
	}
}

// TestRefresh_SlotBesideATornLine overwrites the slot while a line is being written:
// the rest of that line is not a title.
func TestRefresh_SlotBesideATornLine(t *testing.T) {
	for _, size := range []int{10, 9000} {
		path := filepath.Join(t.TempDir(), "a.jsonl")
		write(t, path, slot("old title"), header, user("u1", "", strings.Repeat("x", size)), `{"type":"mess`)
		s := open(t, path)
		overwrite(t, path, slot("new title"), 0)
		add(t, path, "age")
		refresh(t, s, store.Rewritten)
		for range 3 {
			add(t, path, "e")
			refresh(t, s, store.Unchanged)
		}
		overwrite(t, path, slot("third title"), 0)
		refresh(t, s, store.Rewritten)
		refresh(t, s, store.Unchanged)
		wantIDs(t, s, "u1")
	}
}

func overwrite(t testing.TB, path, text string, off int64) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteAt([]byte(text), off)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestRefresh_ErrorThatEndsARead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	write(t, path, header, user("u1", "", "one"))
	s := open(t, path)
	add(t, path, user("u2", "u1", "two"))
	cancelled, cancel := contextCancelled()
	defer cancel()
	if _, err := s.Refresh(cancelled); err == nil {
		t.Fatal("a cancelled refresh succeeded")
	}
	if c, err := s.Refresh(ctx); err != nil || c.Kind < store.Appended {
		t.Fatalf("Refresh after a cancelled one: %+v, %v", c, err)
	}
	wantIDs(t, s, "u1 u2")
}
