package web

import (
	"context"
	"net/http"

	"github.com/go-chi/chi/v5"

	"sessiontree/internal/session/share"
	"sessiontree/web/components"
)

// shareList lists all links.
func (s *Server) shareList(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", keepNot)
	return s.render(w, r, http.StatusOK, components.SharesPage(s.sharesModel(r)))
}

func (s *Server) sharesModel(r *http.Request) components.SharesModel {
	m := s.builder.Shares(s.page(r, "Shares"), s.shares.List(), s.now(), func(sh *share.Share) bool {
		_, ok := s.catalog.Find(sh.Source.Key)
		return ok
	})
	if s.readOnly {
		m.ReadOnly()
	}
	if _, local := s.linkBase(r); local {
		m.Where = "Links open on this computer only."
	}
	return m
}

// shareEnded ends a link, or takes it off the list, and shows what is left.
func (s *Server) shareEnded(end func(context.Context, string) error, says string) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := end(context.WithoutCancel(r.Context()), chi.URLParam(r, "id")); err != nil {
			return err
		}
		s.keeper.changed()
		w.Header().Set("Cache-Control", keepNot)
		if r.URL.Query().Get("part") == "" {
			http.Redirect(w, r, "/shares", http.StatusSeeOther)
			return nil
		}
		m := s.sharesModel(r)
		m.Say = says
		return s.render(w, r, http.StatusOK, components.SharesList(m))
	}
}
