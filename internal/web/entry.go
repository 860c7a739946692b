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

// entry answers one entry in full: as a page, as an item of the path, as one of
// its blocks, or as the line that was recorded.
func (s *Server) entry(w http.ResponseWriter, r *http.Request) error {
	sess, p, err := s.viewed(r)
	if err != nil {
		return err
	}
	id, err := param(r, "id")
	if err != nil {
		return err
	}
	q := r.URL.Query()
	switch q.Get("raw") {
	case "1":
		return s.raw(w, r, sess.Session, id)
	case "request":
		return s.rawRequest(w, r, sess.Session, id)
	}
	want := view.EntryQuery{ID: id, Part: q.Get("part")}
	if want.Block, err = number(q, "n", 0); err != nil {
		return err
	}
	draw, ok := entryParts[want.Part]
	if !ok {
		return fmt.Errorf("%w: an entry has no part %q", session.ErrInvalid, want.Part)
	}
	rev := revisionOf(sess.Session) // before it is read: a change meanwhile is asked for again
	m, err := s.builder.Entry(r.Context(), sess, s.about(r, sess).Page, p, want, s.now())
	if err != nil {
		return err
	}
	live := strconv.FormatBool(sess.Growing(s.now()))
	if s.fresh(w, r, keepAsking, "entry", sess.Key(), rev.String(), live, r.URL.RequestURI()) {
		return nil
	}
	return s.render(w, r, http.StatusOK, draw(m))
}

// entryParts are the ways to ask for an entry.
var entryParts = map[string]func(components.EntryModel) templ.Component{
	"":      components.EntryPage,
	"item":  components.EntryItem,
	"block": components.EntryBlock,
	"rest":  components.EntryRest,
}

func revisionOf(sess *store.Session) (rev store.Rev) {
	sess.Read(func(_ *session.Tree, now store.Rev) { rev = now })
	return rev
}
