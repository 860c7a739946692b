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

// errorHandler answers a request or says why it cannot.
type errorHandler func(w http.ResponseWriter, r *http.Request) error

// handleErrors turns a handler into what the router takes; errors are told in one place.
func (s *Server) handleErrors(h errorHandler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil && !redirectMoved(w, r, err) {
			s.writeError(w, r, err)
		}
	}
}

// pageModel is what every page has in common.
func (s *Server) pageModel(r *http.Request, title string) components.Page {
	return components.Page{
		Title:  title,
		Static: static.Prefix(),
		Theme:  r.URL.Query().Get("theme"),
		Live:   "/live",
		Epoch:  s.epoch,
	}
}

// renderComponent writes a component. It goes to a buffer first, so that an error in it
// becomes an error and not half a page.
func (s *Server) renderComponent(w http.ResponseWriter, r *http.Request, status int, c templ.Component) error {
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
	// cacheNever: raw lines, which are nobody's business later.
	cacheNever = "no-store"
	// cacheRevalidate: pages and fragments; asked for again each time, answered with 304.
	cacheRevalidate = "private, no-cache"
	// cacheImmutable: a fragment whose address names its revision. Not for ever: a call
	// without a result is "running" only while its session is live.
	cacheImmutable = "private, max-age=60"
)

// checkNotModified sets the validators of an answer that depends on nothing but parts (and
// on this build, which the static hash stands for). It reports true when the
// reader has it already; then 304 is sent. Who reads a share keeps nothing of it.
func (s *Server) checkNotModified(w http.ResponseWriter, r *http.Request, keep string, parts ...string) bool {
	if _, shared := contextSessionView(r.Context()); shared {
		w.Header().Set("Cache-Control", cacheNever)
		return false
	}
	sum := sha256.Sum256([]byte(strings.Join(slices.Concat(parts, []string{s.epoch, static.Prefix()}), "\x00")))
	tag := `"` + hex.EncodeToString(sum[:10]) + `"`
	w.Header().Set("Cache-Control", keep)
	w.Header().Set("ETag", tag)
	if !matchesETag(r.Header.Get("If-None-Match"), tag) {
		return false
	}
	w.WriteHeader(http.StatusNotModified)
	return true
}

// matchesETag reports whether an If-None-Match lists tag. What compresses on the way
// may have weakened it.
func matchesETag(list, tag string) bool {
	for t := range strings.SplitSeq(list, ",") {
		if strings.TrimPrefix(strings.TrimSpace(t), "W/") == tag {
			return true
		}
	}
	return false
}
