package web

import (
	"net/http"

	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// entryActions lists what can be done with an entry.
func (s *Server) entryActions(w http.ResponseWriter, r *http.Request) error {
	sess, err := s.session(r)
	if err != nil {
		return err
	}
	c := &changing{s: s, r: r, ctx: r.Context(), sess: sess, form: r.URL.Query()}
	id, err := c.known()
	if err != nil {
		return err
	}
	var m components.ActionsModel
	c.look(func(v view.Change) {
		v.Request = sess.HasRequest(v.Tree, v.Tree.Find(id))
		m = s.builder.Actions(v, id)
	})
	w.Header().Set("Cache-Control", keepNot)
	if c.part() != "" {
		return s.render(w, r, http.StatusOK, components.ActionsMenu(m))
	}
	return s.render(w, r, http.StatusOK, components.ActionsPage(m))
}

// branches lists every tip of a session.
func (s *Server) branches(w http.ResponseWriter, r *http.Request) error {
	sess, err := s.session(r)
	if err != nil {
		return err
	}
	c := &changing{s: s, r: r, ctx: r.Context(), sess: sess, form: r.URL.Query()}
	var m components.BranchesModel
	c.look(func(v view.Change) { m = s.builder.Tips(v) })
	w.Header().Set("Cache-Control", keepNot)
	if c.part() != "" {
		return s.render(w, r, http.StatusOK, components.BranchesPanel(m))
	}
	return s.render(w, r, http.StatusOK, components.BranchesPage(m))
}
