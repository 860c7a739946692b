package follow

import (
	"context"
	"fmt"
	"sync"
	"time"
	"weak"

	"sessiontree/internal/session"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/store"
)

// findTimeout is how long to wait for the catalog to be complete if a key is unknown. After
// a restart browsers reconnect before the list is read.
const findTimeout = 10 * time.Second

// MovedError reports that a session has a new key.
type MovedError struct{ Key string }

func (e *MovedError) Error() string { return "session moved to " + e.Key }

// FindDeadline returns the time until which to wait for an unknown session.
func (f *Follower) FindDeadline() time.Time { return time.Now().Add(f.findTimeout) }

// OpenSession opens and refreshes the session with a key. It also finds a session whose
// file is gone while somebody holds it open. For an unknown key it waits until the deadline
// for the catalog to be complete.
func (f *Follower) OpenSession(ctx context.Context, key string, until time.Time) (*store.Session, error) {
	sum, err := f.awaitSummary(ctx, key, until)
	if err != nil {
		if sess := f.opened.currentSession(key); sess != nil {
			return sess, nil
		}
		return nil, err
	}
	sess, err := f.library.Open(ctx, sum.Path)
	if sess == nil {
		return nil, err
	}
	if sess.Key() == key {
		f.opened.addUnderKey(key, sess)
		return sess, nil
	}
	// The file was moved here, or it was overwritten by another session.
	same := false
	sess.ReadTree(func(t *session.Tree, _ store.Revision) { same = t.Header().ID == sum.ID })
	if same {
		return nil, &MovedError{sess.Key()}
	}
	return nil, fmt.Errorf("%w: another session took the place of %s", session.ErrNotFound, key)
}

// OpenMovedSession opens a session by its new key and records that it is read under its
// former one: its changes are published under both.
func (f *Follower) OpenMovedSession(ctx context.Context, former string, moved *MovedError, until time.Time) (*store.Session, error) {
	sess, err := f.OpenSession(ctx, moved.Key, until)
	if err == nil {
		f.opened.addUnderKey(former, sess)
	}
	return sess, err
}

// openedSessions maps keys to sessions without keeping them open.
type openedSessions struct {
	mu    sync.Mutex
	byKey map[string]weak.Pointer[store.Session]
}

func (s *openedSessions) currentSession(key string) *store.Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sess := s.byKey[key].Value(); sess != nil && sess.Key() == key {
		return sess
	}
	return nil
}

// all returns the sessions that clients read, by the keys that they use. A key may be
// outdated because the file was moved.
func (s *openedSessions) all() map[string]*store.Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := map[string]*store.Session{}
	for key, p := range s.byKey {
		if sess := p.Value(); sess != nil {
			all[key] = sess
		}
	}
	return all
}

// formerKeys returns the outdated keys under which clients read a session: the file was
// moved or holds another session now.
func (s *openedSessions) formerKeys(sess *store.Session) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var keys []string
	for key, p := range s.byKey {
		if p.Value() == sess && key != sess.Key() {
			keys = append(keys, key)
		}
	}
	return keys
}

// addUnderKey records that clients read a session under a key, which may be outdated.
func (s *openedSessions) addUnderKey(key string, sess *store.Session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byKey == nil {
		s.byKey = map[string]weak.Pointer[store.Session]{}
	}
	if s.byKey[key].Value() == sess {
		return
	}
	for k, p := range s.byKey { // few: only sessions opened since the last addition
		if p.Value() == nil {
			delete(s.byKey, k)
		}
	}
	s.byKey[key] = weak.Make(sess)
}

// minScanInterval is the least time between two scans for unknown keys.
const minScanInterval = time.Second

// unknownKeyScan limits the scans for unknown keys.
type unknownKeyScan struct {
	mu    sync.Mutex
	ended time.Time // of the last one
}

// scanForUnknownKey scans the roots: the session may have been created just now, and the
// watcher not have reported it yet.
func (f *Follower) scanForUnknownKey(ctx context.Context) {
	f.scans.mu.Lock()
	defer f.scans.mu.Unlock()
	if time.Since(f.scans.ended) < minScanInterval {
		return
	}
	f.catalog.Rescan(ctx)
	f.scans.ended = time.Now()
}

// awaitSummary returns the catalog's summary for a key. It waits until the deadline for the
// catalog to be complete.
func (f *Follower) awaitSummary(ctx context.Context, key string, until time.Time) (catalog.Summary, error) {
	ctx, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	for scanned := false; ; {
		changed := f.listChanged.waitChannel()
		complete := f.catalog.Progress().Complete
		if sum, ok := f.catalog.FindByKey(key); ok {
			return sum, nil
		}
		if complete && scanned {
			return catalog.Summary{}, fmt.Errorf("%w: no session %q", session.ErrNotFound, key)
		}
		if complete {
			f.scanForUnknownKey(ctx)
			scanned = true
			continue
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return catalog.Summary{}, ctx.Err()
		}
	}
}
