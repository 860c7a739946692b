package store_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// value returns a session file that is one JSON value.
func value(texts ...string) string {
	var messages []string
	for _, text := range texts {
		messages = append(messages, fmt.Sprintf(`{"role":"user","blocks":[{"type":"text","content":%q}]}`, text))
	}
	return `{"id":"session_1","version":"1.0.0","messages":[` + strings.Join(messages, ",\n") + `],"metadata":{"workdir":"/home/dev/p","startedAt":"2025-10-01T08:00:00.000Z"}}`
}

// single opens a file that is a root itself.
func single(t *testing.T, path string) *store.Session {
	t.Helper()
	return openSession(t, libraryWith(t, store.Config{Roots: []string{path}, StateDir: filepath.Join(filepath.Dir(path), "state")}), path)
}

func TestWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "session_1.json")
	write(t, path, value("one", "two", "three"))
	s := single(t, path)
	h := session.Header{}
	s.ReadTree(func(tree *session.Tree, _ store.Revision) { h = tree.Header() })
	if h.ID != "session_1" || h.Cwd != "/home/dev/p" || h.Time != 1759305600000 || shape(s) != "L1<\nL2<L1\nL3<L2\n" {
		t.Errorf("%+v\n%s", h, shape(s))
	}
	for p, want := range []string{"one", "two", "three"} {
		b, err := s.ReadBody(ctx, session.Pos(p))
		raw, rawErr := s.ReadRawLine(ctx, session.Pos(p))
		if err != nil || rawErr != nil || b.Blocks[0].Text != want || !strings.HasPrefix(string(raw), `{"role"`) || !strings.HasSuffix(string(raw), "}") {
			t.Errorf("%d: %+v, %s, %v, %v", p, b, raw, err, rawErr)
		}
	}
	if _, err := s.ReadNoteLine(ctx, session.Note{Line: 1}); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("a line of a file without lines: %v", err)
	}

	apply(t, s, setLabel("L2", "kept"))
	write(t, path, value("one", "two", "three", "four"))
	c, err := s.Refresh(ctx)
	if err != nil || c.Kind != store.Rewritten || c.Leaf != "L4" || labelOf(s, "L2") != "kept" {
		t.Errorf("%+v, %v, label %q", c, err, labelOf(s, "L2"))
	}
	refused(t, s, session.Change{Op: session.OpBranch, Entry: "L1"}, store.Precondition{}, session.ErrConflict)
	if _, err := s.Fork(ctx, "L2", ""); err == nil {
		t.Error("it was forked")
	}
	if can := s.Capabilities(); can.Export.IsPossible() || !strings.Contains(can.Export.Reason, "export Markdown") {
		t.Errorf("%+v", can.Export)
	}
}

// A half-written file is unreadable for the moment; its entries remain.
func TestWholeValue_halfWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "session_1.json")
	text := value("one", "two")
	write(t, path, text)
	s := single(t, path)
	write(t, path, text[:len(text)-30])
	if c, _ := s.Refresh(ctx); c.Kind != store.Removed || !strings.Contains(fmt.Sprint(s.FileError()), "one value") || shape(s) != "L1<\nL2<L1\n" {
		t.Errorf("%+v, %v\n%s", c, s.FileError(), shape(s))
	}
	write(t, path, value("one", "2", "3"))
	if c, _ := s.Refresh(ctx); c.Kind != store.Rewritten || s.FileError() != nil || shape(s) != "L1<\nL2<L1\nL3<L2\n" {
		t.Errorf("%+v, %v\n%s", c, s.FileError(), shape(s))
	}
}

// A file with a record that is not a message has a note about it, both in a summary and
// in the session.
func TestWholeValue_survey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "session_1.json")
	write(t, path, strings.Replace(value("one", "two"), `,`+"\n", `, 7, `, 1))
	lib := libraryWith(t, store.Config{Roots: []string{path}})
	sv, err := lib.SummarizeFile(ctx, path, lib.NewOwnerFinder())
	if err != nil || sv.Tree.Len() != 2 || sv.Prompt != "one" || len(sv.Tree.Notes()) != 1 || sv.Tree.Notes()[0].Code != session.NoteBadLine {
		t.Fatalf("%+v, %v", sv, err)
	}
	if _, ok, err := lib.ReadAdded(ctx, path, sv.Checkpoint); !ok || err != nil {
		t.Errorf("nothing was added: %v, %v", ok, err)
	}
	write(t, path, value("one", "two", "three"))
	if _, ok, err := lib.ReadAdded(ctx, path, sv.Checkpoint); ok || err != nil {
		t.Errorf("it was added to: %v, %v", ok, err)
	}
}
