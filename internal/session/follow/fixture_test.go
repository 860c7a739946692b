package follow

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/share"
	"sessiontree/internal/session/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// project is a directory of sessions with a Follower. Tests report changed paths
// themselves.
type project struct {
	t   testing.TB
	dir string
	*Follower
	shared *share.Shares
	events chan Event // everything that is published
}

func newProject(t testing.TB) *project {
	t.Helper()
	p := newProjectUnstarted(t)
	p.Start()
	return p
}

// newProjectUnstarted returns a project whose Follower only refreshes sessions.
func newProjectUnstarted(t testing.TB) *project {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &project{t: t, dir: dir, events: make(chan Event, 1000)}
	lib, err := store.New(store.Config{
		Formats: format.All, Roots: []string{dir},
		OnChange: func(sess *store.Session, c store.Change) { p.SessionChanged(sess, c) },
	})
	if err != nil {
		t.Fatal(err)
	}
	cat := catalog.New(catalog.Config{Library: lib, OnChange: func() { p.ListChanged() }})
	p.shared, err = share.New(share.Config{
		Dir: filepath.Join(t.TempDir(), "shares"), Formats: format.All,
		Changed: func(sess *store.Session, c store.Change) { p.SnapshotChanged(sess, c) },
	})
	if err != nil {
		t.Fatal(err)
	}
	p.Follower = New(Config{Library: lib, Catalog: cat, Shares: p.shared})
	p.Subscribe(func(e Event) { p.events <- e })
	t.Cleanup(p.Close)
	return p
}

// path returns the path of the file of a session.
func (p *project) path(id string) string { return filepath.Join(p.dir, id+".jsonl") }

// create writes a session with one prompt.
func (p *project) create(id string) {
	p.t.Helper()
	p.write(p.path(id), fmt.Sprintf(`{"type":"session","version":3,"id":%q,"timestamp":"2026-02-03T09:00:00.000Z","cwd":"/home/dev/atlas"}`, id), os.O_CREATE|os.O_EXCL)
	p.add(id, "e1", "start")
}

// add appends a prompt below the start, as an agent does.
func (p *project) add(id, entry, text string) {
	p.t.Helper()
	parent := `"e1"`
	if entry == "e1" {
		parent = "null"
	}
	p.write(p.path(id), fmt.Sprintf(`{"type":"message","id":%q,"parentId":%s,"timestamp":"2026-02-03T09:00:01.000Z","message":{"role":"user","content":%q}}`, entry, parent, text), 0)
}

func (p *project) write(path, line string, flag int) {
	p.t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY|flag, 0o600)
	if err != nil {
		p.t.Fatal(err)
	}
	defer f.Close()
	if _, err := fmt.Fprintln(f, line); err != nil {
		p.t.Fatal(err)
	}
}

// open fills the list and opens a session by its key.
func (p *project) open(id string) *store.Session {
	p.t.Helper()
	if err := p.catalog.Fill(p.t.Context()); err != nil {
		p.t.Fatal(err)
	}
	sess, err := p.OpenSession(p.t.Context(), p.key(id), p.FindDeadline())
	if err != nil {
		p.t.Fatal(err)
	}
	return sess
}

func (p *project) key(id string) string { return store.DeriveKey("pi", id, p.path(id)) }

// next returns the next event of a topic.
func (p *project) next(topic string) Event {
	p.t.Helper()
	late := time.After(time.Minute)
	for {
		select {
		case e := <-p.events:
			if e.Topic == topic {
				return e
			}
		case <-late:
			p.t.Fatalf("no event of %s", topic)
		}
	}
}

// share shares a whole session live.
func (p *project) share(sess *store.Session) share.Share {
	p.t.Helper()
	_, made, err := p.shared.Create(p.t.Context(), share.Request{
		Session: sess, Live: true, Options: export.Options{Part: export.Part{Scope: export.Tree}, Kind: export.JSONL},
	})
	if err != nil {
		p.t.Fatal(err)
	}
	p.CheckShares()
	return made
}
