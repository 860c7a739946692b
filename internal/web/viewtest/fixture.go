// Package viewtest opens sessions for tests of views and formats models as text.
package viewtest

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
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/path"
	"sessiontree/web/components"
)

// Config returns a Config that does not depend on the machine.
func Config() view.Config {
	return view.Config{
		Home: "/home/dev", Zone: time.UTC,
		FormatTitle: func(name string) string { return "the " + name },
	}
}

// readPage copies a page out of a session and reads its bodies.
func readPage(sess *store.Session, p view.Params, copyPage func(view.Scene) (*path.Page, error)) (pg *path.Page, bodies []session.Body, err error) {
	sess.ReadTree(func(tree *session.Tree, rev store.Revision) {
		var s view.Scene
		if s, err = view.NewScene(Config(), view.Audience{}, tree, p); err == nil {
			s.Key, s.Rev = sess.Key(), rev.String()
			pg, err = copyPage(s)
		}
	})
	if err == nil {
		bodies, err = sess.ReadBodies(context.Background(), pg.Positions())
	}
	return pg, bodies, err
}

// PathModel returns a page of the path of a session.
func PathModel(r *path.Renderer, sess *store.Session, p view.Params, q path.Query) (components.PathModel, error) {
	pg, bodies, err := readPage(sess, p, func(s view.Scene) (*path.Page, error) { return path.CopyPage(s, q) })
	if err != nil {
		return components.PathModel{}, err
	}
	return r.PathModel(pg, bodies), nil
}

// EntryModel returns an entry of a session.
func EntryModel(r *path.Renderer, sess *store.Session, q path.EntryQuery) (components.EntryModel, error) {
	pg, bodies, err := readPage(sess, view.Params{}, func(s view.Scene) (*path.Page, error) { return path.CopyEntryPage(s, q.ID) })
	if err != nil {
		return components.EntryModel{}, err
	}
	return r.EntryModel(components.Page{}, pg, bodies, q)
}

// Open writes a session file and opens it through the store.
func Open(t testing.TB, content string) *store.Session {
	t.Helper()
	return OpenFile(t, filepath.Join(t.TempDir(), "s.jsonl"), content)
}

// OpenFile opens a session file through the store. It first writes content, unless that is
// empty.
func OpenFile(t testing.TB, file, content string) *store.Session {
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

// Lines returns a header followed by the lines of a session.
func Lines(entries ...string) string {
	head := `{"type":"session","version":3,"id":"01964f3a-2b1c-7d4e-8f00-0123456789ab","timestamp":"2026-02-03T09:00:00.000Z","cwd":"/home/dev/proj"}`
	return head + "\n" + strings.Join(entries, "\n") + "\n"
}

// Look calls fn with the scene of a session for the parameters.
func Look(t testing.TB, sess *store.Session, p view.Params, fn func(view.Scene)) {
	t.Helper()
	sess.ReadTree(func(tree *session.Tree, rev store.Revision) {
		s, err := view.NewScene(Config(), view.Audience{}, tree, p)
		if err != nil {
			t.Errorf("NewScene(%+v): %v", p, err)
			return
		}
		s.Key, s.Rev, s.Outline = sess.Key(), rev.String(), outline.Build(tree, s.View)
		fn(s)
	})
}

// PathOf returns the model of a path and fails the test if there is none.
func PathOf(t testing.TB, sess *store.Session, p view.Params, q path.Query) components.PathModel {
	t.Helper()
	m, err := PathModel(path.NewRenderer(), sess, p, q)
	if err != nil {
		t.Fatalf("Path(%+v, %+v): %v", p, q, err)
	}
	return m
}

// WithoutKey formats items as text without the session's key.
func WithoutKey(items []components.Item, sess *store.Session) string {
	return strings.ReplaceAll(DumpItems(items), sess.Key(), "KEY")
}
