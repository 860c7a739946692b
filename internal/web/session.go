package web

import (
	"fmt"
	"net/http"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// sessionPage is one session: tree, path and what stands around them.
func (s *Server) sessionPage(w http.ResponseWriter, r *http.Request) error {
	if sum, ok := s.loadsFirst(r); ok {
		return s.loadingPage(w, r, &sum)
	}
	sess, p, err := s.viewed(r)
	if err != nil {
		return err
	}
	m, err := s.agreedModel(r, sess, p, 0)
	if err != nil {
		return err
	}
	if s.fresh(w, r, keepAsking, "page", s.stateOf(sess, m), r.URL.RawQuery) {
		return nil
	}
	return s.render(w, r, http.StatusOK, components.SessionPage(m))
}

// stateOf names what a session's page shows, but for the view.
func (s *Server) stateOf(sess view.Shown, m components.SessionModel) string {
	return fmt.Sprint(m.Key, m.Rev, m.Path.Rev, m.Live, sess.Gone(), len(m.Notes), m.Can, s.quiet(sess.Session))
}

// sessionModel is a page with so many entries of the path, 0 as many as usual.
func (s *Server) sessionModel(r *http.Request, sess view.Shown, p view.Params, entries int) (components.SessionModel, error) {
	var m components.SessionModel
	about := s.about(r, sess)
	err := s.look(r.Context(), sess, p, func(sc view.Scene) error {
		m = s.builder.Session(sc, about)
		return nil
	})
	if err == nil {
		q := view.PathQuery{N: entries}
		if sess.Stand.FromStart(p) {
			q = view.FromStart(entries)
		}
		m.Path, err = s.builder.Path(r.Context(), sess, p, q, s.now())
	}
	return m, err
}

// facts answers what stands around tree and path and changes with the session.
func (s *Server) facts(w http.ResponseWriter, r *http.Request) error {
	sess, p, err := s.viewed(r)
	if err != nil {
		return err
	}
	var m components.SessionModel
	about := s.about(r, sess)
	err = s.look(r.Context(), sess, p, func(sc view.Scene) error {
		m = s.builder.Around(sc, about)
		return nil
	})
	if err != nil {
		return err
	}
	if s.fresh(w, r, keepAsking, "facts", s.stateOf(sess, m), r.URL.RawQuery) {
		return nil
	}
	return s.render(w, r, http.StatusOK, components.SessionFacts(m))
}

// about collects what a page says of a session beside its tree; none of it may be
// asked for while the tree is locked.
func (s *Server) about(r *http.Request, sess view.Shown) view.About {
	if sess.Stand.Reader != nil {
		return view.About{Page: s.readerPage(r, sess)}
	}
	parent := ""
	sess.Read(func(t *session.Tree, _ store.Rev) { parent = t.Header().Parent })
	return view.About{
		Page:   s.page(r, ""),
		File:   sess.Path(),
		Notes:  sess.Notes(),
		Gone:   sess.Gone(),
		Can:    sess.Abilities(),
		Quiet:  s.quiet(sess.Session),
		Parent: s.parentLink(parent),
	}
}

// quiet reports whether the file has stood long enough for a line that is not
// finished to have been left so.
func (s *Server) quiet(sess *store.Session) bool {
	return s.now().Sub(time.UnixMilli(sess.Modified())) > crashed
}

// parentLink leads to the session that another was forked from, recorded as a
// path or an id; nil when it is not among those shown.
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
