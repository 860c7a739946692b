package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
	"weak"

	"github.com/go-chi/chi/v5"

	"sessiontree/internal/session"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/store"
)

// findTimeout is how long a request for an unknown key waits for the catalog to be
// complete. After a restart browsers reconnect before the list is read.
const findTimeout = 10 * time.Second

// movedError reports that a session has a new address.
type movedError struct{ key string }

func (e *movedError) Error() string { return "session moved to " + e.key }

// findSession opens and refreshes the session with a key. It also finds a session whose
// file is gone while somebody holds it open.
func (s *Server) findSession(ctx context.Context, key string) (*store.Session, error) {
	return s.findSessionUntil(ctx, key, time.Now().Add(s.findTimeout))
}

// findSessionUntil is findSession with a deadline for unknown keys.
func (s *Server) findSessionUntil(ctx context.Context, key string, until time.Time) (*store.Session, error) {
	sum, err := s.awaitSummary(ctx, key, until)
	if err != nil {
		if sess := s.opened.currentSession(key); sess != nil {
			return sess, nil
		}
		return nil, err
	}
	sess, err := s.library.Open(ctx, sum.Path)
	if sess == nil {
		return nil, err
	}
	if sess.Key() == key {
		s.opened.addSession(sess)
		return sess, nil
	}
	// The file was moved here, or it was overwritten by another session.
	same := false
	sess.ReadTree(func(t *session.Tree, _ store.Revision) { same = t.Header().ID == sum.ID })
	if same {
		return nil, &movedError{sess.Key()}
	}
	return nil, fmt.Errorf("%w: another session took the place of %s", session.ErrNotFound, key)
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

// sessionUnderKey returns the session that clients read under a key. The key may be
// outdated because the file was moved.
func (s *openedSessions) sessionUnderKey(key string) *store.Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.byKey[key].Value()
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

func (s *openedSessions) addSession(sess *store.Session) { s.addUnderKey(sess.Key(), sess) }

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

// awaitSummary returns the catalog's summary for a key. It waits until the deadline for the
// catalog to be complete.
func (s *Server) awaitSummary(ctx context.Context, key string, until time.Time) (catalog.Summary, error) {
	ctx, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	for {
		changed := s.listChanged.waitChannel()
		complete := s.catalog.Progress().Complete
		if sum, ok := s.catalog.FindByKey(key); ok {
			return sum, nil
		}
		if complete {
			return catalog.Summary{}, fmt.Errorf("%w: no session %q", session.ErrNotFound, key)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return catalog.Summary{}, ctx.Err()
		}
	}
}

// redirectMoved redirects to the new address if err is a movedError.
func redirectMoved(w http.ResponseWriter, r *http.Request, err error) bool {
	var moved *movedError
	if !errors.As(err, &moved) {
		return false
	}
	to := *r.URL
	here := func(path string) string {
		return strings.Replace(path, "/sessions/"+chi.URLParam(r, "key"), "/sessions/"+moved.key, 1)
	}
	to.Path, to.RawPath = here(r.URL.Path), here(r.URL.EscapedPath()) // an id may contain a slash
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, to.RequestURI(), http.StatusTemporaryRedirect)
	return true
}

func handleNotFound(_ http.ResponseWriter, r *http.Request) error {
	return fmt.Errorf("%w: nothing at %q", session.ErrNotFound, r.URL.Path)
}
