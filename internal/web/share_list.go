package web

import (
	"context"
	"net/http"

	"github.com/go-chi/chi/v5"

	"sessiontree/internal/session/share"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// showShares lists all shares.
func (s *Server) showShares(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", cacheNever)
	return s.renderComponent(w, r, http.StatusOK, components.SharesPage(s.sharesModel(r)))
}

func (s *Server) sharesModel(r *http.Request) components.SharesModel {
	m := view.ShareListModel(s.loader.Config, s.pageModel(r, "Shares"), s.shares.List(), s.now(), func(sh *share.Share) bool {
		_, ok := s.catalog.FindByKey(sh.Source.Key)
		return ok
	})
	if s.readOnly {
		m.RemoveActions()
	}
	if _, local := s.shareLinkBase(r); local {
		m.Where = "Links open on this computer only."
	}
	return m
}

// endShare returns the handler that revokes a share or removes it from the list, then shows
// the list.
func (s *Server) endShare(end func(context.Context, string) error, says string) errorHandler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := end(context.WithoutCancel(r.Context()), chi.URLParam(r, "id")); err != nil {
			return err
		}
		s.shareUpdater.checkShares()
		w.Header().Set("Cache-Control", cacheNever)
		if r.URL.Query().Get("part") == "" {
			http.Redirect(w, r, "/shares", http.StatusSeeOther)
			return nil
		}
		m := s.sharesModel(r)
		m.Message = says
		return s.renderComponent(w, r, http.StatusOK, components.SharesList(m))
	}
}
