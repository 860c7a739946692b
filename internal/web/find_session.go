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
// complete: after a restart browsers ask again before the list is read.
const findTimeout = 10 * time.Second

// movedError says that a session has another address now.
type movedError struct{ key string }

func (e *movedError) Error() string { return "session moved to " + e.key }

// findSession opens the session with a key, with what is new in its file. A session
// whose file is gone is found as long as somebody holds it.
func (s *Server) findSession(ctx context.Context, key string) (*store.Session, error) {
	return s.findSessionUntil(ctx, key, time.Now().Add(s.findTimeout))
}

// findSessionUntil is find, which waits for an unknown key until a time.
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
	// The file was moved here, or another session was written over it.
	same := false
	sess.ReadTree(func(t *session.Tree, _ store.Revision) { same = t.Header().ID == sum.ID })
	if same {
		return nil, &movedError{sess.Key()}
	}
	return nil, fmt.Errorf("%w: another session took the place of %s", session.ErrNotFound, key)
}

// openedSessions knows the sessions that were opened by their keys, without holding them.
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

// sessionUnderKey returns the session that is read under a key, which may be one of before its
// file was moved.
func (s *openedSessions) sessionUnderKey(key string) *store.Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.byKey[key].Value()
}

// formerKeys are the keys under which a session is read beside its own: those of
// before its file was moved, or came to hold another one.
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

// addUnderKey notes that a session is read under a key, which may be one of before its
// file was moved.
func (s *openedSessions) addUnderKey(key string, sess *store.Session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byKey == nil {
		s.byKey = map[string]weak.Pointer[store.Session]{}
	}
	if s.byKey[key].Value() == sess {
		return
	}
	for k, p := range s.byKey { // few: those opened since the last one was added
		if p.Value() == nil {
			delete(s.byKey, k)
		}
	}
	s.byKey[key] = weak.Make(sess)
}

// awaitSummary finds what the catalog knows of a key, or will know until a time.
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

// redirectMoved sends the reader on when err says that the session moved.
func redirectMoved(w http.ResponseWriter, r *http.Request, err error) bool {
	var moved *movedError
	if !errors.As(err, &moved) {
		return false
	}
	to := *r.URL
	here := func(path string) string {
		return strings.Replace(path, "/sessions/"+chi.URLParam(r, "key"), "/sessions/"+moved.key, 1)
	}
	to.Path, to.RawPath = here(r.URL.Path), here(r.URL.EscapedPath()) // an id may hold a slash
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, to.RequestURI(), http.StatusTemporaryRedirect)
	return true
}

func handleNotFound(_ http.ResponseWriter, r *http.Request) error {
	return fmt.Errorf("%w: nothing at %q", session.ErrNotFound, r.URL.Path)
}
