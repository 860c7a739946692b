package web

import (
	"context"
	"net/http"

	"github.com/go-chi/chi/v5"

	"sessiontree/internal/session/share"
	"sessiontree/internal/web/view/dialog"
	"sessiontree/web/components"
)

// showShares lists all shares.
func (h *shareHandlers) showShares(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", cacheNever)
	return h.renderComponent(w, r, http.StatusOK, components.SharesPage(h.sharesModel(r)))
}

func (h *shareHandlers) sharesModel(r *http.Request) components.SharesModel {
	m := dialog.ShareListModel(h.loader.Config, h.pageModel(r, "Shares"), h.shares.List(), h.now(), func(sh *share.Share) bool {
		_, ok := h.catalog.FindByKey(sh.Source.Key)
		return ok
	})
	if h.readOnly {
		m.RemoveActions()
	}
	if _, local := h.shareLinkBase(r); local {
		m.Where = "Links open on this computer only."
	}
	return m
}

// endShare returns the handler that revokes a share or removes it from the list, then shows
// the list.
func (h *shareHandlers) endShare(end func(context.Context, string) error, says string) errorHandler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := end(context.WithoutCancel(r.Context()), chi.URLParam(r, "id")); err != nil {
			return err
		}
		h.follower.CheckShares()
		w.Header().Set("Cache-Control", cacheNever)
		if r.URL.Query().Get("part") == "" {
			http.Redirect(w, r, "/shares", http.StatusSeeOther)
			return nil
		}
		m := h.sharesModel(r)
		m.Message = says
		return h.renderComponent(w, r, http.StatusOK, components.SharesList(m))
	}
}
