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
	"sessiontree/internal/session/store"
	"sessiontree/web/components"
)

// testConfig returns a Config that does not depend on the machine.
func testConfig() Config {
	return Config{
		Home: "/home/dev", Zone: time.UTC,
		FormatTitle: func(name string) string { return "the " + name },
		FormatGlyph: func(name string) string { return map[string]string{"pi": "π"}[name] },
	}
}

// readPage copies a page out of a session and reads its bodies.
func readPage(sess *store.Session, p Params, copyPage func(Scene) (*PathPage, error)) (pg *PathPage, bodies []session.Body, err error) {
	sess.ReadTree(func(tree *session.Tree, rev store.Revision) {
		var s Scene
		if s, err = NewScene(testConfig(), Audience{}, tree, p); err == nil {
			s.Key, s.Rev = sess.Key(), rev.String()
			pg, err = copyPage(s)
		}
	})
	if err == nil {
		bodies, err = sess.ReadBodies(context.Background(), pg.Positions())
	}
	return pg, bodies, err
}

// pathModel returns a page of the path of a session.
func pathModel(r *Renderer, sess *store.Session, p Params, q PathQuery) (components.PathModel, error) {
	pg, bodies, err := readPage(sess, p, func(s Scene) (*PathPage, error) { return CopyPathPage(s, q) })
	if err != nil {
		return components.PathModel{}, err
	}
	return r.PathModel(pg, bodies), nil
}

// entryModel returns an entry of a session.
func entryModel(r *Renderer, sess *store.Session, q EntryQuery) (components.EntryModel, error) {
	pg, bodies, err := readPage(sess, Params{}, func(s Scene) (*PathPage, error) { return CopyEntryPage(s, q.ID) })
	if err != nil {
		return components.EntryModel{}, err
	}
	return r.EntryModel(components.Page{}, pg, bodies, q)
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
		s, err := NewScene(testConfig(), Audience{}, tree, p)
		if err != nil {
			t.Errorf("NewScene(%+v): %v", p, err)
			return
		}
		s.Key, s.Rev, s.Outline = sess.Key(), rev.String(), tree.Outline(s.View)
		fn(s)
	})
}
