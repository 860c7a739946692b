package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"sessiontree/internal/sampletest"
	"sessiontree/internal/session"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
)

func TestMain(m *testing.M) {
	child()
	// Rapid has 100 checks of each property, and with -short a fifth.
	if err := flag.Set("rapid.checks", strconv.Itoa(sampletest.Rounds(100))); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("sessiontree/internal/syscallfault.(*Calls).answer"))
}

var ctx = context.Background()

const header = `{"type":"session","version":3,"id":"s1","timestamp":"2026-01-02T03:04:05.000Z","cwd":"/home/dev/p"}` + "\n"

// user returns a recorded prompt. parent "" means null.
func user(id, parent, text string) string { return message(id, parent, "user", text) }

func message(id, parent, role, text string) string {
	quoted, _ := json.Marshal(text)
	return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%s,"timestamp":"2026-01-02T03:04:06.000Z","message":{"role":%q,"content":[{"type":"text","text":%s}],"timestamp":1767323046000}}`+"\n",
		id, parentOf(parent), role, quoted)
}

func label(id, parent, target, text string) string {
	return fmt.Sprintf(`{"type":"label","id":%q,"parentId":%s,"timestamp":"2026-01-02T03:04:07.000Z","targetId":%q,"label":%q}`+"\n", id, parentOf(parent), target, text)
}

func parentOf(id string) string {
	if id == "" {
		return "null"
	}
	return fmt.Sprintf("%q", id)
}

// write writes a file in place.
func write(t testing.TB, path string, parts ...string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Join(parts, "")), 0o644); err != nil {
		t.Fatal(err)
	}
}

// add appends to a file as an agent does: open, write, close.
func add(t testing.TB, path string, parts ...string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString(strings.Join(parts, ""))
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

func library(t testing.TB, roots ...string) *store.Library {
	t.Helper()
	return libraryWith(t, store.Config{Roots: roots})
}

func libraryWith(t testing.TB, c store.Config) *store.Library {
	t.Helper()
	c.Formats = format.All
	lib, err := store.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

// open opens a path in a library of its directory.
func open(t testing.TB, path string) *store.Session {
	t.Helper()
	s, err := library(t, filepath.Dir(path)).Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ids returns the ids of a session's entries in file order.
func ids(s *store.Session) string {
	var out []string
	s.ReadTree(func(tree *session.Tree, _ store.Revision) {
		for p := range tree.Len() {
			out = append(out, tree.At(session.Pos(p)).ID)
		}
	})
	return strings.Join(out, " ")
}

// pos returns the position of an entry by its id.
func pos(t testing.TB, s *store.Session, id string) (p session.Pos) {
	t.Helper()
	s.ReadTree(func(tree *session.Tree, _ store.Revision) { p = tree.FindID(id) })
	if p == session.NoPos {
		t.Fatalf("no entry %s", id)
	}
	return p
}

func revision(s *store.Session) (rev store.Revision) {
	s.ReadTree(func(_ *session.Tree, r store.Revision) { rev = r })
	return rev
}

// refresh refreshes a session and checks the kind of change.
func refresh(t testing.TB, s *store.Session, kind store.ChangeKind) store.Change {
	t.Helper()
	c, err := s.Refresh(ctx)
	if err != nil {
		t.Fatalf("Refresh: %v", err)
	}
	if c.Kind != kind {
		t.Fatalf("Refresh: kind %d, want %d (%+v)", c.Kind, kind, c)
	}
	if c.Rev != revision(s) {
		t.Fatalf("Refresh: rev %v, but the session is at %v", c.Rev, revision(s))
	}
	return c
}

func wantIDs(t testing.TB, s *store.Session, want string) {
	t.Helper()
	if got := ids(s); got != want {
		t.Fatalf("entries %q, want %q", got, want)
	}
}

// torn reports whether there is a note about an unfinished last line.
func torn(s *store.Session) bool {
	for _, n := range s.Notes() {
		if n.Code == session.NoteTornLine {
			return true
		}
	}
	return false
}

func contextCancelled() (context.Context, context.CancelFunc) {
	c, cancel := context.WithCancel(ctx)
	cancel()
	return c, cancel
}
