package web

import (
	"errors"
	"io"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/go-chi/chi/v5/middleware"
	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"
)

// contentSecurityPolicy lets pages use what this server sends and nothing else: no inline
// script or style, no frame, no form to anywhere else.
const contentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"font-src 'self'; connect-src 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"

// setSecurityHeaders sets the headers that every answer has.
func setSecurityHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Server", "session-explorer")
		h.Set("Content-Security-Policy", contentSecurityPolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		next.ServeHTTP(w, r)
	})
}

// logRequests writes one line for each request, at debug level: paths hold no content,
// queries might, so they are left out.
func (s *Server) logRequests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		ww := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		defer func() {
			s.log.Debug("request", "method", r.Method, "path", loggablePath(r), "status", ww.Status(),
				"bytes", ww.BytesWritten(), "ms", time.Since(start).Milliseconds())
		}()
		next.ServeHTTP(ww, r)
	})
}

// loggablePath is the path of a request as it may stand in the log: whoever reads that
// could open what a link leads to.
func loggablePath(r *http.Request) string {
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

// recoverPanics turns a panic into an answer and a line in the log; the other
// sessions stay readable.
func (s *Server) recoverPanics(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			if v == http.ErrAbortHandler {
				panic(v)
			}
			s.log.Error("panic", "path", loggablePath(r), "panic", v, "stack", string(debug.Stack()))
			s.writeError(w, r, errPanic)
		}()
		next.ServeHTTP(w, r)
	})
}

// requireSameOrigin refuses writes that a page of another origin sends.
func (s *Server) requireSameOrigin(next http.Handler) http.Handler {
	p := http.NewCrossOriginProtection()
	p.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "another site may not do this", http.StatusForbidden)
	}))
	return p.Handler(next)
}

// requireSameSite refuses what a page of another site, or on another port of this host,
// asks for on its own: it cannot read the answer, but it could measure how long a
// search takes. Links to here may be followed.
func (s *Server) requireSameSite(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Header.Get("Sec-Fetch-Site") {
		case "cross-site", "same-site":
			if r.Header.Get("Sec-Fetch-Mode") != "navigate" || r.Header.Get("Sec-Fetch-Dest") != "document" {
				http.Error(w, "another site may not ask for this", http.StatusForbidden)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// bodyTimeout is how long a peer may take to send the body of a request.
const bodyTimeout = 30 * time.Second

// limitBodyTime gives up a peer that does not send the body it announced. It must
// come first: the deadline is that of the connection.
func (s *Server) limitBodyTime(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != nil && r.Body != http.NoBody {
			c := http.NewResponseController(w)
			if c.SetReadDeadline(time.Now().Add(s.bodyTimeout)) == nil {
				r.Body = &deadlineBody{r.Body, c}
			}
		}
		next.ServeHTTP(w, r)
	})
}

// deadlineBody lifts the deadline when the body has been read: what the handler does
// afterwards may take longer.
type deadlineBody struct {
	io.ReadCloser
	conn *http.ResponseController
}

func (b *deadlineBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		_ = b.conn.SetReadDeadline(time.Time{}) // it could be set, so it can be lifted
	}
	return n, err
}

// minCompressedSize is not worth compressing: it fits a packet or two.
const minCompressedSize = 2 << 10

// newCompressor is gzip at its fastest: on this computer the bytes cost little, but
// through a tunnel they count.
func newCompressor() (func(http.Handler) http.HandlerFunc, error) {
	return gzhttp.NewWrapper(gzhttp.MinSize(minCompressedSize), gzhttp.CompressionLevel(gzip.BestSpeed), gzhttp.EnableZstd(false))
}
