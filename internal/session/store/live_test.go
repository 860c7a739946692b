package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/internal/slowtest"
)

// TestRefresh_IsAFreshLoad changes a file in every way. A session that followed it must
// equal one opened now.
func TestRefresh_IsAFreshLoad(t *testing.T) {
	slowtest.SkipIfShort(t)
	dir := t.TempDir()
	rapid.Check(t, func(r *rapid.T) {
		path := filepath.Join(dir, "a.jsonl")
		f := &fileModel{path: path, next: 1}
		f.lines = []string{header, f.entry(r)}
		write(t, path, f.lines...)
		lib := library(t, dir)
		s, err := lib.Open(ctx, path)
		if err != nil {
			r.Fatal(err)
		}
		r.Repeat(map[string]func(*rapid.T){
			"append":   func(r *rapid.T) { f.append(r, rapid.IntRange(1, 5).Draw(r, "lines")) },
			"torn":     f.tear,
			"complete": f.complete,
			"rewrite":  f.rewrite,
			"shrink":   f.shrink,
			"rename":   f.rename,
			"delete":   func(r *rapid.T) { _ = os.Remove(path); f.gone = true },
			"title":    f.title,
			"": func(r *rapid.T) {
				if f.broken != nil {
					r.Fatal(f.broken)
				}
				before := describe(s)
				c, err := s.Refresh(ctx)
				if err != nil {
					r.Fatal(err)
				}
				compareFresh(t, r, s, dir, path, c, before)
			},
		})
	})
}

// compareFresh compares a session with one opened now.
func compareFresh(t testing.TB, r *rapid.T, s *store.Session, dir, path string, c store.Change, before string) {
	fresh, err := libraryWith(t, store.Config{Roots: []string{dir}}).Open(ctx, path)
	if (err == nil) != (s.FileError() == nil) {
		r.Fatalf("a fresh load says %v, the session %v", err, s.FileError())
	}
	if err != nil {
		return
	}
	if got, want := describe(s), describe(fresh); got != want {
		r.Fatalf("after %+v the session shows\n%s\na fresh load\n%s", c, got, want)
	}
	// Only the note about a torn line is new before the line is complete. A blank line
	// only changes the revision.
	_, was, _ := strings.Cut(before, "\n")
	_, now, _ := strings.Cut(describe(s), "\n")
	if c.Kind == store.Unchanged && !torn(s) && now != was {
		r.Fatalf("a change was not told: %s", before)
	}
	for _, one := range []*store.Session{s, fresh} {
		for p := range strings.Count(ids(one), " ") + 1 {
			if _, err := one.ReadRawLine(ctx, session.Pos(p)); err != nil && ids(one) != "" {
				r.Fatalf("Raw(%d): %v", p, err)
			}
		}
	}
}

// describe returns everything that a session shows.
func describe(s *store.Session) string {
	var b strings.Builder
	s.ReadTree(func(t *session.Tree, rev store.Revision) {
		fmt.Fprintf(&b, "%d\n%+v\n", rev.N, t.Header())
		for p := range session.Pos(t.Len()) {
			e := t.At(p)
			fmt.Fprintf(&b, "%s parent %d %+v %s\n", e.ID, t.Parent(p), e.Span, e.Preview)
		}
		fmt.Fprintf(&b, "%+v\n", t.Labels())
	})
	fmt.Fprintf(&b, "%+v", s.Notes())
	return b.String()
}

// fileModel is a session file that is being changed.
type fileModel struct {
	path   string
	lines  []string // without a torn line
	torn   string
	rest   string // completes the torn line
	next   int
	writes int
	gone   bool
	broken error
}

func (f *fileModel) entry(r *rapid.T) string {
	id := fmt.Sprintf("e%d", f.next)
	f.next++
	if rapid.IntRange(0, 9).Draw(r, "again") == 0 {
		id = fmt.Sprintf("e%d", rapid.IntRange(1, f.next).Draw(r, "id"))
	}
	parent := ""
	if n := rapid.IntRange(0, f.next).Draw(r, "parent"); n > 0 {
		parent = fmt.Sprintf("e%d", n)
	}
	switch rapid.IntRange(0, 9).Draw(r, "kind") {
	case 0:
		return label(id, parent, "e1", rapid.SampledFrom([]string{"", "x", "y"}).Draw(r, "label"))
	case 1:
		return "{bad line\n"
	case 2:
		return "\r\n"
	}
	return user(id, parent, strings.Repeat("t", rapid.SampledFrom([]int{1, 1, 1, 5000}).Draw(r, "size")))
}

func (f *fileModel) append(r *rapid.T, n int) {
	if f.gone {
		f.rewrite(r)
	}
	f.complete(r)
	for range n {
		f.lines = append(f.lines, f.entry(r))
	}
	f.add(strings.Join(f.lines[len(f.lines)-n:], ""))
}

func (f *fileModel) add(text string) {
	file, err := os.OpenFile(f.path, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = file.WriteString(text)
		err = errors.Join(err, file.Close())
	}
	f.broken = errors.Join(f.broken, err)
}

// tear appends the first part of a line.
func (f *fileModel) tear(r *rapid.T) {
	if f.gone || f.torn != "" {
		return
	}
	line := f.entry(r)
	n := rapid.IntRange(0, len(line)-1).Draw(r, "cut")
	f.torn, f.rest = line[:n], line[n:]
	f.add(f.torn)
}

func (f *fileModel) complete(*rapid.T) {
	if f.rest == "" || f.gone {
		return
	}
	f.add(f.rest)
	f.lines = append(f.lines, f.torn+f.rest)
	f.torn, f.rest = "", ""
}

// rewrite rewrites the file in place with another line. The header changes too: a
// change far from both ends of a file of the same size is found only by reading bodies.
func (f *fileModel) rewrite(r *rapid.T) {
	f.torn, f.rest, f.gone = "", "", false
	if i := rapid.IntRange(0, len(f.lines)-1).Draw(r, "line"); !strings.Contains(f.lines[i], `"session"`) && !strings.Contains(f.lines[i], `"pad"`) {
		f.lines[i] = f.entry(r)
	}
	f.writes++
	for i, line := range f.lines {
		if strings.Contains(line, `"session"`) {
			f.lines[i] = strings.Replace(header, "/p", fmt.Sprintf("/p%d", f.writes), 1)
		}
	}
	f.broken = errors.Join(f.broken, os.WriteFile(f.path, []byte(strings.Join(f.lines, "")), 0o644))
}

func (f *fileModel) shrink(r *rapid.T) {
	if n := len(f.lines); n > 2 {
		f.lines = f.lines[:rapid.IntRange(1, n-1).Draw(r, "keep")]
	}
	f.rewrite(r)
}

func (f *fileModel) rename(r *rapid.T) {
	own := f.path
	f.path += ".tmp"
	f.rewrite(r)
	f.broken = errors.Join(f.broken, os.Rename(f.path, own))
	f.path = own
}

// title writes a title slot at the start, or overwrites the present one.
func (f *fileModel) title(r *rapid.T) {
	text := slot(rapid.StringMatching("[a-z]{1,9}").Draw(r, "title"))
	if !strings.Contains(f.lines[0], `"pad"`) {
		f.lines = append([]string{text}, f.lines...)
		f.rewrite(r)
		return
	}
	f.lines[0] = text
	if f.gone {
		return
	}
	file, err := os.OpenFile(f.path, os.O_WRONLY, 0)
	if err == nil {
		_, err = file.WriteAt([]byte(text), 0)
		err = errors.Join(err, file.Close())
	}
	f.broken = errors.Join(f.broken, err)
}

func TestSession_ConcurrentUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	write(t, path, header, user("u0", "", "zero"))
	var told atomic.Int64
	lib := libraryWith(t, store.Config{Roots: []string{filepath.Dir(path)}, OnChange: func(s *store.Session, c store.Change) {
		told.Add(int64(c.Entries))
		_ = s.Key() + s.Path() // neither takes a lock
		s.ReadTree(func(*session.Tree, store.Revision) {})
	}})
	s, err := lib.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	const entries = 200
	running, done := context.WithCancel(ctx)
	var g sync.WaitGroup
	for range 3 {
		g.Go(func() {
			for running.Err() == nil {
				if _, err := s.Refresh(ctx); err != nil {
					t.Error(err)
				}
			}
		})
		g.Go(func() {
			for running.Err() == nil {
				useAll(t, s)
			}
		})
	}
	for n := range entries {
		add(t, path, user(fmt.Sprintf("u%d", n+1), fmt.Sprintf("u%d", n), "more"))
		if _, err := lib.Open(ctx, path); err != nil {
			t.Error(err)
		}
	}
	done()
	g.Wait()
	refresh(t, s, store.Unchanged)
	if n := strings.Count(ids(s), " "); n != entries {
		t.Errorf("%d entries after %d were added", n, entries)
	}
	if told.Load() != entries {
		t.Errorf("%d new entries were told of, %d added", told.Load(), entries)
	}
}

// useAll reads everything from a session and checks that it is consistent.
func useAll(t *testing.T, s *store.Session) {
	s.ReadTree(func(tree *session.Tree, rev store.Revision) {
		last := tree.At(tree.Leaf())
		end := last.Span.Off + int64(last.Span.Len) + 1
		if rest := bytesBetween(t, s.Path(), end, rev.N); bytes.ContainsRune(rest, '\n') {
			t.Errorf("the last line ends at %d, the revision says %d: %q is missing", end, rev.N, rest)
		}
		_ = s.Key() + s.Format().Name
		_, _ = s.ModTime(), s.FileError()
	})
	rev := revision(s)
	p, ok := s.FirstEntrySince(rev)
	if !ok || p < 1 {
		t.Errorf("Since(%v) = %d, %v", rev, p, ok)
	}
	if _, err := s.ReadBody(ctx, p-1); err != nil {
		t.Error(err)
	}
	if hits, err := s.Search(ctx, "zero"); err != nil || len(hits) != 1 {
		t.Errorf("Search = %v, %v", hits, err)
	}
}

// bytesBetween returns the bytes of a file from one offset to another. A file system
// may show a part of a line while it is appended: the revision counts that part too.
func bytesBetween(t *testing.T, path string, from, to int64) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil || from > to || to > int64(len(data)) {
		t.Errorf("bytes %d to %d of %d, %v", from, to, len(data), err)
		return nil
	}
	return data[from:to]
}

func TestOpen_OnceForAll(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	write(t, path, header, user("u1", "", strings.Repeat("x", 1<<20)))
	lib := library(t, filepath.Dir(path))
	got := make([]*store.Session, 16)
	var g sync.WaitGroup
	for i := range got {
		g.Go(func() {
			var err error
			if got[i], err = lib.Open(ctx, path); err != nil {
				t.Error(err)
			}
		})
	}
	g.Wait()
	for _, s := range got {
		if s != got[0] {
			t.Fatal("a session was opened twice")
		}
	}
}

func TestOpen_KeepsWhatFitsAndWhatIsHeld(t *testing.T) {
	dir := t.TempDir()
	lib := libraryWith(t, store.Config{Roots: []string{dir}, Memory: 1})
	open := func(name string) *store.Session {
		path := filepath.Join(dir, name)
		write(t, path, header, user("u1", "", name))
		s, err := lib.Open(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	held := open("held.jsonl")
	for n := range 50 {
		open(fmt.Sprintf("%d.jsonl", n))
	}
	runtime.GC()
	if s, ok := lib.FindOpen(held.Path()); !ok || s != held {
		t.Error("a session that is held was closed")
	}
	if _, ok := lib.FindOpen(filepath.Join(dir, "48.jsonl")); ok {
		t.Error("a session that nobody holds stays open beyond the bound")
	}
	runtime.KeepAlive(held)
}

func TestRev(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		rev := store.Revision{Epoch: rapid.Uint64().Draw(r, "epoch"), N: rapid.Int64Min(0).Draw(r, "n")}
		if got, err := store.ParseRevision(rev.String()); err != nil || got != rev {
			t.Errorf("ParseRev(%q) = %v, %v", rev, got, err)
		}
	})
	for _, bad := range []string{"", ".", "1", "1.", ".1", "1.-1", "-1.1", "1.1.1", "x y.1", "zzzzzzzzzzzzzzzzz.1"} {
		if rev, err := store.ParseRevision(bad); !errors.Is(err, session.ErrInvalid) {
			t.Errorf("ParseRev(%q) = %v, %v", bad, rev, err)
		}
	}
}
