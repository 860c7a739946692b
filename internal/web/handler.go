package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"sessiontree/internal/session"
	"sessiontree/internal/session/follow"
	"sessiontree/web/components"
	"sessiontree/web/static"
)

// responder writes responses: pages, fragments and errors.
type responder struct {
	epoch    string // identifies this run of the server
	log      *slog.Logger
	ctx      context.Context  // ends with the server
	pageTime func() time.Time // now, in the zone of pages
}

// errorHandler is an HTTP handler that returns an error instead of writing it.
type errorHandler func(w http.ResponseWriter, r *http.Request) error

// handleErrors converts an errorHandler to an http.HandlerFunc, with the time of the page.
func (s *responder) handleErrors(h errorHandler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r.WithContext(components.WithPageTime(r.Context(), s.pageTime()))); err != nil && !redirectMoved(w, r, err) {
			s.writeError(w, r, err)
		}
	}
}

// pageModel returns what all pages have in common.
func (s *responder) pageModel(r *http.Request, title string) components.Page {
	return components.Page{
		Title:  title,
		Static: static.Prefix(),
		Theme:  r.URL.Query().Get("theme"),
		Live:   "/live",
		Epoch:  s.epoch,
	}
}

// renderBuffers holds buffers of renderComponent. Pages that show a growing session render
// for every line.
var renderBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// maxPooledBuffer is the capacity of the largest buffer that is used again.
const maxPooledBuffer = 256 << 10

func putRenderBuffer(b *bytes.Buffer) {
	if b.Cap() <= maxPooledBuffer {
		b.Reset()
		renderBuffers.Put(b)
	}
}

// renderComponent writes a component. It renders to a buffer first, so that an error yields
// an error response instead of half a page.
func (s *responder) renderComponent(w http.ResponseWriter, r *http.Request, status int, c templ.Component) error {
	b := renderBuffers.Get().(*bytes.Buffer)
	defer putRenderBuffer(b)
	if err := c.Render(r.Context(), b); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // the client may be gone
	return nil
}

// Cache-Control values.
const (
	// cacheNever is for private content, such as raw lines.
	cacheNever = "no-store"
	// cacheRevalidate is for pages and fragments, which are revalidated on each request.
	cacheRevalidate = "private, no-cache"
	// cacheImmutable is for fragments whose address names their revision. It is limited
	// because the running state of a tool call also depends on the time.
	cacheImmutable = "private, max-age=60"
)

// checkNotModified sets the validators of a response that depends only on parts and on this
// build, which the static hash identifies. It writes 304 and reports true if the client's
// copy is current. Responses about shares are never cached.
func (s *responder) checkNotModified(w http.ResponseWriter, r *http.Request, keep string, parts ...string) bool {
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

// matchesETag reports whether an If-None-Match header lists tag. A compressing proxy may
// have made it a weak validator.
func matchesETag(list, tag string) bool {
	for t := range strings.SplitSeq(list, ",") {
		if strings.TrimPrefix(strings.TrimSpace(t), "W/") == tag {
			return true
		}
	}
	return false
}

// redirectMoved redirects to the new address if err is a follow.MovedError.
func redirectMoved(w http.ResponseWriter, r *http.Request, err error) bool {
	var moved *follow.MovedError
	if !errors.As(err, &moved) {
		return false
	}
	to := *r.URL
	here := func(path string) string {
		return strings.Replace(path, "/sessions/"+chi.URLParam(r, "key"), "/sessions/"+moved.Key, 1)
	}
	to.Path, to.RawPath = here(r.URL.Path), here(r.URL.EscapedPath()) // an id may contain a slash
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, to.RequestURI(), http.StatusTemporaryRedirect)
	return true
}

func handleNotFound(_ http.ResponseWriter, r *http.Request) error {
	return fmt.Errorf("%w: nothing at %q", session.ErrNotFound, r.URL.Path)
}
