package web

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"sessiontree/internal/session/store"
)

// Between two looks at the library, and between two notices about it, at least
// libraryPace passes, and restFactor times as long as the last one took, up to
// longestRest: what is expensive happens seldom, but the list is never long behind.
// The first of a burst goes through at once.
const (
	libraryPace = 20 * time.Millisecond
	restFactor  = 4
	longestRest = 500 * time.Millisecond
)

// follower turns "this path changed" into notices. A session that is open is
// refreshed at once; the catalog, which is more work and less urgent, afterwards.
type follower struct {
	s *Server

	turns turns // paths being refreshed

	mu      sync.Mutex
	touched map[string]struct{}

	touch  chan struct{} // holds a token while touched is not empty
	listed chan struct{} // holds a token while the list has changed
}

func newFollower(s *Server) *follower {
	return &follower{
		s:       s,
		touched: map[string]struct{}{},
		touch:   make(chan struct{}, 1),
		listed:  make(chan struct{}, 1),
	}
}

// Changed takes in that a file or directory changed. It does not block: the work
// is done by a goroutine of the path, one at a time.
func (s *Server) Changed(path string) { s.follow.changed(path) }

// Rescan takes in what changed anywhere without having been reported by Changed, such
// as before all directories were watched.
func (s *Server) Rescan(ctx context.Context) {
	for _, sess := range s.library.OpenSessions() {
		if _, err := sess.Refresh(ctx); err != nil { // the store tells SessionChanged
			s.log.Debug("refresh", "path", sess.Path(), "err", err)
		}
	}
	s.catalog.Rescan(ctx)
	signal(s.active) // what it took is given back
}

// SessionChanged tells those who watch a session what the store found. It does
// not block.
func (s *Server) SessionChanged(sess *store.Session, c store.Change) {
	if c.Kind == store.Unchanged {
		return
	}
	n := noticeOf(sess, c)
	s.announce(n)
	s.keeper.grew(sess)
	if c.Aside {
		s.follow.list(sess.Path()) // no file changed that is watched
	}
	// The file may have been moved, or another session written over it: whoever
	// reads it under an old key has to hear of it under that.
	for _, key := range s.seen.formerKeys(sess) {
		n.Topic, n.frame = topicSession+key, nil
		s.announce(n)
	}
}

// SnapshotChanged tells those who read a share what came to it. It does not block.
func (s *Server) SnapshotChanged(snapshot *store.Session, c store.Change) {
	if c.Kind != store.Unchanged {
		s.announce(noticeOf(snapshot, c))
	}
}

func noticeOf(sess *store.Session, c store.Change) notice {
	return notice{Topic: topicSession + sess.Key(), Rev: c.Rev, Kind: changeKind(c), Leaf: c.Leaf, Entries: c.Entries}
}

// LibraryChanged takes in that the catalog's list changed. It does not block.
func (s *Server) LibraryChanged() {
	s.listRev.Add(1)
	s.list.ring()
	signal(s.follow.listed)
	signal(s.awaited.due)
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func (f *follower) changed(path string) {
	f.turns.take(path, &f.s.work, func() { f.refresh(path) })
}

// refresh takes in one path.
func (f *follower) refresh(path string) {
	for _, sess := range f.s.library.Holding(path) {
		if _, err := sess.RefreshPath(f.s.ctx, path); err != nil { // the store tells SessionChanged
			f.s.log.Debug("refresh", "path", path, "err", err)
		}
	}
	f.list(path)
}

// list has the catalog take in a path.
func (f *follower) list(path string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.touched[path] = struct{}{}
	signal(f.touch)
}

func changeKind(c store.Change) noticeKind {
	switch {
	case c.Kind == store.Removed:
		return kindRemove
	case c.Kind == store.Rewritten:
		return kindRewrite
	case c.Labels:
		return kindLabel
	}
	return kindAppend
}

func (s *Server) announce(n notice) {
	if err := s.hub.publish(n); err != nil {
		s.log.Error("notice lost", "topic", n.Topic, "err", err)
	}
}

// runTouch keeps the catalog up to date with the paths that changed.
func (f *follower) runTouch(ctx context.Context) {
	pace(ctx, f.touch, func() {
		f.mu.Lock()
		paths := f.touched
		f.touched = map[string]struct{}{}
		f.mu.Unlock()
		f.s.catalog.Touch(ctx, slices.Collect(maps.Keys(paths))...)
	})
}

// runListed tells browsers that the list changed.
func (f *follower) runListed(ctx context.Context) {
	pace(ctx, f.listed, func() {
		f.s.announce(notice{Topic: topicLibrary, Rev: f.s.libraryRev()})
		f.s.announceMoved()
	})
}

// announceMoved tells those who read a session whose file was moved that it is not
// where it was: what they ask for next leads them to its new address.
func (s *Server) announceMoved() {
	for _, key := range s.hub.sessions() {
		sum, ok := s.catalog.Find(key)
		if !ok || sum.Key == key {
			continue
		}
		if sess := s.seen.under(key); sess != nil {
			s.announce(notice{Topic: topicSession + key, Rev: revisionOf(sess), Kind: kindRemove})
		}
	}
}

// pace calls fn for every token in c, at once for the first of a burst and then no
// more often than libraryPace and restFactor allow.
func pace(ctx context.Context, c <-chan struct{}, fn func()) {
	t := time.NewTimer(0)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		select {
		case <-ctx.Done():
			return
		case <-c:
		}
		began := time.Now()
		fn()
		t.Reset(restAfter(time.Since(began)))
	}
}

// restAfter returns how long to wait after a call that took a while.
func restAfter(took time.Duration) time.Duration {
	return min(max(libraryPace, restFactor*took), longestRest)
}
