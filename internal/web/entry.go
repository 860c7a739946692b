package web

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/a-h/templ"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// showEntry serves one entry in full: as a page, an item of the path, one of its blocks, or
// its raw line.
func (s *Server) showEntry(w http.ResponseWriter, r *http.Request) error {
	sess, p, err := s.parseSessionView(r)
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
		return s.serveRawLine(w, r, sess.Session, id)
	case "request":
		return s.serveRawRequest(w, r, sess.Session, id)
	}
	want := view.EntryQuery{ID: id, Part: q.Get("part")}
	if want.Block, err = parseQueryCount(q, "n", 0); err != nil {
		return err
	}
	draw, ok := entryComponents[want.Part]
	if !ok {
		return fmt.Errorf("%w: an entry has no part %q", session.ErrInvalid, want.Part)
	}
	rev := sessionRevision(sess.Session) // before reading: a concurrent change invalidates the response
	m, err := s.loader.EntryModel(r.Context(), sess, s.sessionInfo(r, sess).Page, p, want, s.now())
	if err != nil {
		return err
	}
	live := strconv.FormatBool(sess.ShowsLive(s.now()))
	if s.checkNotModified(w, r, cacheRevalidate, "entry", sess.Key(), rev.String(), live, r.URL.RequestURI()) {
		return nil
	}
	return s.renderComponent(w, r, http.StatusOK, draw(m))
}

// entryComponents maps the parts of an entry that can be requested to their components.
var entryComponents = map[string]func(components.EntryModel) templ.Component{
	"":      components.EntryPage,
	"item":  components.EntryItem,
	"block": components.EntryBlock,
	"rest":  components.EntryRest,
}

func sessionRevision(sess *store.Session) (rev store.Revision) {
	sess.ReadTree(func(_ *session.Tree, now store.Revision) { rev = now })
	return rev
}
