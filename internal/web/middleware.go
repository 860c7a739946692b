package web

import (
	"errors"
	"io"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"sessiontree/internal/web/recorder"
)

// contentSecurityPolicy allows only resources of this server: no inline scripts or styles,
// no frames, no forms to other sites.
const contentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"

// setSecurityHeaders sets the headers of all responses.
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

// logRequests logs each request at debug level. It omits queries, which may contain
// content.
func (s *responder) logRequests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		response := &recorder.Recorder{ResponseWriter: w}
		defer func() {
			s.log.Debug("request", "method", r.Method, "path", loggablePath(r), "status", response.Status,
				"bytes", response.Bytes, "ms", time.Since(start).Milliseconds())
		}()
		next.ServeHTTP(response, r)
	})
}

// routeHeadAsGet makes HEAD requests use the routes of GET. net/http omits the body.
func routeHeadAsGet(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead {
			chi.RouteContext(r.Context()).RouteMethod = http.MethodGet
		}
		next.ServeHTTP(w, r)
	})
}

// loggablePath returns the path of a request without the token of a share, which would let
// readers of the log open the share.
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

// recoverPanics turns a panic into an error response and a log message.
func (s *responder) recoverPanics(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			switch v := recover(); v {
			case nil:
			case http.ErrAbortHandler:
				panic(v)
			default:
				s.log.Error("panic", "path", loggablePath(r), "panic", v, "stack", string(debug.Stack()))
				s.writeError(w, r, errPanic)
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// requireSameOrigin refuses writes from pages of other origins.
func requireSameOrigin(next http.Handler) http.Handler {
	p := http.NewCrossOriginProtection()
	p.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "another site may not do this", http.StatusForbidden)
	}))
	return p.Handler(next)
}

// requireSameSite refuses subresource requests from pages of other sites or other ports of
// this host. Such a page cannot read the response, but it could measure how long a search
// takes. Navigation is allowed.
func requireSameSite(next http.Handler) http.Handler {
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

// bodyTimeout limits how long a client may take to send a request's body.
const bodyTimeout = 30 * time.Second

// limitBodyTime returns middleware that sets a deadline for reading the request's body. It
// has to be the outermost one, because the deadline applies to the connection.
func limitBodyTime(timeout time.Duration) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Body != nil && r.Body != http.NoBody {
				c := http.NewResponseController(w)
				if c.SetReadDeadline(time.Now().Add(timeout)) == nil {
					r.Body = &deadlineBody{r.Body, c}
				}
			}
			next.ServeHTTP(w, r)
		})
	}
}

// deadlineBody removes the read deadline after the body is read, because the handler may
// take longer.
type deadlineBody struct {
	io.ReadCloser
	conn *http.ResponseController
}

func (b *deadlineBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		_ = b.conn.SetReadDeadline(time.Time{}) // it could be set, so it can be removed
	}
	return n, err
}
