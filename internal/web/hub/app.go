package hub

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/follow"
	"sessiontree/internal/session/hub"
	"sessiontree/internal/session/searchall"
	"sessiontree/internal/session/store"
	"sessiontree/internal/session/team"
	"sessiontree/internal/web"
	"sessiontree/internal/web/auth"
	"sessiontree/internal/web/teampage"
	"sessiontree/internal/web/view/index"
)

const (
	appIdleAge = 15 * time.Minute // after which the explorer of a person is closed
	appMemory  = 64 << 20         // bytes of open sessions of a person
)

// errClosed is returned while the server is closing.
var errClosed = errors.New("the hub is closing")

func isNotFound(err error) bool { return errors.Is(err, team.ErrNotFound) }

// app is the explorer over the sessions that one person may read.
type app struct {
	person   string // id, "" for people who have not signed in
	files    *hub.Files
	web      *web.Server
	access   *auth.Policy
	catalog  *catalog.Catalog
	follower *follow.Follower
	texts    searchall.Searcher // caches the texts of the sessions
	cancel   context.CancelFunc
	filling  sync.WaitGroup // of the catalog
	running  sync.WaitGroup // what runs until cancel is called

	// Guarded by Server.mu:
	lastUsed time.Time
	inUse    int // requests, of which sockets last

	release func()
}

// findApp returns the explorer of a person, which is opened if necessary. The caller releases
// it.
func (s *Server) findApp(p team.Person) (*app, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errClosed
	}
	a := s.apps[p.ID]
	if a == nil {
		var err error
		if a, err = s.newApp(p.ID, p.Role); err != nil {
			return nil, err
		}
		s.apps[p.ID] = a
	}
	a.inUse++
	return a, nil
}

// newApp opens the explorer over the sessions that a person may read. It is closed when the role
// changes.
func (s *Server) newApp(person string, role team.Role) (*app, error) {
	a := &app{person: person, files: s.config.Hub.FilesOf(person)}
	a.release = func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		a.inUse--
		a.lastUsed = s.config.Clock()
	}
	lib, err := store.New(store.Config{
		Formats: s.config.Formats, Roots: []string{a.files.Dir()}, Memory: appMemory, Copies: a.files,
		Hub:      &store.Hub{Dir: a.files.Dir(), Sidecars: s.config.Hub.SidecarsOf(a.files, a.titleOf), NoLabel: hub.NoLabel(role)},
		OnChange: func(sess *store.Session, change store.Change) { a.follower.SessionChanged(sess, change) },
	})
	if err != nil {
		return nil, err
	}
	a.catalog = catalog.New(catalog.Config{Library: lib, SpillDir: s.config.Hub.CacheDir(), Shared: s.config.Hub.Lists, Prices: s.config.View.Prices, OnChange: func() { a.follower.ListChanged() }})
	a.follower = follow.New(follow.Config{Library: lib, Catalog: a.catalog, Log: s.config.Log})
	a.access = auth.NewPolicy(auth.Config{
		Hosts: []string{hostName(s.host)}, TLS: s.servesTLS(), Log: s.config.Log,
		IsSignedIn: func(r *http.Request) bool { return person != "" && r.Context().Value(personKey{}) == person },
	})
	a.web, err = web.New(web.Config{
		Library: lib, Catalog: a.catalog, Follower: a.follower, View: s.config.View, Access: a.access, Log: s.config.Log,
		OnRead: func(path string) { s.recordRead(a, path) },
		Texts:  s.config.Hub.Texts,
		Team: &teampage.Handlers{
			Hub: s.config.Hub, Viewer: person, Files: a.files, URL: s.config.URL, Name: s.host, Secure: s.servesTLS(), Limiter: s.limiter, Provider: s.config.Provider, Log: s.config.Log,
		},
	})
	if err != nil {
		a.access.Close()
		a.follower.Close()
		return nil, err
	}
	a.texts = searchall.Searcher{Library: lib, Catalog: a.catalog, Texts: s.config.Hub.Texts}
	ctx, cancel := context.WithCancel(context.Background())
	a.cancel = cancel
	a.follower.Start()
	a.filling.Go(func() { s.fill(ctx, a) })
	a.running.Go(func() { s.keepTexts(ctx, a) })
	return a, nil
}

// titleOf returns the title of a session.
func (a *app) titleOf(path string) string {
	if s, ok := a.catalog.FindByPath(path); ok {
		return index.SummaryTitle(&s)
	}
	return ""
}

func (a *app) close() {
	a.cancel()
	a.filling.Wait()
	a.running.Wait()
	a.web.Close()
	a.follower.Close()
	a.access.Close()
}

// filesChanged makes all explorers read files that have changed. Those whose person may not
// read a file any more are closed, because they may have it in memory.
func (s *Server) filesChanged(c hub.Change) {
	s.wakeLabels()
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, a := range s.apps {
		switch {
		case c.Person != "": // the pages show the role, and somebody without one must see nothing
			if id == c.Person {
				s.closeApp(id, a)
			}
		case c.Hidden && a.hasHidden(c.Paths):
			s.closeApp(id, a)
		case len(c.Paths) == 0:
			s.running.Go(func() { a.follower.Rescan(s.ctx) })
		default:
			a.readChanged(c.Paths)
		}
	}
}

// closeApp closes the explorer of a person, with its sockets. The caller holds s.mu.
func (s *Server) closeApp(id string, a *app) {
	delete(s.apps, id)
	s.running.Go(func() {
		a.close()
		s.saveLists()
	})
}

// readChanged makes the explorer read files that have changed, if the person may read them.
func (a *app) readChanged(paths []string) {
	for _, archived := range paths {
		if path, mayRead := a.files.PathOf(archived); mayRead {
			a.follower.PathChanged(path)
		}
	}
}

// hasHidden reports whether the explorer has one of these files, or any without paths, that
// the person may not read any more.
func (a *app) hasHidden(paths []string) bool {
	for _, archived := range paths {
		if path, mayRead := a.files.PathOf(archived); !mayRead && a.catalog.Has(path) {
			return true
		}
	}
	return len(paths) == 0 && slices.ContainsFunc(a.catalog.Sessions(), func(s catalog.Summary) bool {
		archived, _ := a.files.ArchivePath(s.Path)
		_, mayRead := a.files.PathOf(archived)
		return !mayRead
	})
}

func (s *Server) closeUnusedSince(at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, a := range s.apps {
		if a.inUse == 0 && a.lastUsed.Before(at) {
			s.closeApp(id, a)
		}
	}
}

// closeWithoutAccess closes the explorers of people whose access was removed by another process
// of the hub, with their sockets. Each request is checked anyway.
func (s *Server) closeWithoutAccess() {
	people, err := s.config.Hub.Registry.ListPeople(s.ctx)
	if err != nil {
		s.config.Log.Warn("who has no access any more was not looked for", "err", err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range people {
		if a := s.apps[p.ID]; a != nil && p.Role == team.None {
			s.closeApp(p.ID, a)
		}
	}
}

// Close closes all explorers with their sockets.
func (s *Server) Close() {
	s.cancel()
	s.mu.Lock()
	s.closed = true
	for id, a := range s.apps {
		s.closeApp(id, a)
	}
	s.mu.Unlock()
	s.running.Wait()
}
