package store_test

import (
	"cmp"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
)

// projects returns the available directories of Claude Code sessions: the project's
// own, and the collected ones if they are next to the clone.
func projects(t *testing.T) (dirs []string) {
	for _, pattern := range []string{"../../../testdata/claude/project", "../../../../shared/corpus/claude/*", "../../../../shared/corpus/claude-2.1.330/*"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range found {
			if info, err := os.Stat(dir); err == nil && info.IsDir() {
				abs, err := filepath.Abs(dir)
				if err == nil {
					abs, err = filepath.EvalSymlinks(abs) // the shared files may be linked
				}
				if err != nil {
					t.Fatal(err)
				}
				dirs = append(dirs, abs)
			}
		}
	}
	return dirs
}

// Every line of every file is an entry, a copy of one, or the subject of a note, and
// can be read by its number.
func TestClaude_EveryLineIsReached(t *testing.T) {
	for _, dir := range projects(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			lib := libraryWith(t, store.Config{Formats: format.All, Roots: []string{dir}})
			whole, err := lib.OpenDir(ctx, dir)
			if err != nil {
				t.Fatal(err)
			}
			files := account(t, whole)
			if err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
				if err != nil || e.IsDir() || filepath.Ext(path) != ".jsonl" {
					return err
				}
				if !slices.Contains(files, path) {
					t.Errorf("%s is not read", path)
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			sessions, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range sessions {
				if info, err := os.Stat(path); err != nil || info.Size() == 0 || strings.HasPrefix(filepath.Base(path), "agent-") {
					continue
				}
				s, err := lib.Open(ctx, path)
				if err != nil {
					t.Error(err)
					continue
				}
				account(t, s)
			}
		})
	}
}

// account checks all lines of a session's files, and that all entries can be reached
// from the roots. It returns the files.
func account(t *testing.T, s *store.Session) []string {
	t.Helper()
	files := s.Files()
	type at struct{ file, line int }
	entries, notes, known := map[at]bool{}, map[at]string{}, map[string]bool{}
	reached, all := 0, 0
	s.ReadTree(func(tree *session.Tree, _ store.Revision) {
		all = tree.Len()
		for p := range session.Pos(tree.Len()) {
			e := tree.At(p)
			entries[at{int(e.Span.File), int(e.Span.Line)}] = true
			known[e.ID[strings.LastIndex(e.ID, ":")+1:]] = true // without the name of an agent
		}
		for todo := slices.Clone(tree.Roots()); len(todo) > 0; reached++ {
			p := todo[len(todo)-1]
			todo = append(todo[:len(todo)-1], tree.Children(p)...)
		}
	})
	if reached != all {
		t.Errorf("%d of %d entries are reached from the roots", reached, all)
	}
	for _, n := range s.Notes() {
		notes[at{n.File, n.Line}] = n.Code
	}
	var asEntry, asCopy, asNote, asHeader int
	for k, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
			if strings.TrimSpace(line) == "" {
				continue
			}
			here := at{k, i + 1}
			var l struct{ UUID, ID, Type string }
			err := json.Unmarshal([]byte(line), &l)
			switch {
			case l.Type == "session", l.Type == "title" && i == 0, l.Type == "metadata":
				asHeader++
			case entries[here]:
				asEntry++
			case err == nil && known[cmp.Or(l.UUID, l.ID)]:
				asCopy++
			case notes[here] == session.NoteBadLine, notes[here] == session.NoteTornLine:
				asNote++
			default:
				t.Errorf("%s:%d is nowhere", path, i+1)
			}
			if got, err := s.ReadNoteLine(ctx, session.Note{File: k, Line: i + 1}); err != nil || strings.TrimSpace(string(got)) != strings.TrimSpace(line) {
				t.Errorf("%s:%d: Line = %.80q, %v", path, i+1, got, err)
			}
		}
	}
	if asEntry != all {
		t.Errorf("%d entries of %d lines", all, asEntry)
	}
	t.Logf("%d lines: %d entries, %d copies, %d with a note, %d headers; %d notes", asEntry+asCopy+asNote+asHeader, asEntry, asCopy, asNote, asHeader, len(s.Notes()))
	return files
}
