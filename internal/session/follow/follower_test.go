package follow

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/share"
	"sessiontree/internal/session/store"
)

// A changed path becomes an event of the open session, then one of the list.
func TestFollower_Append(t *testing.T) {
	p := newProject(t)
	p.create("one")
	sess := p.open("one")
	before := p.ListRevision()
	p.add("one", "e2", "more")
	p.PathChanged(p.path("one"))
	e := p.next(SessionTopic(sess.Key()))
	if e.Kind != Appended || e.Entries != 1 || e.Leaf != "e2" {
		t.Errorf("event = %+v, want one entry appended, leaf e2", e)
	}
	listed := false
	for !listed { // the list follows
		e := p.next(ListTopic)
		sum, _ := p.catalog.FindByKey(sess.Key())
		listed = sum.Entries == 2 && e.Rev.Epoch == before.Epoch && e.Rev.N > before.N
	}
	p.write(p.path("one"), `{"type":"label","id":"e3","parentId":"e2","timestamp":"2026-02-03T09:00:02.000Z","targetId":"e1","label":"here"}`, 0)
	p.PathChanged(p.path("one"))
	if e := p.next(SessionTopic(sess.Key())); e.Kind != Labeled {
		t.Errorf("event = %+v, want a label", e)
	}
	if err := os.Remove(p.path("one")); err != nil {
		t.Fatal(err)
	}
	p.PathChanged(p.path("one"))
	if e := p.next(SessionTopic(sess.Key())); e.Kind != Removed {
		t.Errorf("event = %+v, want removed", e)
	}
}

// Who shows an older revision gets the event that leads to the current one.
func TestStateSince(t *testing.T) {
	p := newProject(t)
	p.create("one")
	sess := p.open("one")
	first, _ := StateSince(sess, "t", "")
	if e, news := StateSince(sess, "t", first.Rev.String()); news {
		t.Errorf("%+v is news to who shows it", e)
	}
	p.add("one", "e2", "more")
	p.RefreshPath(p.path("one"))
	for rev, want := range map[string]Event{
		first.Rev.String(): {Topic: "t", Kind: Appended, Leaf: "e2", Entries: 1},
		"":                 {Topic: "t", Kind: Rewritten, Leaf: "e2"},
		store.Revision{Epoch: first.Rev.Epoch + 1, N: first.Rev.N}.String(): {Topic: "t", Kind: Rewritten, Leaf: "e2"},
	} {
		e, news := StateSince(sess, "t", rev)
		e.Rev = store.Revision{}
		if !news || e != want {
			t.Errorf("since %q: %+v, %v; want %+v", rev, e, news, want)
		}
	}
	if err := os.Remove(p.path("one")); err != nil {
		t.Fatal(err)
	}
	p.RefreshPath(p.path("one"))
	for rev, want := range map[string]Kind{sess.Revision().String(): Removed, first.Rev.String(): Rewritten, "": Rewritten} {
		if e, news := StateSince(sess, "t", rev); !news || e.Kind != want {
			t.Errorf("since %q, without the file: %+v, %v; want kind %d", rev, e, news, want)
		}
	}
}

func TestListSince(t *testing.T) {
	p := newProject(t)
	now := p.ListRevision()
	if e, news := p.ListSince(now.String()); news {
		t.Errorf("%+v is news to who shows it", e)
	}
	if e, news := p.ListSince(""); !news || e.Kind != Rewritten {
		t.Errorf("%+v, %v; want everything", e, news)
	}
	p.ListChanged()
	if e, news := p.ListSince(now.String()); !news || e.Kind != Appended || e.Rev == now {
		t.Errorf("%+v, %v; want a later list", e, news)
	}
}

// A session whose file was moved is found at its new key, and is followed under both.
func TestOpenSession_Moved(t *testing.T) {
	p := newProject(t)
	p.create("one")
	former := p.open("one").Key()
	p.write(p.path("other"), "", os.O_CREATE)
	if err := os.Rename(p.path("one"), p.path("other")); err != nil {
		t.Fatal(err)
	}
	p.catalog.UpdatePaths(t.Context(), p.dir)
	_, err := p.OpenSession(t.Context(), former, p.FindDeadline())
	var moved *MovedError
	if !errors.As(err, &moved) || moved.Key == former {
		t.Fatalf("error %v, want a new key", err)
	}
	sess, err := p.OpenMovedSession(t.Context(), former, moved, p.FindDeadline())
	if err != nil {
		t.Fatal(err)
	}
	p.write(p.path("other"), `{"type":"message","id":"e2","parentId":"e1","timestamp":"2026-02-03T09:00:03.000Z","message":{"role":"user","content":"on"}}`, 0)
	p.PathChanged(p.path("other"))
	for e := p.next(SessionTopic(former)); e.Leaf != "e2"; { // after that of the list
		e = p.next(SessionTopic(former))
	}
	if sess.Key() != moved.Key {
		t.Errorf("opened %s, want %s", sess.Key(), moved.Key)
	}
}

// An unknown key is waited for while the list is not complete.
func TestOpenSession_Unknown(t *testing.T) {
	p := newProject(t)
	if _, err := p.OpenSession(t.Context(), "none", time.Now().Add(time.Millisecond)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("before the list is complete: %v, want a timeout", err)
	}
	if err := p.catalog.Fill(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := p.OpenSession(t.Context(), "none", p.FindDeadline()); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("with the complete list: %v, want not found", err)
	}
}

// A session that was created just now is found before its file is reported.
func TestOpenSession_New(t *testing.T) {
	p := newProject(t)
	if err := p.catalog.Fill(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.create("new")
	sess, err := p.OpenSession(t.Context(), p.key("new"), p.FindDeadline())
	if err != nil || sess.Path() != p.path("new") {
		t.Errorf("opened %v, %v", sess, err)
	}
}

type waiter chan *store.Session

func (w waiter) SessionFound(_ string, sess *store.Session) { w <- sess }

// Who awaits a session gets it as soon as it appears, then its event.
func TestAwaitSession(t *testing.T) {
	p := newProject(t)
	found, left := make(waiter, 1), make(waiter, 1)
	p.AwaitSession(p.key("late"), found)
	p.AwaitSession(p.key("late"), left)
	p.StopAwaiting(p.key("late"), left)
	p.create("late")
	p.PathChanged(p.path("late"))
	if e := p.next(SessionTopic(p.key("late"))); e.Kind != Rewritten || e.Leaf != "e1" {
		t.Errorf("event = %+v, want everything at e1", e)
	}
	if sess := <-found; sess.Path() != p.path("late") {
		t.Errorf("found %s", sess.Path())
	}
	if len(left) != 0 || len(p.awaited.keys()) != 0 {
		t.Errorf("%d found after leaving, %d awaited; want none", len(left), len(p.awaited.keys()))
	}
}

// A live share gets new entries without a server, and is ended if it cannot follow.
func TestLiveShares(t *testing.T) {
	p := newProject(t)
	p.create("one")
	made := p.share(p.open("one"))
	snapshot := func() share.Share {
		for _, sh := range p.shared.List() {
			if sh.ID == made.ID {
				return sh
			}
		}
		t.Fatal("the share is gone")
		return share.Share{}
	}
	for p.next(SharesTopic); !p.shares.isHolding(p.path("one")); {
		p.CheckShares()
		p.next(SharesTopic)
	}
	p.add("one", "e2", "more")
	p.PathChanged(p.path("one"))
	for late := time.Now().Add(time.Minute); snapshot().SessionEntries != 2; time.Sleep(time.Millisecond) {
		if time.Now().After(late) {
			t.Fatalf("the snapshot: %+v", snapshot())
		}
	}
	text := `{"type":"session","version":3,"id":"another","timestamp":"2026-02-03T09:00:00.000Z","cwd":"/x"}` + "\n"
	if err := os.WriteFile(filepath.Clean(p.path("one")), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p.PathChanged(p.path("one"))
	for snapshot().StateAt(time.Now()) == share.Open {
		p.next(SharesTopic)
	}
}

// Nothing is started or refreshed after Close.
func TestFollower_Close(t *testing.T) {
	p := newProject(t)
	p.create("one")
	sess := p.open("one")
	p.Close()
	p.add("one", "e2", "more")
	p.PathChanged(p.path("one"))
	entries := 0
	sess.ReadTree(func(tr *session.Tree, _ store.Revision) { entries = tr.Len() })
	if entries != 1 {
		t.Errorf("%d entries after Close, want 1", entries)
	}
}
