// Package store opens, follows and changes session files; no other package accesses them.
// It opens them through their configured roots and reads bodies on request. No file stays
// open between operations.
package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sync/singleflight"

	"sessiontree/internal/session"
	"sessiontree/internal/session/gather"
	"sessiontree/internal/session/ownwrites"
	"sessiontree/internal/session/related"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/scan"
	"sessiontree/internal/session/search"
	"sessiontree/internal/session/sidecar"
)

// Config configures a Library.
type Config struct {
	Formats     []*session.Format
	Roots       []string // directories or single files
	FollowLinks bool
	Home        string // for "~" in row texts
	// Memory limits the memory of open sessions that are not in use, in bytes; 0 = 192
	// MiB. A session in use stays open and is found by FindOpen.
	Memory int64
	// OnChange, if set, is called for every change of an open session, whether found by
	// Refresh, Open or a read. It is called without locks held and must not block.
	OnChange func(*Session, Change)
	// OnLoad, if set, is called before a session is read and kept open, and done afterwards.
	OnLoad func() (done func())
	// StateDir is the directory for sidecars and retracted lines; "" = nothing is stored.
	StateDir string
	// Copies are copies of deleted files, or nil. Sessions are read from them and cannot be
	// changed.
	Copies roots.Copies
	// Standalone limits a session to its file: blobs are only searched in its own
	// directory, and retracted lines are not kept.
	Standalone bool
	// ReadOnly forbids changes of sessions.
	ReadOnly bool
	// Hub is set if the sessions are on a hub, nil otherwise. It implies ReadOnly.
	Hub   *Hub
	Clock func() time.Time // nil = time.Now
	// Unsynced makes new files without waiting for the disk. It is for tests and benchmarks.
	Unsynced bool
}

// Hub is how a library shows the sessions of a hub: files do not change there, except when a device
// pushes them, and labels are those of the hub.
type Hub struct {
	Dir      string // below which files seem to be
	Sidecars *sidecar.Store
	NoLabel  string // why this person sets no labels, "" = may
}

// Library is the configured roots and the sessions open in them. It is safe for concurrent use.
type Library struct {
	formats     []*session.Format
	roots       *roots.Set
	onChange    func(*Session, Change)
	onLoad      func() (done func())
	scanOptions scan.Options
	epochs      epochCounter
	loadGroup   singleflight.Group
	cache       sessionCache
	related     related.Index
	fileCache   gather.FileCache
	plainFiles  search.PlainFiles
	loads       activeLoads
	own         ownwrites.Log

	readOnly   string // why sessions cannot be changed, "" = they can
	hub        *Hub
	standalone bool
	sync       bool // new files are made durable before they get their names
	disk       safefile.Disk
	now        func() time.Time
	stateDir   string             // "" = nothing is stored
	sidecars   *sidecar.Store     // nil without a state directory
	testHook   func(stage string) // lets tests act as other writers
}

// New returns a library of the configured roots. A root that does not exist yet is used
// when it appears.
func New(c Config) (*Library, error) {
	if len(c.Formats) == 0 {
		return nil, fmt.Errorf("%w: no formats to read", session.ErrInvalid)
	}
	l := &Library{formats: c.Formats, onChange: c.OnChange, onLoad: c.OnLoad, scanOptions: scan.Options{Home: c.Home, MaxLineSize: scan.MaxLineSize}}
	l.sync, l.standalone = !c.Unsynced, c.Standalone
	if l.disk = safefile.SystemDisk(); !l.sync {
		l.disk.SyncDir = nil
	}
	l.now, l.testHook = c.Clock, func(string) {}
	if c.Clock == nil {
		l.now = time.Now
	}
	if l.stateDir = c.StateDir; c.StateDir != "" {
		l.sidecars = sidecar.NewStore(c.StateDir)
	}
	switch l.hub = c.Hub; {
	case l.hub != nil:
		l.readOnly, l.sidecars = "Sessions on a hub cannot be changed.", l.hub.Sidecars
	case c.ReadOnly:
		l.readOnly = "The explorer was started read-only."
	}
	l.epochs.startEpochs()
	l.cache.limit = cmp.Or(c.Memory, 192<<20)
	var err error
	if l.roots, err = roots.New(c.Roots, c.FollowLinks, c.Copies); err != nil {
		return nil, err
	}
	l.scanOptions.OpenDir = func(path string) (scan.Dir, error) { return l.roots.OpenDir(path) }
	return l, nil
}

// Formats returns the formats that the library reads.
func (l *Library) Formats() []*session.Format { return l.formats }

// Roots returns the roots of the library.
func (l *Library) Roots() *roots.Set { return l.roots }

// Related returns the index of the entries that session files share.
func (l *Library) Related() *related.Index { return &l.related }

// Open returns the session at path. It loads the session on first use and refreshes it
// later. The path must be in a root. Errors: session.ErrNotFound, session.ErrNoSession,
// fs errors. If the file of an open session cannot be read any more, Open returns both
// the session and the error.
func (l *Library) Open(ctx context.Context, path string) (*Session, error) {
	at, err := l.roots.Locate(path)
	if err != nil {
		return nil, err
	}
	if s, ok := l.cache.getSession(at.Path); ok {
		if _, err := s.Refresh(ctx); err != nil {
			return nil, err
		}
		return s, s.FileError()
	}
	// The load continues if its first caller leaves: others may wait for it, and the
	// next click will want it.
	done := l.loadGroup.DoChan(at.Path, func() (any, error) { return l.loadSession(context.WithoutCancel(ctx), at) })
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

// loadSession reads a session for the first time and adds it to the cache.
func (l *Library) loadSession(ctx context.Context, at roots.Place) (*Session, error) {
	if s, ok := l.cache.getSession(at.Path); ok { // another load has just finished
		return s, nil
	}
	if l.onLoad != nil {
		defer l.onLoad()()
	}
	s := &Session{lib: l, at: at, isWatched: l.onChange != nil && !l.standalone}
	if err := s.loadInitially(ctx); err != nil {
		return nil, err
	}
	l.cache.addOpenSession(s)
	return s, nil
}

// FindOpen returns the session at path if it is open.
func (l *Library) FindOpen(path string) (*Session, bool) {
	at, err := l.roots.Locate(path)
	if err != nil {
		return nil, false
	}
	return l.cache.getSession(at.Path)
}

// OpenSessions returns the open sessions.
func (l *Library) OpenSessions() []*Session { return l.cache.listOpen() }

// AgentWrote returns when another program last wrote to the file at a canonical path. m is its checkpoint.
func (l *Library) AgentWrote(path string, m *scan.Checkpoint) time.Time {
	return l.own.AgentWrote(path, m.Size, m.Mtime)
}

// RestoreAgentWrote records a result of AgentWrote in an earlier run.
func (l *Library) RestoreAgentWrote(path string, m *scan.Checkpoint, wrote time.Time) {
	l.own.Restore(path, m, wrote)
}

// TrimMemory evicts sessions that are not in use until the others take at most the
// given number of bytes. They are loaded again when needed.
func (l *Library) TrimMemory(bytes int64) { l.cache.trimTo(bytes) }

// RemoveLeftovers removes the temporary files of dead processes from the roots and the
// state directory.
func (l *Library) RemoveLeftovers(ctx context.Context) error {
	if l.readOnly != "" {
		return nil
	}
	var failed []error
	err := l.roots.WalkTempFiles(ctx, func(dir *os.Root, rel string) { failed = append(failed, safefile.RemoveLeftover(dir, rel, l.now())) })
	failed = append(failed, err)
	if l.stateDir != "" {
		failed = append(failed, safefile.RemoveLeftoversUnder(l.stateDir, l.now()))
	}
	return errors.Join(failed...)
}
