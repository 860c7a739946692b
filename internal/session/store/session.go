package store

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"sessiontree/internal/session"
)

// Session is one open session. It is safe for concurrent use.
type Session struct {
	lib *Library
	at  place

	writeMu sync.Mutex // one change at a time; taken before turn
	holders holderCache

	// updateMu lets one load or refresh happen at a time. It guards what they go on
	// from.
	updateMu           sync.Mutex
	reader             *fileReader
	checkpoint         Checkpoint
	needsReload        bool // the next refresh reads everything again
	sidecar            sidecarState
	lastRevision       Revision  // what the last look at the files found
	reportedRevision   Revision  // the last state that was reported as a change
	memberNotesChanged bool      // there is a note on another file's last line, or none any more
	agentsChanged      bool      // what other files say of agents changed
	relatedChanged     bool      // one of its files hangs together with a session file that is not shown with it
	lastGrowth         time.Time // when entries were last seen to be added

	mu      sync.RWMutex // guards what follows; held for memory work only
	tree    *session.Tree
	rev     Revision
	checks  []lineCheck // of all lines that became entries, in file order
	growth  growthLog   // how the tree grew in this epoch
	related []string    // names of the session files that hang together with this one, which stands first
	fileSet *fileSet    // the session's other files; nil when it is one file; written with the turn

	// meta is replaced, never changed, by whoever has the turn. It needs no lock,
	// so that Key and the like can be called while the tree is being read.
	meta   atomic.Pointer[sessionMeta]
	weight atomic.Int64 // bytes in memory, about

	unsyncedNote atomic.Pointer[session.Note] // about lines taken back that may not be on the disk; nil: none
}

// sessionMeta is what is known of a session beside its tree.
type sessionMeta struct {
	key          string
	format       *session.Format
	size         int64          // of the main file
	mtime        int64          // of the main file, ns
	torn         *session.Note  // about the last line, while it stands
	fileErr      error          // why the file cannot be read now
	sidecarNotes []session.Note // about what is kept aside
}

// Key names the session in URLs: the first 16 hex digits of SHA-256 over format,
// session id and canonical path.
func (s *Session) Key() string { return s.meta.Load().key }

// DeriveKey answers the key of a session whose file lies at the canonical path.
func DeriveKey(format, id, path string) string {
	h := sha256.Sum256([]byte(format + "\x00" + id + "\x00" + path))
	return hex.EncodeToString(h[:8])
}

// Path is the session's main file, canonical.
func (s *Session) Path() string { return s.at.path }

// Format is the session's format.
func (s *Session) Format() *session.Format { return s.meta.Load().format }

// ReadTree calls fn with the tree locked for reading. fn must neither block nor keep
// the tree, nor call ReadTree, Since, Notes or what reads the file.
func (s *Session) ReadTree(fn func(t *session.Tree, rev Revision)) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	fn(s.tree, s.rev)
}

// FirstEntrySince answers the position of the first entry that is new since rev. ok is
// false when rev is of another epoch: reload.
func (s *Session) FirstEntrySince(rev Revision) (p session.Pos, ok bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if rev.Epoch != s.rev.Epoch || rev.N > s.rev.N {
		return session.NoPos, false
	}
	return s.growth.firstEntryAfter(rev.N, s.tree.Len())
}

// ModTime is the file's modification time in ms.
func (s *Session) ModTime() int64 { return s.meta.Load().mtime / 1e6 }

// LastAgentWrite returns when somebody else than the explorer last wrote to the file, as
// far as can be told: a change made here is not a sign of an agent.
func (s *Session) LastAgentWrite() time.Time {
	k := s.meta.Load()
	return s.lib.own.agentWrote(s.at.path, k.size, k.mtime)
}

// FileError tells why the file cannot be read any more, nil when it can. What was
// read of it stays readable.
func (s *Session) FileError() error { return s.meta.Load().fileErr }

// updateMeta changes what is known of the session. The caller has the turn.
func (s *Session) updateMeta(change func(k *sessionMeta)) {
	var k sessionMeta
	if old := s.meta.Load(); old != nil {
		k = *old
	}
	change(&k)
	s.meta.Store(&k)
}

// Notes lists the tree's notes, and the one about a last line that is not
// finished while it stands. It must not be called within Read.
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
