package follow

import (
	"context"
	"maps"
	"slices"
	"sync"

	"sessiontree/internal/session/store"
)

// PathChanged handles a change of a file or directory. It does not block: one goroutine per
// path does the work.
func (f *Follower) PathChanged(path string) {
	f.refreshes.runCoalesced(path, func() { f.RefreshPath(path) })
}

// Rescan finds changes that PathChanged did not report, such as those before all
// directories were watched.
func (f *Follower) Rescan(ctx context.Context) {
	for _, sess := range f.library.OpenSessions() {
		if _, err := sess.Refresh(ctx); err != nil { // the store calls SessionChanged
			f.log.Debug("refresh", "path", sess.Path(), "err", err)
		}
	}
	f.catalog.Rescan(ctx)
}

// SessionChanged handles a change that the store found in a session. It does not block.
func (f *Follower) SessionChanged(sess *store.Session, c store.Change) {
	if c.Kind == store.Unchanged {
		return
	}
	e := sessionEvent(sess, c)
	f.publishEvent(e)
	if f.shares != nil {
		f.shares.queueUpdate(sess)
	}
	if c.Annotations {
		f.queueCatalogPath(sess.Path(), f.catalogDue) // no watched file changed
	}
	// The file may have been moved or overwritten by another session. Clients that read it
	// under an old key follow the topic of that key.
	for _, key := range f.opened.formerKeys(sess) {
		e.Topic = SessionTopic(key)
		f.publishEvent(e)
	}
}

// SnapshotChanged handles a change of the snapshot of a share. It does not block.
func (f *Follower) SnapshotChanged(snapshot *store.Session, c store.Change) {
	if c.Kind != store.Unchanged {
		f.publishEvent(sessionEvent(snapshot, c))
	}
}

// ListChanged handles a change of the catalog's list. It does not block.
func (f *Follower) ListChanged() {
	f.listRev.Add(1)
	f.listChanged.wakeAll()
	trySignal(f.listNoticeDue)
	trySignal(f.awaited.wake)
}

// RefreshPath refreshes the sessions that a path belongs to and queues the path for the
// catalog. PathChanged does the same without blocking.
func (f *Follower) RefreshPath(path string) {
	due := f.catalogDue
	for _, sess := range f.library.SessionsWithFile(path) {
		c, err := sess.RefreshPath(f.ctx, path) // the store calls SessionChanged
		if err != nil {
			f.log.Debug("refresh", "path", path, "err", err)
		}
		if c.Unreported {
			f.repeats.schedule(path, func() { f.PathChanged(path) })
		}
		if c.Kind <= store.Appended && f.listFollowers.Load() == 0 {
			due = f.unseenDue
		}
	}
	f.queueCatalogPath(path, due)
}

// queueCatalogPath queues a path for the next catalog update of a kind.
func (f *Follower) queueCatalogPath(path string, due chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.changedPaths[path] = struct{}{}
	trySignal(due)
}

// FollowList makes the list up to date soon after each change, until stop is called.
// Otherwise the row of a session that is shown is updated twice a second while the session
// grows.
func (f *Follower) FollowList() (stop func()) {
	f.listFollowers.Add(1)
	trySignal(f.catalogDue)
	return sync.OnceFunc(func() { f.listFollowers.Add(-1) })
}

// updateCatalog updates the catalog with changed paths.
func (f *Follower) updateCatalog() {
	f.mu.Lock()
	paths := f.changedPaths
	f.changedPaths = map[string]struct{}{}
	f.mu.Unlock()
	f.catalog.UpdatePaths(f.ctx, slices.Collect(maps.Keys(paths))...)
}

// runListEvents publishes changes of the list.
func (f *Follower) runListEvents(ctx context.Context) {
	runRateLimited(ctx, f.listNoticeDue, minRestInterval, func() {
		f.publishEvent(Event{Topic: ListTopic, Rev: f.ListRevision()})
		f.publishMovedSessions()
	})
}

// publishMovedSessions notifies those who read sessions whose files were moved. A session
// that is opened by its old key is found at the new one.
func (f *Follower) publishMovedSessions() {
	for key, sess := range f.opened.all() {
		if sum, ok := f.catalog.FindByKey(key); !ok || sum.Key == key {
			continue
		}
		f.publishEvent(Event{Topic: SessionTopic(key), Rev: sess.Revision(), Kind: Removed})
	}
}
