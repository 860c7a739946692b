package web

import (
	"fmt"
	"net/http"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/load"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/branchpanel"
	"sessiontree/internal/web/view/comparison"
	"sessiontree/internal/web/view/mapview"
	"sessiontree/internal/web/view/path"
	"sessiontree/internal/web/view/tree"
	"sessiontree/web/components"
)

// sessionHandlers serve the pages of sessions and their fragments.
type sessionHandlers struct {
	*responder
	*sessionSource
	raw *rawHandlers
}

// showSession serves the page of a session.
func (h *sessionHandlers) showSession(w http.ResponseWriter, r *http.Request) error {
	if sum, ok := h.needsLoadingPage(r); ok {
		return h.serveLoadingPage(w, r, &sum)
	}
	sess, p, err := h.parseSessionView(r)
	if err != nil {
		return err
	}
	m, err := h.consistentSessionModel(r, sess, p, 0)
	if err != nil {
		return err
	}
	if h.checkNotModified(w, r, cacheRevalidate, "page", h.sessionPageState(sess, m), r.URL.RawQuery) {
		return nil
	}
	return h.renderComponent(w, r, http.StatusOK, components.SessionPage(m))
}

// sessionPageState identifies the content of a session's page, except for the view.
func (h *sessionHandlers) sessionPageState(sess load.SessionView, m components.SessionModel) string {
	spent := components.Spent{}
	if m.Facts.Spent != nil { // other sessions may take requests over
		spent = *m.Facts.Spent
	}
	return fmt.Sprint(m.Key, m.Rev, m.Path.Rev, m.Live, sess.FileError(), sess.IsDeleted(), len(m.Notes), m.Capabilities, h.isQuiet(sess.Session), spent.Path, spent.Total)
}

// buildSessionModel returns the model of a page with the given number of entries of the
// path, 0 for the default.
func (h *sessionHandlers) buildSessionModel(r *http.Request, sess load.SessionView, p view.Params, entries int) (components.SessionModel, error) {
	var m components.SessionModel
	about := h.sessionInfo(r, sess)
	err := h.withScene(r.Context(), sess, p, func(sc view.Scene) error {
		m = tree.SessionModel(sc, about)
		return nil
	})
	if err == nil {
		q := path.Query{N: entries}
		if sess.Audience.ReadsFromStart(p) {
			q = path.FirstPage(entries)
		}
		m.Path, err = h.loader.PathModel(r.Context(), sess, p, q, h.now())
	}
	return m, err
}

// serveFacts serves the parts of a page around tree and path that follow the session.
func (h *sessionHandlers) serveFacts(w http.ResponseWriter, r *http.Request) error {
	sess, p, err := h.parseSessionView(r)
	if err != nil {
		return err
	}
	var m components.SessionModel
	about := h.sessionInfo(r, sess)
	err = h.withScene(r.Context(), sess, p, func(sc view.Scene) error {
		m = tree.SessionFrame(sc, about)
		return nil
	})
	if err != nil {
		return err
	}
	if h.checkNotModified(w, r, cacheRevalidate, "facts", h.sessionPageState(sess, m), r.URL.RawQuery) {
		return nil
	}
	return h.renderComponent(w, r, http.StatusOK, components.SessionFacts(m))
}

// sessionInfo returns what a page shows of a session besides its tree. It must not be
// called while the tree is locked.
func (h *sessionHandlers) sessionInfo(r *http.Request, sess load.SessionView) tree.SessionInfo {
	if sess.Audience.Snapshot != nil {
		return tree.SessionInfo{Page: h.viewerPageModel(r, sess)}
	}
	parent := ""
	sess.ReadTree(func(t *session.Tree, _ store.Revision) { parent = t.Header().Parent })
	return tree.SessionInfo{
		Page:      h.pageModel(r, ""),
		File:      sess.Path(),
		Notes:     sess.Notes(),
		ReadError: sess.FileError(),
		Can:       sess.Capabilities(),
		Quiet:     h.isQuiet(sess.Session),
		Deleted:   sess.IsDeleted(), CanRestore: h.canRestore,
		Parent: h.parentLink(parent), OnHub: h.onHub,
	}
}

// isQuiet reports whether an unfinished last line was left by a crash.
func (h *sessionHandlers) isQuiet(sess *store.Session) bool {
	return session.IsTornByCrash(sess.ModTime(), h.now().UnixMilli())
}

// parentLink links to the session that another was forked from, recorded as a path or an
// id. It returns nil if that session is not in the catalog.
func (h *sessionHandlers) parentLink(parent string) *components.Link {
	if parent == "" {
		return nil
	}
	for _, sum := range h.catalog.Sessions() {
		if sum.Path == parent || sum.ID == parent {
			return &components.Link{Text: "Forked from another session", Href: "/sessions/" + sum.Key}
		}
	}
	return nil
}

// showBranches serves the page of a session with the list of branches in place of the path,
// for part=panel the list, and for part=rows a window of it.
func (h *sessionHandlers) showBranches(w http.ResponseWriter, r *http.Request) error {
	sess, p, err := h.parseSessionView(r)
	if err != nil {
		return err
	}
	list, err := branchpanel.ParseParams(r.URL.Query())
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", cacheNever)
	switch r.URL.Query().Get("part") {
	case "rows":
		return h.serveBranchRows(w, r, sess, p, list)
	case "panel":
		panel, err := h.branchPanelModel(sess, p, list)
		if err != nil {
			return err
		}
		return h.renderComponent(w, r, http.StatusOK, components.BranchPanel(panel))
	}
	m, err := h.consistentSessionModel(r, sess, p, 0)
	if err != nil {
		return err
	}
	panel, err := h.branchPanelModel(sess, p, list)
	if err != nil {
		return err
	}
	m.Panel, m.Page.Title = &panel, panel.Title
	return h.renderComponent(w, r, http.StatusOK, components.SessionPage(m))
}

func (h *sessionHandlers) serveBranchRows(w http.ResponseWriter, r *http.Request, sess load.SessionView, p view.Params, list branchpanel.Params) error {
	win, err := parseTreeWindow(r.URL.Query())
	if err != nil {
		return err
	}
	var m components.BranchRowsModel
	can := sess.Capabilities()
	if err := h.withBareScene(sess, p, func(sc view.Scene) { m = branchpanel.RowsModel(sc, list, win.at, win.n, can) }); err != nil {
		return err
	}
	return h.renderComponent(w, r, http.StatusOK, components.BranchRows(m))
}

func (h *sessionHandlers) branchPanelModel(sess load.SessionView, p view.Params, list branchpanel.Params) (m components.BranchPanelModel, err error) {
	can := sess.Capabilities()
	err = h.withBareScene(sess, p, func(sc view.Scene) { m = branchpanel.PanelModel(sc, list, can) })
	return m, err
}

// showComparison serves the page that compares branches.
func (h *sessionHandlers) showComparison(w http.ResponseWriter, r *http.Request) error {
	q, err := comparison.ParseParams(r.URL.Query())
	if err != nil {
		return err
	}
	sess, err := h.requestSessionView(r)
	if err != nil {
		return err
	}
	m, err := h.loader.CompareModel(r.Context(), sess, h.pageModel(r, ""), q, h.now())
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", cacheNever)
	return h.renderComponent(w, r, http.StatusOK, components.ComparePage(m))
}

// showMap serves the map of a session, or the part of it that the request names.
func (h *sessionHandlers) showMap(w http.ResponseWriter, r *http.Request) error {
	sess, p, err := h.parseSessionView(r)
	if err != nil {
		return err
	}
	params, err := mapview.ParseParams(r.URL.Query())
	if err != nil {
		return err
	}
	var m components.MapModel
	page := h.pageModel(r, "")
	if err := h.withBareScene(sess, p, func(sc view.Scene) { m = mapview.PageModel(sc, page, params) }); err != nil {
		return err
	}
	w.Header().Set("Cache-Control", cacheNever)
	return h.renderComponent(w, r, http.StatusOK, components.Map(m))
}
