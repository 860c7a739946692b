package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/a-h/templ"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/path"
	"sessiontree/web/components"
)

// servePath serves a page of the viewed path, or 205 if the entry it refers to is no longer
// on the path.
func (h *sessionHandlers) servePath(w http.ResponseWriter, r *http.Request) error {
	sess, p, err := h.parseSessionView(r)
	if err != nil {
		return err
	}
	q := r.URL.Query()
	n, err := view.ParseCount(q, "n", 0)
	if err != nil {
		return err
	}
	want := path.Query{Around: q.Get("around"), Before: q.Get("before"), After: q.Get("after"), N: n}
	m, err := h.loader.PathModel(r.Context(), sess, p, want, h.now())
	if err != nil {
		return writeResetContent(w, q, err)
	}
	live := strconv.FormatBool(sess.ShowsLive(h.now()))
	if h.checkNotModified(w, r, cachePolicy(q, m.Rev), "path", sess.Key(), m.Rev, live, r.URL.RawQuery) {
		return nil
	}
	return h.renderComponent(w, r, http.StatusOK, components.PathItems(m))
}

// writeResetContent responds with 205 if a fragment was requested relative to an entry that
// is no longer on the path or in the file. The page then requests it again without the
// entry. It returns any other error.
func writeResetContent(w http.ResponseWriter, q url.Values, err error) error {
	near := q.Get("around") + q.Get("before") + q.Get("after")
	if near == "" || !errors.Is(err, session.ErrNotFound) {
		return err
	}
	w.Header().Set("Cache-Control", cacheNever)
	w.WriteHeader(http.StatusResetContent)
	return nil
}

// showEntry serves one entry in full: as a page, an item of the path, one of its blocks, or
// its raw line.
func (h *sessionHandlers) showEntry(w http.ResponseWriter, r *http.Request) error {
	sess, p, err := h.parseSessionView(r)
	if err != nil {
		return err
	}
	id, err := pathParam(r, "id")
	if err != nil {
		return err
	}
	q := r.URL.Query()
	switch q.Get("raw") {
	case "1":
		return h.raw.serveRawLine(w, r, sess.Session, id)
	case "text":
		return h.raw.serveText(w, r, sess.Session, id)
	case "request":
		return h.raw.serveRawRequest(w, r, sess.Session, id)
	}
	want := path.EntryQuery{ID: id, Part: q.Get("part")}
	if want.Block, err = view.ParseCount(q, "n", 0); err != nil {
		return err
	}
	draw, ok := entryComponents[want.Part]
	if !ok {
		return fmt.Errorf("%w: an entry has no part %q", session.ErrInvalid, want.Part)
	}
	rev := sess.Session.Revision() // before reading: a concurrent change invalidates the response
	m, err := h.loader.EntryModel(r.Context(), sess, h.sessionInfo(r, sess).Page, p, want, h.now())
	if err != nil {
		return err
	}
	live := strconv.FormatBool(sess.ShowsLive(h.now()))
	if h.checkNotModified(w, r, cacheRevalidate, "entry", sess.Key(), rev.String(), live, r.URL.RequestURI()) {
		return nil
	}
	return h.renderComponent(w, r, http.StatusOK, draw(m))
}

// entryComponents maps the parts of an entry that can be requested to their components.
var entryComponents = map[string]func(components.EntryModel) templ.Component{
	"":      components.EntryPage,
	"item":  components.EntryItem,
	"block": components.EntryBlock,
	"rest":  components.EntryRest,
}
