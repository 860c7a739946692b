// Package store is the only place that touches session files: it opens them
// through their configured root, follows them and reads bodies from them. No
// file stays open between operations.
package store

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"sessiontree/internal/session"
)

// Config says where sessions are.
type Config struct {
	Formats     []*session.Format
	Roots       []string // directories or single files
	FollowLinks bool
	Home        string // for "~" in row texts
	// Memory bounds the bytes held by open sessions that nobody uses; 0 = 192 MiB.
	// A session that somebody holds stays open and is found by Opened.
	Memory int64
	// OnChange, when set, is told of every change of an open session, whoever
	// caused it to be seen: Refresh, Open, or a read that found the file changed.
	// It is called without locks held and must not block.
	OnChange func(*Session, Change)
	// StateDir is the directory of what the explorer keeps of sessions outside of
	// their files; "" = nothing is kept.
	StateDir string
	// Standalone: a session is what its file says now. Its blobs lie in its own directory,
	// not also in one above it, and lines that are taken back are gone.
	Standalone bool
	// ReadOnly forbids every change of a session.
	ReadOnly bool
	Clock    func() time.Time // nil = time.Now
	// Unsynced: new files do not wait for the disk. Measurements and tests alone want that.
	Unsynced bool
}

// Library is all configured roots and the sessions open in them. It is safe for
// concurrent use.
type Library struct {
	formats     []*session.Format
	home        string
	followLinks bool
	onChange    func(*Session, Change)
	maxLineSize int // line that is read, in bytes
	epochs      epochCounter
	loadGroup   singleflight.Group
	cache       sessionCache
	related     relatedIndex
	fileCache   fileCache
	loads       activeLoads
	own         ownWrites

	readOnly   bool
	standalone bool
	sync       bool // new files are made durable before they are named
	disk       diskOps
	now        func() time.Time
	sidecars   *sidecarStore      // nil: nothing is kept aside
	testHook   func(stage string) // tests step in where another writer may

	// walkMu lets one walk at a time find links: each forgets those that it does
	// not find again.
	walkMu sync.Mutex

	mu    sync.Mutex
	roots []*root // those configured, in order
	links []*root // those that links led to, found by the last Walk
}

// New checks the roots. A root that does not exist yet is kept and used when it
// appears.
func New(c Config) (*Library, error) {
	if len(c.Formats) == 0 {
		return nil, fmt.Errorf("%w: no formats to read", session.ErrInvalid)
	}
	l := &Library{formats: c.Formats, home: c.Home, followLinks: c.FollowLinks, onChange: c.OnChange, maxLineSize: maxLineSize}
	l.readOnly, l.sync, l.standalone = c.ReadOnly, !c.Unsynced, c.Standalone
	if l.disk = systemDiskOps(); !l.sync {
		l.disk.syncDir = nil
	}
	l.now, l.testHook = c.Clock, func(string) {}
	if c.Clock == nil {
		l.now = time.Now
	}
	if c.StateDir != "" {
		l.sidecars = newSidecarStore(c.StateDir)
	}
	l.epochs.startEpochs()
	l.cache.limit = c.Memory
	if l.cache.limit <= 0 {
		l.cache.limit = 192 << 20
	}
	for _, arg := range c.Roots {
		r, err := newRoot(arg)
		if err != nil {
			return nil, err
		}
		l.roots = append(l.roots, r)
	}
	return l, nil
}

// Open answers the open session of a path, loading it on first use and taking
// in what is new on later ones. The path must lie in a root. Errors:
// session.ErrNotFound, session.ErrNoSession, fs errors. A session that is open
// but whose file cannot be read any more is answered beside the error.
func (l *Library) Open(ctx context.Context, path string) (*Session, error) {
	at, err := l.locatePath(path)
	if err != nil {
		return nil, err
	}
	if s, ok := l.cache.getSession(at.path); ok {
		if _, err := s.Refresh(ctx); err != nil {
			return nil, err
		}
		return s, s.FileError()
	}
	// The load goes on when its first caller leaves: others may wait for it, and
	// the next click will want it.
	done := l.loadGroup.DoChan(at.path, func() (any, error) { return l.loadSession(context.WithoutCancel(ctx), at) })
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-done:
		if r.Err != nil {
			return nil, r.Err
		}
		return r.Val.(*Session), nil
	}
}

// loadSession reads a session for the first time and keeps it open.
func (l *Library) loadSession(ctx context.Context, at place) (*Session, error) {
	if s, ok := l.cache.getSession(at.path); ok { // another load ended just before ours began
		return s, nil
	}
	at.watched = l.onChange != nil && !l.standalone
	s := &Session{lib: l, at: at}
	if err := s.loadInitially(ctx); err != nil {
		return nil, err
	}
	l.cache.addOpenSession(s)
	return s, nil
}

// FindOpen answers a session only if it is open already.
func (l *Library) FindOpen(path string) (*Session, bool) {
	at, err := l.locatePath(path)
	if err != nil {
		return nil, false
	}
	return l.cache.getSession(at.path)
}

// OpenSessions lists the sessions that are open.
func (l *Library) OpenSessions() []*Session { return l.cache.listOpen() }

// TrimMemory lets go of open sessions that nobody holds until the rest takes at most so many
// bytes. They are opened again when they are asked for.
func (l *Library) TrimMemory(bytes int64) { l.cache.trimTo(bytes) }
