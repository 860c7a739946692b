package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"sessiontree/web/components"
	"sessiontree/web/static"
)

// handler answers a request or says why it cannot.
type handler func(w http.ResponseWriter, r *http.Request) error

// serve turns a handler into what the router takes; errors are told in one place.
func (s *Server) serve(h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil && !redirectMoved(w, r, err) {
			s.fail(w, r, err)
		}
	}
}

// page is what every page has in common.
func (s *Server) page(r *http.Request, title string) components.Page {
	return components.Page{
		Title:  title,
		Static: static.Prefix(),
		Theme:  r.URL.Query().Get("theme"),
		Live:   "/live",
		Epoch:  s.epoch,
	}
}

// render writes a component. It goes to a buffer first, so that an error in it
// becomes an error and not half a page.
func (s *Server) render(w http.ResponseWriter, r *http.Request, status int, c templ.Component) error {
	var b bytes.Buffer
	if err := c.Render(r.Context(), &b); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // the reader may have left
	return nil
}

// The ways in which an answer may be kept.
const (
	// keepNot: raw lines, which are nobody's business later.
	keepNot = "no-store"
	// keepAsking: pages and fragments; asked for again each time, answered with 304.
	keepAsking = "private, no-cache"
	// keepFixed: a fragment whose address names its revision. Not for ever: a call
	// without a result is "running" only while its session is live.
	keepFixed = "private, max-age=60"
)

// fresh sets the validators of an answer that depends on nothing but parts (and
// on this build, which the static hash stands for). It reports true when the
// reader has it already; then 304 is sent. Who reads a share keeps nothing of it.
func (s *Server) fresh(w http.ResponseWriter, r *http.Request, keep string, parts ...string) bool {
	if _, shared := isShown(r.Context()); shared {
		w.Header().Set("Cache-Control", keepNot)
		return false
	}
	sum := sha256.Sum256([]byte(strings.Join(slices.Concat(parts, []string{s.epoch, static.Prefix()}), "\x00")))
	tag := `"` + hex.EncodeToString(sum[:10]) + `"`
	w.Header().Set("Cache-Control", keep)
	w.Header().Set("ETag", tag)
	if !holds(r.Header.Get("If-None-Match"), tag) {
		return false
	}
	w.WriteHeader(http.StatusNotModified)
	return true
}

// holds reports whether an If-None-Match lists tag. What compresses on the way
// may have weakened it.
func holds(list, tag string) bool {
	for t := range strings.SplitSeq(list, ",") {
		if strings.TrimPrefix(strings.TrimSpace(t), "W/") == tag {
			return true
		}
	}
	return false
}
