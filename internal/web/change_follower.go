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
// minLibraryInterval passes, and restPerWork times as long as the last one took, up to
// maxLibraryInterval: what is expensive happens seldom, but the list is never long behind.
// The first of a burst goes through at once.
const (
	minLibraryInterval = 20 * time.Millisecond
	restPerWork        = 4
	maxLibraryInterval = 500 * time.Millisecond
)

// changeFollower turns "this path changed" into notices. A session that is open is
// refreshed at once; the catalog, which is more work and less urgent, afterwards.
type changeFollower struct {
	s *Server

	refreshes coalescer // paths being refreshed

	mu           sync.Mutex
	changedPaths map[string]struct{}

	catalogDue    chan struct{} // holds a token while touched is not empty
	listNoticeDue chan struct{} // holds a token while the list has changed
}

func newChangeFollower(s *Server) *changeFollower {
	return &changeFollower{
		s:             s,
		changedPaths:  map[string]struct{}{},
		catalogDue:    make(chan struct{}, 1),
		listNoticeDue: make(chan struct{}, 1),
	}
}

// PathChanged takes in that a file or directory changed. It does not block: the work
// is done by a goroutine of the path, one at a time.
func (s *Server) PathChanged(path string) { s.follower.queueRefresh(path) }

// Rescan takes in what changed anywhere without having been reported by Changed, such
// as before all directories were watched.
func (s *Server) Rescan(ctx context.Context) {
	for _, sess := range s.library.OpenSessions() {
		if _, err := sess.Refresh(ctx); err != nil { // the store tells SessionChanged
			s.log.Debug("refresh", "path", sess.Path(), "err", err)
		}
	}
	s.catalog.Rescan(ctx)
	trySignal(s.activity) // what it took is given back
}

// SessionChanged tells those who watch a session what the store found. It does
// not block.
func (s *Server) SessionChanged(sess *store.Session, c store.Change) {
	if c.Kind == store.Unchanged {
		return
	}
	n := sessionNotice(sess, c)
	s.publishNotice(n)
	s.shareUpdater.queueUpdate(sess)
	if c.Annotations {
		s.follower.queueCatalogPath(sess.Path()) // no file changed that is watched
	}
	// The file may have been moved, or another session written over it: whoever
	// reads it under an old key has to hear of it under that.
	for _, key := range s.opened.formerKeys(sess) {
		n.Topic, n.frame = topicSession+key, nil
		s.publishNotice(n)
	}
}

// SnapshotChanged tells those who read a share what came to it. It does not block.
func (s *Server) SnapshotChanged(snapshot *store.Session, c store.Change) {
	if c.Kind != store.Unchanged {
		s.publishNotice(sessionNotice(snapshot, c))
	}
}

func sessionNotice(sess *store.Session, c store.Change) notice {
	return notice{Topic: topicSession + sess.Key(), Rev: c.Rev, Kind: noticeKindOfChange(c), Leaf: c.Leaf, Entries: c.Entries}
}

// LibraryChanged takes in that the catalog's list changed. It does not block.
func (s *Server) LibraryChanged() {
	s.listRev.Add(1)
	s.listChanged.wakeAll()
	trySignal(s.follower.listNoticeDue)
	trySignal(s.pendingTopics.wake)
}

func trySignal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func (f *changeFollower) queueRefresh(path string) {
	f.refreshes.runCoalesced(path, &f.s.work, func() { f.refreshPath(path) })
}

// refreshPath takes in one path.
func (f *changeFollower) refreshPath(path string) {
	for _, sess := range f.s.library.SessionsWithFile(path) {
		if _, err := sess.RefreshPath(f.s.ctx, path); err != nil { // the store tells SessionChanged
			f.s.log.Debug("refresh", "path", path, "err", err)
		}
	}
	f.queueCatalogPath(path)
}

// queueCatalogPath has the catalog take in a path.
func (f *changeFollower) queueCatalogPath(path string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.changedPaths[path] = struct{}{}
	trySignal(f.catalogDue)
}

func noticeKindOfChange(c store.Change) noticeKind {
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

func (s *Server) publishNotice(n notice) {
	if err := s.hub.publishToTopic(n); err != nil {
		s.log.Error("notice lost", "topic", n.Topic, "err", err)
	}
}

// runCatalogUpdates keeps the catalog up to date with the paths that changed.
func (f *changeFollower) runCatalogUpdates(ctx context.Context) {
	runRateLimited(ctx, f.catalogDue, func() {
		f.mu.Lock()
		paths := f.changedPaths
		f.changedPaths = map[string]struct{}{}
		f.mu.Unlock()
		f.s.catalog.UpdatePaths(ctx, slices.Collect(maps.Keys(paths))...)
	})
}

// runListNotices tells browsers that the list changed.
func (f *changeFollower) runListNotices(ctx context.Context) {
	runRateLimited(ctx, f.listNoticeDue, func() {
		f.s.publishNotice(notice{Topic: topicLibrary, Rev: f.s.listRevision()})
		f.s.publishMovedSessions()
	})
}

// publishMovedSessions tells those who read a session whose file was moved that it is not
// where it was: what they ask for next leads them to its new address.
func (s *Server) publishMovedSessions() {
	for _, key := range s.hub.followedSessions() {
		sum, ok := s.catalog.FindByKey(key)
		if !ok || sum.Key == key {
			continue
		}
		if sess := s.opened.sessionUnderKey(key); sess != nil {
			s.publishNotice(notice{Topic: topicSession + key, Rev: sessionRevision(sess), Kind: kindRemove})
		}
	}
}

// runRateLimited calls fn for every token in c, at once for the first of a burst and then no
// more often than libraryPace and restFactor allow.
func runRateLimited(ctx context.Context, c <-chan struct{}, fn func()) {
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
		t.Reset(restDuration(time.Since(began)))
	}
}

// restDuration returns how long to wait after a call that took a while.
func restDuration(took time.Duration) time.Duration {
	return min(max(minLibraryInterval, restPerWork*took), maxLibraryInterval)
}
