package store

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/scan"
	"sessiontree/internal/session/sidecar"
)

// Session is one open session. It is safe for concurrent use.
type Session struct {
	lib *Library
	at  roots.Place
	// isWholeDir is set for all sessions in the directory of the file.
	isWholeDir bool
	// isWatched is set if changes are reported. Lines that the agent retracts are then
	// kept.
	isWatched bool

	writeMu sync.Mutex // one change at a time; locked before updateMu
	writers safefile.WriterCache

	// updateMu serializes updates, see beginUpdate. It guards their state.
	updateMu           sync.Mutex
	reader             *scan.Reader
	checkpoint         scan.Checkpoint
	needsReload        bool // the next refresh reads everything again
	sidecar            sidecar.State
	lastRevision       Revision  // found by the last refresh
	reportedRevision   Revision  // last reported as a change
	memberNotesChanged bool      // a note about the last line of another file came or went
	agentsChanged      bool      // side files changed what they say about agents
	relatedChanged     bool      // a file became related to a session file that is not shown with it
	lastGrowth         time.Time // when entries were last added

	// Refreshes are counted when they begin, so that a call that waited for updateMu knows
	// whether another one has refreshed all files since.
	begun     atomic.Uint64
	lookedAll uint64 // number of the last successful refresh of all files; guarded by updateMu

	mu      sync.RWMutex // guards the following fields; held for memory access only
	tree    *session.Tree
	rev     Revision
	checks  []scan.LineCheck // of all lines that are entries, in file order
	growth  growthLog        // growth of the tree in this epoch
	related []string         // names of the related session files, this one first
	fileSet *fileSet         // the session's other files; nil if it is one file; written with updateMu held

	// meta is replaced, never changed, with updateMu held. Reading it needs no lock, so
	// that Key and others can be called while the tree is read.
	meta   atomic.Pointer[sessionMeta]
	weight atomic.Int64 // memory in bytes, estimated

	unsyncedNote atomic.Pointer[session.Note] // about retracted lines that may not be on the disk, or nil
}

// sessionMeta is the state of a session apart from its tree.
type sessionMeta struct {
	key          string
	format       *session.Format
	size         int64          // of the main file
	mtime        int64          // of the main file, ns
	deleted      bool           // the main file was deleted and is read from its copy
	torn         *session.Note  // about an unfinished last line
	fileErr      error          // why the file cannot be read now
	sidecarNotes []session.Note // about the sidecars
}

// Key returns the name of the session in URLs: the first 16 hex digits of the SHA-256
// of format, session id and canonical path.
func (s *Session) Key() string { return s.meta.Load().key }

// DeriveKey returns the key of the session whose file is at the canonical path.
func DeriveKey(format, id, path string) string {
	h := sha256.Sum256([]byte(format + "\x00" + id + "\x00" + path))
	return hex.EncodeToString(h[:8])
}

// DeriveKey returns the key of a session. On a hub it is the same in all processes.
func (l *Library) DeriveKey(format, id, path string) string {
	if l.hub != nil {
		path = strings.TrimPrefix(path, l.hub.Dir)
	}
	return DeriveKey(format, id, path)
}

// Path returns the canonical path of the session's main file.
func (s *Session) Path() string { return s.at.Path }

// Format returns the session's format.
func (s *Session) Format() *session.Format { return s.meta.Load().format }

// ReadTree calls fn with the tree locked for reading. fn must neither block nor keep
// the tree. It must not call ReadTree, FirstEntrySince, Notes or anything that reads
// the file.
func (s *Session) ReadTree(fn func(t *session.Tree, rev Revision)) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	fn(s.tree, s.rev)
}

// FirstEntrySince returns the position of the first entry added since rev. ok is false
// if rev has another epoch: then everything must be read again.
func (s *Session) FirstEntrySince(rev Revision) (p session.Pos, ok bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if rev.Epoch != s.rev.Epoch || rev.N > s.rev.N {
		return session.NoPos, false
	}
	return s.growth.firstEntryAfter(rev.N, s.tree.Len())
}

// ModTime returns the file's modification time in ms.
func (s *Session) ModTime() int64 { return s.meta.Load().mtime / 1e6 }

// LastAgentWrite returns when a program other than the explorer last wrote to the file, as
// far as that is known.
func (s *Session) LastAgentWrite() time.Time {
	k := s.meta.Load()
	return s.lib.own.AgentWrote(s.at.Path, k.size, k.mtime)
}

// FileError returns why the file cannot be read any more, nil if it can. The entries
// read before remain available.
func (s *Session) FileError() error { return s.meta.Load().fileErr }

// updateMeta changes the meta of the session.
func (u update) updateMeta(change func(k *sessionMeta)) {
	var k sessionMeta
	if old := u.s.meta.Load(); old != nil {
		k = *old
	}
	change(&k)
	u.s.meta.Store(&k)
}

// Notes returns the notes of the tree, of unfinished last lines and of the sidecars. It
// must not be called within ReadTree.
func (s *Session) Notes() []session.Note {
	s.mu.RLock()
	defer s.mu.RUnlock()
	notes := s.tree.Notes()
	known := s.meta.Load()
	if known.torn != nil {
		notes = append(slices.Clip(notes), *known.torn)
	}
	if s.fileSet != nil {
		for _, m := range s.fileSet.members {
			if m.torn != nil {
				notes = append(slices.Clip(notes), *m.torn)
			}
		}
	}
	if n := s.unsyncedNote.Load(); n != nil {
		notes = append(slices.Clip(notes), *n)
	}
	return append(slices.Clip(notes), known.sidecarNotes...)
}

// update is the exclusive right to load or refresh a session, and to use what an update
// changes. Whatever needs this right is a method of update, or is called by one.
type update struct{ s *Session }

// beginUpdate waits for other updates of the session to end.
func (s *Session) beginUpdate() update {
	s.updateMu.Lock()
	return update{s}
}

// End ends the update.
func (u update) End() { u.s.updateMu.Unlock() }
