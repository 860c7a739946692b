package web

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"sessiontree/internal/session/store"
)

// Catalog updates and list notices are rate limited. After each, the follower rests for
// restPerWork times its duration, but at least minLibraryInterval and at most
// maxLibraryInterval. The first of a burst is handled at once.
const (
	minLibraryInterval = 20 * time.Millisecond
	restPerWork        = 4
	maxLibraryInterval = 500 * time.Millisecond
)

// changeFollower turns changed paths into notices. It refreshes an open session at once,
// and the catalog, which is slower and less urgent, afterwards.
type changeFollower struct {
	s *Server

	refreshes coalescer // by path

	mu           sync.Mutex
	changedPaths map[string]struct{}

	catalogDue    chan struct{} // holds a token while changedPaths is not empty
	listNoticeDue chan struct{} // holds a token while a list notice is due
}

func newChangeFollower(s *Server) *changeFollower {
	return &changeFollower{
		s:             s,
		changedPaths:  map[string]struct{}{},
		catalogDue:    make(chan struct{}, 1),
		listNoticeDue: make(chan struct{}, 1),
	}
}

// PathChanged handles a change of a file or directory. It does not block: one goroutine per
// path does the work.
func (s *Server) PathChanged(path string) { s.follower.queueRefresh(path) }

// Rescan finds changes that PathChanged did not report, such as those before all
// directories were watched.
func (s *Server) Rescan(ctx context.Context) {
	for _, sess := range s.library.OpenSessions() {
		if _, err := sess.Refresh(ctx); err != nil { // the store calls SessionChanged
			s.log.Debug("refresh", "path", sess.Path(), "err", err)
		}
	}
	s.catalog.Rescan(ctx)
	trySignal(s.activity) // release the memory it used
}

// SessionChanged notifies the viewers of a session of a change that the store found. It
// does not block.
func (s *Server) SessionChanged(sess *store.Session, c store.Change) {
	if c.Kind == store.Unchanged {
		return
	}
	n := sessionNotice(sess, c)
	s.publishNotice(n)
	s.shareUpdater.queueUpdate(sess)
	if c.Annotations {
		s.follower.queueCatalogPath(sess.Path()) // no watched file changed
	}
	// The file may have been moved or overwritten by another session. Clients that read it
	// under an old key follow the topic of that key.
	for _, key := range s.opened.formerKeys(sess) {
		n.Topic, n.frame = topicSession+key, nil
		s.publishNotice(n)
	}
}

// SnapshotChanged notifies the viewers of a share. It does not block.
func (s *Server) SnapshotChanged(snapshot *store.Session, c store.Change) {
	if c.Kind != store.Unchanged {
		s.publishNotice(sessionNotice(snapshot, c))
	}
}

func sessionNotice(sess *store.Session, c store.Change) notice {
	return notice{Topic: topicSession + sess.Key(), Rev: c.Rev, Kind: noticeKindOfChange(c), Leaf: c.Leaf, Entries: c.Entries}
}

// LibraryChanged handles a change of the catalog's list. It does not block.
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

// refreshPath refreshes the sessions that a path belongs to.
func (f *changeFollower) refreshPath(path string) {
	for _, sess := range f.s.library.SessionsWithFile(path) {
		if _, err := sess.RefreshPath(f.s.ctx, path); err != nil { // the store calls SessionChanged
			f.s.log.Debug("refresh", "path", path, "err", err)
		}
	}
	f.queueCatalogPath(path)
}

// queueCatalogPath queues a path for the next catalog update.
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

// runCatalogUpdates updates the catalog with changed paths.
func (f *changeFollower) runCatalogUpdates(ctx context.Context) {
	runRateLimited(ctx, f.catalogDue, func() {
		f.mu.Lock()
		paths := f.changedPaths
		f.changedPaths = map[string]struct{}{}
		f.mu.Unlock()
		f.s.catalog.UpdatePaths(ctx, slices.Collect(maps.Keys(paths))...)
	})
}

// runListNotices notifies browsers of changes of the list.
func (f *changeFollower) runListNotices(ctx context.Context) {
	runRateLimited(ctx, f.listNoticeDue, func() {
		f.s.publishNotice(notice{Topic: topicLibrary, Rev: f.s.listRevision()})
		f.s.publishMovedSessions()
	})
}

// publishMovedSessions notifies the viewers of sessions whose files were moved. Their next
// request is redirected to the new address.
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

// runRateLimited calls fn for every token in c: at once for the first of a burst, then
// after restDuration.
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

// restDuration returns how long to wait after a call of the given duration.
func restDuration(took time.Duration) time.Duration {
	return min(max(minLibraryInterval, restPerWork*took), maxLibraryInterval)
}
