package web

import (
	"net/http"

	"sessiontree/internal/session"
	"sessiontree/internal/session/modelcontext"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/load"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/contextpanel"
	"sessiontree/web/components"
)

// showContext serves what the model was sent before the viewed answer: as a page, or for
// part=panel as the content of the panel next to the path.
func (h *sessionHandlers) showContext(w http.ResponseWriter, r *http.Request) error {
	sess, p, err := h.parseSessionView(r)
	if err != nil {
		return err
	}
	list, err := contextpanel.ParseParams(r.URL.Query())
	if err != nil {
		return err
	}
	m, err := h.contextModel(r, sess, p, list)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", cacheNever)
	if r.URL.Query().Get("part") == "panel" {
		return h.renderComponent(w, r, http.StatusOK, components.ContextContent(m))
	}
	title := m.Page.Title
	m.Page = h.pageModel(r, title)
	return h.renderComponent(w, r, http.StatusOK, components.ContextPage(m))
}

// contextModel reads the request and builds its model. If the session is reloaded between the
// two, it reads again.
func (h *sessionHandlers) contextModel(r *http.Request, sess load.SessionView, p view.Params, list contextpanel.Params) (m components.ContextModel, err error) {
	err = session.ErrStale
	for range maxReadTries {
		request, err := modelcontext.ReadRequest(r.Context(), sess.Session, func(t *session.Tree) (modelcontext.Place, error) {
			v, err := view.ResolveView(t, p)
			if err != nil {
				return modelcontext.Place{}, err
			}
			return modelcontext.PlaceOf(t, v.Entry, v.Leaf), nil
		})
		if err != nil {
			return m, err
		}
		built := false
		sess.ReadTree(func(t *session.Tree, rev store.Revision) {
			if built = rev.Epoch == request.Epoch; !built {
				return
			}
			var sc view.Scene
			if sc, err = sess.NewScene(h.loader.Config, t, rev, p, h.now()); err == nil {
				m = contextpanel.Model(sc, list, request)
			}
		})
		if built {
			return m, err
		}
	}
	return m, err
}
