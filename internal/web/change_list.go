package web

import (
	"net/http"

	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// showEntryActions lists the actions for an entry.
func (s *Server) showEntryActions(w http.ResponseWriter, r *http.Request) error {
	sess, err := s.openSession(r)
	if err != nil {
		return err
	}
	c := &changeRequest{s: s, r: r, ctx: r.Context(), sess: sess, form: r.URL.Query()}
	id, err := c.requireEntry()
	if err != nil {
		return err
	}
	var m components.ActionsModel
	c.withChangeView(func(v view.ChangeView) {
		v.HasRequest = sess.HasRequest(v.Tree, v.Tree.FindID(id))
		m = v.EntryActions(id)
	})
	w.Header().Set("Cache-Control", cacheNever)
	if c.requestedPart() != "" {
		return s.renderComponent(w, r, http.StatusOK, components.ActionsMenu(m))
	}
	return s.renderComponent(w, r, http.StatusOK, components.ActionsPage(m))
}

// showBranches lists the tips of a session.
func (s *Server) showBranches(w http.ResponseWriter, r *http.Request) error {
	sess, err := s.openSession(r)
	if err != nil {
		return err
	}
	c := &changeRequest{s: s, r: r, ctx: r.Context(), sess: sess, form: r.URL.Query()}
	var m components.BranchesModel
	c.withChangeView(func(v view.ChangeView) { m = v.BranchList() })
	w.Header().Set("Cache-Control", cacheNever)
	if c.requestedPart() != "" {
		return s.renderComponent(w, r, http.StatusOK, components.BranchesPanel(m))
	}
	return s.renderComponent(w, r, http.StatusOK, components.BranchesPage(m))
}
