package web

import (
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/go-chi/chi/v5/middleware"
	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"
)

// contentPolicy lets pages use what this server sends and nothing else: no inline
// script or style, no frame, no form to anywhere else.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"font-src 'self'; connect-src 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"

// secure sets the headers that every answer has.
func secure(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Server", "session-explorer")
		h.Set("Content-Security-Policy", contentPolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		next.ServeHTTP(w, r)
	})
}

// logged writes one line for each request, at debug level: paths hold no content,
// queries might, so they are left out.
func (s *Server) logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		ww := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		defer func() {
			s.log.Debug("request", "method", r.Method, "path", safePath(r), "status", ww.Status(),
				"bytes", ww.BytesWritten(), "ms", time.Since(start).Milliseconds())
		}()
		next.ServeHTTP(ww, r)
	})
}

// safePath is the path of a request as it may stand in the log: whoever reads that
// could open what a link leads to.
func safePath(r *http.Request) string {
	rest, ok := strings.CutPrefix(r.URL.Path, "/share/")
	if !ok {
		return r.URL.Path
	}
	_, rest, more := strings.Cut(rest, "/")
	if more {
		rest = "/" + rest
	}
	return "/share/…" + rest
}

// recovered turns a panic into an answer and a line in the log; the other
// sessions stay readable.
func (s *Server) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			if v == http.ErrAbortHandler {
				panic(v)
			}
			s.log.Error("panic", "path", safePath(r), "panic", v, "stack", string(debug.Stack()))
			s.fail(w, r, errPanic)
		}()
		next.ServeHTTP(w, r)
	})
}

// sameOrigin refuses writes that a page of another origin sends.
func (s *Server) sameOrigin(next http.Handler) http.Handler {
	p := http.NewCrossOriginProtection()
	p.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "another site may not do this", http.StatusForbidden)
	}))
	return p.Handler(next)
}

// smallAnswer is not worth compressing: it fits a packet or two.
const smallAnswer = 2 << 10

// compressed is gzip at its fastest: on this computer the bytes cost little, but
// through a tunnel they count.
func compressed() (func(http.Handler) http.HandlerFunc, error) {
	return gzhttp.NewWrapper(gzhttp.MinSize(smallAnswer), gzhttp.CompressionLevel(gzip.BestSpeed), gzhttp.EnableZstd(false))
}
