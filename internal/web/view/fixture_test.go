package view

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/session/store"
)

// later returns a time at which no file written by a test counts as live.
func later() time.Time { return time.Now().Add(time.Hour) }

// testBuilder returns a Builder that does not depend on the machine.
func testBuilder() *Builder {
	return New(Config{
		Home: "/home/dev", Zone: time.UTC,
		FormatTitle: func(name string) string { return "the " + name },
		FormatGlyph: func(name string) string { return map[string]string{"pi": "π"}[name] },
	})
}

// open writes a session file and opens it through the store.
func open(t testing.TB, content string) *store.Session {
	t.Helper()
	return openFile(t, filepath.Join(t.TempDir(), "s.jsonl"), content)
}

func openFile(t testing.TB, file, content string) *store.Session {
	t.Helper()
	if content != "" {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{filepath.Dir(file)}, Home: "/home/dev"})
	if err != nil {
		t.Fatal(err)
	}
	sess, err := lib.Open(context.Background(), file)
	if err != nil {
		t.Fatal(err)
	}
	return sess
}

// lines returns a header followed by the lines of a session.
func lines(entries ...string) string {
	head := `{"type":"session","version":3,"id":"01964f3a-2b1c-7d4e-8f00-0123456789ab","timestamp":"2026-02-03T09:00:00.000Z","cwd":"/home/dev/proj"}`
	return head + "\n" + strings.Join(entries, "\n") + "\n"
}

// look calls fn with the scene of a session for the parameters.
func look(t testing.TB, sess *store.Session, p Params, fn func(Scene)) {
	t.Helper()
	sess.ReadTree(func(tree *session.Tree, rev store.Revision) {
		v, err := ResolveView(tree, p)
		if err != nil {
			t.Errorf("Resolve(%+v): %v", p, err)
			return
		}
		fn(Scene{Key: sess.Key(), Rev: rev, Tree: tree, Outline: outline.Build(tree, v), Params: PinPath(tree, p, v), View: v})
	})
}
