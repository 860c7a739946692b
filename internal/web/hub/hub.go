// Package hub serves a hub: an API for the devices that push sessions, and to each person who
// has signed in the explorer over the sessions that this person may read.
package hub

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"

	"sessiontree/internal/session"
	"sessiontree/internal/session/hub"
	"sessiontree/internal/session/team"
	"sessiontree/internal/web/auth"
	"sessiontree/internal/web/hub/deviceapi"
	"sessiontree/internal/web/oidclogin"
	"sessiontree/internal/web/teampage"
	"sessiontree/internal/web/view"
)

// Config configures a Server.
type Config struct {
	Hub     *hub.Hub
	Formats []*session.Format
	View    view.Config
	URL     string // that people and devices use
	// ProxyHeader is the header in which proxies name the person who sent a request; "" =
	// none does. Only requests from Proxies count.
	ProxyHeader string
	Proxies     []netip.Prefix
	Provider    *oidclogin.Provider // at which people sign in; nil = none
	Log         *slog.Logger        // nil discards logs
	Clock       func() time.Time    // nil = time.Now
}

// Server serves a hub. Close it after http.Server.Shutdown.
type Server struct {
	config  Config
	host    string // of the URL, with its port
	limiter *auth.LinkLimiter
	router  chi.Router

	ctx     context.Context // ends with Close
	cancel  context.CancelFunc
	running sync.WaitGroup

	mu     sync.Mutex
	apps   map[string]*app // by the id of the person, "" = of people who have not signed in
	closed bool

	reads   recentReads
	changed chan struct{} // files or labels may have changed
}

// New returns a Server.
func New(c Config) (*Server, error) {
	u, err := url.Parse(c.URL)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || strings.Trim(u.Path, "/") != "" {
		return nil, fmt.Errorf("%q is not the URL of a hub, like https://hub.example", c.URL)
	}
	c.URL = u.Scheme + "://" + u.Host
	c.Log = cmp.Or(c.Log, slog.New(slog.DiscardHandler))
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if err := c.Hub.UpdateLabels(context.Background()); err != nil {
		return nil, fmt.Errorf("reading the labels: %w", err)
	}
	s := &Server{config: c, host: u.Host, limiter: auth.NewLinkLimiter(c.Clock), apps: map[string]*app{}, changed: make(chan struct{}, 1)}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.router = s.buildRoutes()
	c.Hub.Subscribe(s.filesChanged)
	s.running.Go(s.runMinutely)
	s.running.Go(s.updateLabels)
	return s, nil
}

// servesTLS reports whether browsers reach the hub over TLS.
func (s *Server) servesTLS() bool { return strings.HasPrefix(s.config.URL, "https:") }

func (s *Server) buildRoutes() chi.Router {
	r := chi.NewRouter()
	devices := &deviceapi.Handlers{
		Archive: s.config.Hub.Archive, Registry: s.config.Hub.Registry, Log: s.config.Log, Clock: s.config.Clock,
		OnAppend: s.config.Hub.FileGrew, Limiter: s.limiter,
	}
	r.Group(func(r chi.Router) {
		r.Use(limitDeviceTime)
		devices.AddRoutes(r)
	})
	r.Handle("/*", http.HandlerFunc(s.servePerson))
	return r
}

// deviceTimeout is how long a request of a device may take to arrive.
const deviceTimeout = time.Minute

// limitDeviceTime limits how long a device may take to send a request.
func limitDeviceTime(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(deviceTimeout)) // not in tests
		next.ServeHTTP(w, r)
	})
}

// Handler returns the handler for all requests.
func (s *Server) Handler() http.Handler { return s.router }

// personKey is the key of the person in the context of a request.
type personKey struct{}

// servePerson serves a request with the explorer of the person who sent it.
func (s *Server) servePerson(w http.ResponseWriter, r *http.Request) {
	p, err := s.identifyPerson(r)
	if err != nil {
		s.config.Log.Error("finding who sent a request", "err", err)
		http.Error(w, "the hub cannot find out who you are now", http.StatusServiceUnavailable)
		return
	}
	if p.Role == team.None {
		p = team.Person{}
	}
	if p.ID == "" && !isPublic(r.URL.Path) {
		refuseStranger(w, r)
		return
	}
	a, err := s.findApp(p)
	if err != nil {
		s.config.Log.Error("opening the sessions of a person", "err", err)
		http.Error(w, "the hub cannot show sessions now", http.StatusServiceUnavailable)
		return
	}
	defer a.release()
	a.web.Handler().ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), personKey{}, p.ID)))
}

// identifyPerson returns the person who sent a request, one without an id if nobody has
// signed in.
func (s *Server) identifyPerson(r *http.Request) (team.Person, error) {
	if name := r.Header.Get(s.config.ProxyHeader); s.config.ProxyHeader != "" && name != "" && s.isProxy(r) {
		return s.config.Hub.PersonOfSubject(r.Context(), name, name, "")
	}
	token := teampage.RequestToken(r)
	if token == "" {
		return team.Person{}, nil
	}
	p, err := s.config.Hub.FindSignedIn(r.Context(), token)
	if isNotFound(err) {
		return team.Person{}, nil
	}
	return p, err
}

// isProxy reports whether a request came from one of the proxies.
func (s *Server) isProxy(r *http.Request) bool {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return false
	}
	for _, prefix := range s.config.Proxies {
		if prefix.Contains(from.Addr().Unmap()) {
			return true
		}
	}
	return false
}

// isPublic reports whether an address is served to everybody: what a browser needs to sign in.
func isPublic(path string) bool {
	switch path {
	case "/signin", teampage.ProviderPath, teampage.CallbackPath, "/signout", "/healthz", "/worker.js", "/favicon.ico":
		return true
	}
	return strings.HasPrefix(path, "/static/")
}

// refuseStranger leads a browser to the page that signs in, and refuses other requests.
func refuseStranger(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html") && r.Header.Get("Sec-Fetch-Dest") != "empty" {
		http.Redirect(w, r, "/signin", http.StatusSeeOther)
		return
	}
	http.Error(w, "sign in first", http.StatusUnauthorized)
}
