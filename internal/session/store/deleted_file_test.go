package store_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/internal/testgen/random"
)

// realDir returns a directory by its canonical path.
func realDir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "sessions", "p")
}

// contents returns what all sessions of a library show: entries with their recorded lines,
// and notes.
func contents(t testing.TB, lib *store.Library, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	top := filepath.Dir(filepath.Dir(dir)) // exists
	for _, name := range walk(t, lib, top) {
		s, err := lib.Open(ctx, filepath.Join(top, name))
		if err != nil {
			all[name] = strings.ReplaceAll(err.Error(), "\n", " ")
			continue
		}
		all[name] = shownContent(t, s)
	}
	return all
}

func shownContent(t testing.TB, s *store.Session) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(described(s))
	n := 0
	s.ReadTree(func(tree *session.Tree, _ store.Revision) { n = tree.Len() })
	all := make([]session.Pos, n)
	for i := range all {
		all[i] = session.Pos(i)
	}
	err := s.ReadRawLines(ctx, all, func(_ int, line []byte) error {
		b.Write(append(line, '\n'))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, note := range s.Notes() {
		fmt.Fprintf(&b, "%+v\n", note)
	}
	return b.String()
}

// Sessions whose files were deleted have the entries, lines and notes that they had, whether
// they are open or opened then, and again once they are restored.
func TestDeletedFile_SameContent(t *testing.T) {
	for name, generate := range generators {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, seed := range random.Seeds(25) {
				testDeletedProject(t, generate(seed), seed%2 == 0)
				if t.Failed() {
					t.Fatalf("with SEED=%d", seed)
				}
			}
		})
	}
}

// testDeletedProject deletes the files of a project, or the whole root.
func testDeletedProject(t *testing.T, p *random.Project, wholeRoot bool) {
	t.Helper()
	dir := realDir(t)
	files := p.Files()
	writeFiles(t, dir, files, slices.Sorted(maps.Keys(files)))
	copies := mirrorOf(t, dir)
	config := store.Config{Roots: []string{dir}, Copies: copies}
	open := libraryWith(t, config)
	before := contents(t, open, dir)
	if wholeRoot {
		removeAll(t, filepath.Dir(dir))
	} else {
		for name := range files {
			if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
				t.Fatal(err)
			}
		}
	}
	wantContents(t, "opened after its file was deleted", contents(t, libraryWith(t, config), dir), before)
	wantContents(t, "open while its file was deleted", contents(t, open, dir), before)
	for _, s := range open.OpenSessions() {
		if !s.IsDeleted() {
			t.Errorf("%s: the session does not know that its file was deleted", s.Path())
		}
	}
	copyTree(t, copies.at(dir), dir)
	wantContents(t, "restored", contents(t, open, dir), before)
	for _, s := range open.OpenSessions() {
		if s.IsDeleted() {
			t.Errorf("%s: the session does not know that its file was restored", s.Path())
		}
	}
}

func removeAll(t testing.TB, dir string) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
}

func wantContents(t testing.TB, what string, now, before map[string]string) {
	t.Helper()
	for name := range before {
		if diff := diffLines(before[name], now[name]); diff != "" {
			t.Errorf("%s, %s (-before +now):\n%s", name, what, diff)
			return
		}
	}
	if len(now) != len(before) {
		t.Errorf("%s: %d sessions instead of %d", what, len(now), len(before))
	}
}

// A session learns of the deletion of its file by a change, and cannot be changed until the
// file is restored. A label is stored in the sidecar.
func TestDeletedFile_Changes(t *testing.T) {
	t.Parallel()
	dir := realDir(t)
	path := filepath.Join(dir, "a.jsonl")
	write(t, path, header, user("u1", "", "hello"), message("a1", "u1", "assistant", "hi"))
	copies := mirrorOf(t, dir)
	s := openSession(t, libraryWith(t, store.Config{Roots: []string{dir}, Copies: copies, StateDir: t.TempDir()}), path)
	before := s.Revision()
	remove(t, path)
	if c := refresh(t, s, store.Rewritten); c.Rev.Epoch == before.Epoch || !s.IsDeleted() || s.FileError() != nil {
		t.Errorf("after the deletion: %+v, deleted %v, %v", c, s.IsDeleted(), s.FileError())
	}
	refresh(t, s, store.Unchanged)

	const want = "The file was deleted. Restore it to change the session."
	refused := func(what string, err error) {
		t.Helper()
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err := s.ApplyChange(ctx, session.Change{Op: session.OpBranch, Entry: "u1"}, store.Precondition{})
	refused("branch", err)
	if !errors.Is(err, session.ErrReadOnly) {
		t.Errorf("branch: %v is not ErrReadOnly", err)
	}
	refused("end a line", s.EndTornLine(ctx))
	_, err = s.Fork(ctx, "a1", "")
	refused("fork", err)
	can := s.Capabilities()
	for _, a := range []session.Ability{can.Branch, can.Copy, can.Fork} {
		if a.Reason != want {
			t.Errorf("the reason is %q", a.Reason)
		}
	}
	w, err := s.ApplyChange(ctx, session.Change{Op: session.OpLabel, Entry: "u1", Text: "kept"}, store.Precondition{})
	if err != nil || !w.InSidecar {
		t.Errorf("label: %+v, %v", w, err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a change created the file")
	}

	copyTree(t, copies.at(dir), dir)
	refresh(t, s, store.Rewritten)
	if s.IsDeleted() || !strings.Contains(describe(s), "kept") {
		t.Errorf("after it was restored: deleted %v\n%s", s.IsDeleted(), describe(s))
	}
	apply(t, s, session.Change{Op: session.OpBranch, Entry: "u1"})
}

// A file that appears again with other content is read instead of its copy.
func TestDeletedFile_OtherContent(t *testing.T) {
	t.Parallel()
	dir := realDir(t)
	path := filepath.Join(dir, "a.jsonl")
	write(t, path, header, user("u1", "", "hello"))
	copies := mirrorOf(t, dir)
	lib := libraryWith(t, store.Config{Roots: []string{dir}, Copies: copies})
	s := openSession(t, lib, path)
	remove(t, path)
	refresh(t, s, store.Rewritten)
	write(t, path, header, user("u2", "", "anything else"))
	refresh(t, s, store.Rewritten)
	if ids(s) != "u2" || s.IsDeleted() {
		t.Errorf("the entries are %s, deleted %v", ids(s), s.IsDeleted())
	}
	remove(t, path)
	refresh(t, s, store.Rewritten)
	if ids(s) != "u1" || !s.IsDeleted() {
		t.Errorf("the entries of the copy are %s, deleted %v", ids(s), s.IsDeleted())
	}
	remove(t, copies.at(path))
	refresh(t, s, store.Removed)
}

// A single file that does not exist any more is opened by its path.
func TestDeletedFile_AsArgument(t *testing.T) {
	t.Parallel()
	dir := realDir(t)
	path := filepath.Join(dir, "sub", "a.jsonl")
	write(t, path, header, user("u1", "", "hello"))
	copies := mirrorOf(t, dir)
	removeAll(t, dir)
	s := openSession(t, libraryWith(t, store.Config{Roots: []string{path}, Copies: copies}), path)
	if s.Path() != path || ids(s) != "u1" || !s.IsDeleted() {
		t.Errorf("%s has the entries %s", s.Path(), ids(s))
	}
}
