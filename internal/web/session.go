package web

import (
	"fmt"
	"net/http"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/load"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// showSession serves the page of a session.
func (s *Server) showSession(w http.ResponseWriter, r *http.Request) error {
	if sum, ok := s.needsLoadingPage(r); ok {
		return s.serveLoadingPage(w, r, &sum)
	}
	sess, p, err := s.parseSessionView(r)
	if err != nil {
		return err
	}
	m, err := s.consistentSessionModel(r, sess, p, 0)
	if err != nil {
		return err
	}
	if s.checkNotModified(w, r, cacheRevalidate, "page", s.sessionPageState(sess, m), r.URL.RawQuery) {
		return nil
	}
	return s.renderComponent(w, r, http.StatusOK, components.SessionPage(m))
}

// sessionPageState identifies the content of a session's page, except for the view.
func (s *Server) sessionPageState(sess load.SessionView, m components.SessionModel) string {
	return fmt.Sprint(m.Key, m.Rev, m.Path.Rev, m.Live, sess.FileError(), len(m.Notes), m.Capabilities, s.isQuiet(sess.Session))
}

// buildSessionModel returns the model of a page with the given number of entries of the
// path, 0 for the default.
func (s *Server) buildSessionModel(r *http.Request, sess load.SessionView, p view.Params, entries int) (components.SessionModel, error) {
	var m components.SessionModel
	about := s.sessionInfo(r, sess)
	err := s.withScene(r.Context(), sess, p, func(sc view.Scene) error {
		m = view.SessionModel(sc, about)
		return nil
	})
	if err == nil {
		q := view.PathQuery{N: entries}
		if sess.Audience.ReadsFromStart(p) {
			q = view.FirstPathPage(entries)
		}
		m.Path, err = s.loader.PathModel(r.Context(), sess, p, q, s.now())
	}
	return m, err
}

// serveFacts serves the parts of a page around tree and path that follow the session.
func (s *Server) serveFacts(w http.ResponseWriter, r *http.Request) error {
	sess, p, err := s.parseSessionView(r)
	if err != nil {
		return err
	}
	var m components.SessionModel
	about := s.sessionInfo(r, sess)
	err = s.withScene(r.Context(), sess, p, func(sc view.Scene) error {
		m = view.SessionFrame(sc, about)
		return nil
	})
	if err != nil {
		return err
	}
	if s.checkNotModified(w, r, cacheRevalidate, "facts", s.sessionPageState(sess, m), r.URL.RawQuery) {
		return nil
	}
	return s.renderComponent(w, r, http.StatusOK, components.SessionFacts(m))
}

// sessionInfo returns what a page shows of a session besides its tree. It must not be
// called while the tree is locked.
func (s *Server) sessionInfo(r *http.Request, sess load.SessionView) view.SessionInfo {
	if sess.Audience.Snapshot != nil {
		return view.SessionInfo{Page: s.viewerPageModel(r, sess)}
	}
	parent := ""
	sess.ReadTree(func(t *session.Tree, _ store.Revision) { parent = t.Header().Parent })
	return view.SessionInfo{
		Page:      s.pageModel(r, ""),
		File:      sess.Path(),
		Notes:     sess.Notes(),
		ReadError: sess.FileError(),
		Can:       sess.Capabilities(),
		Quiet:     s.isQuiet(sess.Session),
		Parent:    s.parentLink(parent),
	}
}

// isQuiet reports whether an unfinished last line was left by a crash.
func (s *Server) isQuiet(sess *store.Session) bool {
	return session.IsTornByCrash(sess.ModTime(), s.now().UnixMilli())
}

// parentLink links to the session that another was forked from, recorded as a path or an
// id. It returns nil if that session is not in the catalog.
func (s *Server) parentLink(parent string) *components.Link {
	if parent == "" {
		return nil
	}
	for _, sum := range s.catalog.Sessions() {
		if sum.Path == parent || sum.ID == parent {
			return &components.Link{Text: "Forked from another session", Href: "/sessions/" + sum.Key}
		}
	}
	return nil
}
