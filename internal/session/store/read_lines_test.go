package store_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/internal/slowtest"
)

func TestRaw_IsTheRecordedLine(t *testing.T) {
	lines := []string{user("u1", "", "one"), user("u2", "u1", "zwei \u00e4\U0001F600 \"quoted\"\\"), user("u3", "u2", strings.Repeat("long ", 3<<19)), label("l1", "u3", "u1", "x")}
	for _, test := range []struct{ name, start, end string }{
		{"plain", "", "\n"}, {"carriage returns", "", "\r\n"}, {"byte order mark", "\ufeff", "\n"}, {"blank lines", "\n", "\n \t\n\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.jsonl")
			text := test.start + header + strings.Join(lines, "")
			write(t, path, strings.ReplaceAll(text, "\n", test.end))
			s := open(t, path)
			wantIDs(t, s, "u1 u2 u3 l1")
			for i, id := range strings.Fields(ids(s)) {
				raw, err := s.ReadRawLine(ctx, session.Pos(i))
				if err != nil || string(raw)+"\n" != lines[i] {
					t.Errorf("Raw(%s): %v, %d bytes, want %d", id, err, len(raw), len(lines[i])-1)
				}
				n := 0
				s.ReadTree(func(tree *session.Tree, _ store.Revision) { n = int(tree.At(session.Pos(i)).Span.Line) })
				line, err := s.ReadNoteLine(ctx, session.Note{Line: n})
				if err != nil || string(line) != string(raw) {
					t.Errorf("Line(%d): %v, %d bytes, want %d", n, err, len(line), len(raw))
				}
			}
			if len(s.Notes()) > 0 {
				t.Errorf("notes %v", s.Notes())
			}
		})
	}
}

func TestReadNoteLine_OfANote(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	long := "{" + strings.Repeat("bad ", 100_000)
	write(t, path, "garbage\n", header, user("u1", "", "one"), long+"\n", user("u2", "u1", "two"), "]]\n")
	s := open(t, path)
	wantIDs(t, s, "u1 u2")
	want := map[int]string{1: "garbage", 4: long, 6: "]]"}
	for _, n := range s.Notes() {
		got, err := s.ReadNoteLine(ctx, n)
		if n.Code != session.NoteBadLine || err != nil || string(got) != want[n.Line] {
			t.Errorf("note %+v: line of %d bytes, %v", n, len(got), err)
		}
		delete(want, n.Line)
	}
	if len(want) > 0 {
		t.Errorf("no notes about lines %v", want)
	}
	for _, n := range []int{-1, 0, 7, 1000} {
		if got, err := s.ReadNoteLine(ctx, session.Note{Line: n}); !errors.Is(err, session.ErrNotFound) {
			t.Errorf("Line(%d) = %q, %v", n, got, err)
		}
	}
}

// TestReadNoteLine_PastTheEnd requests lines that the session cannot have: the file, which was
// replaced, is not opened for them.
func TestReadNoteLine_PastTheEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	write(t, path, header, user("u1", "", "one"), "{torn")
	s := open(t, path)
	if line, err := s.ReadNoteLine(ctx, session.Note{Line: 3}); err != nil || string(line) != "{torn" {
		t.Errorf("the torn line is %q, %v", line, err)
	}
	before := revision(s)
	write(t, path, header, user("u2", "", "another"))
	for _, n := range []int{4, 1000, math.MaxInt32 - 1, math.MaxInt32, math.MaxInt32 + 1, math.MaxInt} {
		if line, err := s.ReadNoteLine(ctx, session.Note{Line: n}); !errors.Is(err, session.ErrNotFound) {
			t.Errorf("Line(%d) = %q, %v", n, line, err)
		}
	}
	if after := revision(s); after != before {
		t.Error("the file was read again")
	}
}

func TestBody_AfterARewriteIsStale(t *testing.T) {
	first := []string{header, user("u1", "", "one"), user("u2", "u1", "two"), user("u3", "u2", strings.Repeat("z", 9000))}
	for _, test := range []struct {
		name  string
		lines []string
		stale string
	}{
		{"another line of the same length", []string{header, user("u1", "", "one"), user("x2", "u1", "two"), first[3]}, "u2"},
		{"lines moved", []string{header, user("u1", "", "one!"), user("u2", "u1", "two"), first[3]}, "u2"},
		{"shrunk", []string{header, user("u1", "", "one")}, "u3"},
		{"a line end within the line", []string{header, user("u1", "", "one"), strings.Replace(first[2], "role", "\nole", 1), first[3]}, "u2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.jsonl")
			write(t, path, first...)
			s := open(t, path)
			before := revision(s)
			write(t, path, test.lines...)
			if _, err := s.ReadBody(ctx, pos(t, s, test.stale)); !errors.Is(err, session.ErrStale) {
				t.Fatalf("Body = %v, want ErrStale", err)
			}
			if now := revision(s); now.Epoch == before.Epoch {
				t.Error("the session was not reloaded")
			}
			for i := range strings.Fields(ids(s)) {
				if _, err := s.ReadBody(ctx, session.Pos(i)); err != nil {
					t.Errorf("Body(%d) after the reload: %v", i, err)
				}
			}
			refresh(t, s, store.Unchanged)
		})
	}
}

func TestBody_OfAFileThatIsGone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	write(t, path, header, user("u1", "", "one"))
	s := open(t, path)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ReadBody(ctx, 0); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("Body = %v, want ErrNotFound", err)
	}
	if s.FileError() == nil {
		t.Error("nobody was told that the file is gone")
	}
	for _, p := range []session.Pos{-1, 1} {
		if _, err := s.ReadBody(ctx, p); !errors.Is(err, session.ErrNotFound) {
			t.Errorf("Body(%d) = %v, want ErrNotFound", p, err)
		}
	}
}

func TestOpen_LongLine(t *testing.T) {
	slowtest.SkipIfShortOutsideCI(t)
	path := filepath.Join(t.TempDir(), "a.jsonl")
	text := strings.Repeat("0123456789abcdef", 12<<16) // 12 MiB
	write(t, path, header, user("u1", "", "one"), user("u2", "u1", text), user("u3", "u2", "end"))
	s := open(t, path)
	wantIDs(t, s, "u1 u2 u3")
	body, err := s.ReadBody(ctx, pos(t, s, "u2"))
	if err != nil || body.Blocks[0].Text != text {
		t.Errorf("body of %d blocks, %v", len(body.Blocks), err)
	}
	half := user("u4", "u3", text)
	add(t, path, half[:len(half)/2])
	refresh(t, s, store.Unchanged)
	add(t, path, half[len(half)/2:])
	refresh(t, s, store.Appended)
	wantIDs(t, s, "u1 u2 u3 u4")
}

// An entry of a file that is no session any more is not there when it is read again.
func TestReadBody_noSession(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	write(t, path, header, user("u1", "", "one"))
	s := open(t, path)
	write(t, path, "hello\n")
	for range 2 {
		if _, err := s.ReadBody(ctx, pos(t, s, "u1")); !errors.Is(err, session.ErrNoSession) || errors.Is(err, session.ErrStale) {
			t.Errorf("Body = %v, want ErrNoSession", err)
		}
	}
	write(t, path, header, user("u1", "", "one again"))
	refresh(t, s, store.Rewritten)
	if _, err := s.ReadBody(ctx, pos(t, s, "u1")); err != nil {
		t.Errorf("Body after the file is back: %v", err)
	}
}

func TestOpen_NoSession(t *testing.T) {
	for name, content := range map[string]string{
		"empty": "", "blank": "\n \n\t\n", "no header": user("u1", "", "x"), "text": "hello\nworld\n", "binary": "\x00\xff\xfe\n",
		"torn header": header[:40], "header without id": `{"type":"session","version":3}` + "\n", "one long line": strings.Repeat("[", 3<<20),
	} {
		path := filepath.Join(t.TempDir(), "a.jsonl")
		write(t, path, content)
		lib := library(t, filepath.Dir(path))
		if _, err := lib.Open(ctx, path); !errors.Is(err, session.ErrNoSession) {
			t.Errorf("%s: Open = %v, want ErrNoSession", name, err)
		}
		if _, err := lib.SummarizeFile(ctx, path, lib.NewOwnerFinder()); !errors.Is(err, session.ErrNoSession) {
			t.Errorf("%s: Survey = %v, want ErrNoSession", name, err)
		}
		if _, open := lib.FindOpen(path); open {
			t.Errorf("%s: counts as open", name)
		}
	}
}

func TestBlob(t *testing.T) {
	agent := t.TempDir()
	name := strings.Repeat("0a", 32)
	path := filepath.Join(agent, "sessions", "-project", "a.jsonl")
	write(t, path, slot("t"), header, user("u1", "", "one"))
	write(t, filepath.Join(agent, "blobs", name), "image")
	write(t, filepath.Join(agent, "secret"), "secret")
	s, err := library(t, filepath.Join(agent, "sessions")).Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	if data, err := s.ReadBlob(ctx, name); err != nil || string(data) != "image" || !s.HasBlob(name) {
		t.Errorf("Blob = %q, %v", data, err)
	}
	for _, bad := range []string{"", "../secret", strings.Repeat("0A", 32), strings.Repeat("0", 63), strings.Repeat("1", 64), name + "\n", name + "/../../secret"} {
		if data, err := s.ReadBlob(ctx, bad); !errors.Is(err, session.ErrNotFound) {
			t.Errorf("Blob(%q) = %q, %v", bad, data, err)
		}
		if s.HasBlob(bad) {
			t.Errorf("HasBlob(%q)", bad)
		}
	}
	link := strings.Repeat("2", 64)
	if err := os.Symlink(filepath.Join(agent, "secret"), filepath.Join(agent, "blobs", link)); err != nil {
		t.Skip(err)
	}
	if data, err := s.ReadBlob(ctx, link); err == nil {
		t.Errorf("Blob followed a link out of its directory: %q", data)
	}
}
