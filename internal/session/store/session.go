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

	writing sync.Mutex // one change at a time; taken before turn
	held    heldBefore

	// turn lets one load or refresh happen at a time. It guards what they go on
	// from.
	turn     sync.Mutex
	reading  *reading
	mark     Mark
	distrust bool // the next refresh reads everything again
	aside    asideSeen
	looked   Rev       // what the last look at the files found
	reported Rev       // the last state that was reported as a change
	retold   bool      // there is a note on another file's last line, or none any more
	relinked bool      // what other files say of agents changed
	tied     bool      // one of its files hangs together with a session file that is not shown with it
	grew     time.Time // when entries were last seen to be added

	mu     sync.RWMutex // guards what follows; held for memory work only
	tree   *session.Tree
	rev    Rev
	checks []check  // of all lines that became entries, in file order
	steps  steps    // how the tree grew in this epoch
	kin    []string // names of the session files that hang together with this one, which stands first
	joined *joined  // the session's other files; nil when it is one file; written with the turn

	// known is replaced, never changed, by whoever has the turn. It needs no lock,
	// so that Key and the like can be called while the tree is being read.
	known  atomic.Pointer[known]
	weight atomic.Int64 // bytes in memory, about

	unsynced atomic.Pointer[session.Note] // about lines taken back that may not be on the disk; nil: none
}

// known is what is known of a session beside its tree.
type known struct {
	key    string
	format *session.Format
	mtime  int64          // ms
	theirs int64          // mtime before what was last written here, while that is the last of the file; else 0
	torn   *session.Note  // about the last line, while it stands
	gone   error          // why the file cannot be read now
	aside  []session.Note // about what is kept aside
}

// Key names the session in URLs: the first 16 hex digits of SHA-256 over format,
// session id and canonical path.
func (s *Session) Key() string { return s.known.Load().key }

// Key answers the key of a session whose file lies at the canonical path.
func Key(format, id, path string) string {
	h := sha256.Sum256([]byte(format + "\x00" + id + "\x00" + path))
	return hex.EncodeToString(h[:8])
}

// Path is the session's main file, canonical.
func (s *Session) Path() string { return s.at.path }

// Format is the session's format.
func (s *Session) Format() *session.Format { return s.known.Load().format }

// Read calls fn with the tree locked for reading. fn must neither block nor keep
// the tree, nor call Read, Since, Notes or what reads the file.
func (s *Session) Read(fn func(t *session.Tree, rev Rev)) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	fn(s.tree, s.rev)
}

// Since answers the position of the first entry that is new since rev. ok is
// false when rev is of another epoch: reload.
func (s *Session) Since(rev Rev) (p session.Pos, ok bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if rev.Epoch != s.rev.Epoch || rev.N > s.rev.N {
		return session.NoPos, false
	}
	return s.steps.since(rev.N, s.tree.Len())
}

// Modified is the file's modification time in ms.
func (s *Session) Modified() int64 { return s.known.Load().mtime }

// AgentWrote is when somebody else than the explorer last wrote to the file, in
// ms, as far as can be told: a change made here is not a sign of an agent.
func (s *Session) AgentWrote() int64 {
	k := s.known.Load()
	if k.theirs != 0 {
		return k.theirs
	}
	return k.mtime
}

// Gone tells why the file cannot be read any more, nil when it can. What was
// read of it stays readable.
func (s *Session) Gone() error { return s.known.Load().gone }

// know changes what is known of the session. The caller has the turn.
func (s *Session) know(change func(k *known)) {
	var k known
	if old := s.known.Load(); old != nil {
		k = *old
	}
	change(&k)
	s.known.Store(&k)
}

// Notes lists the tree's notes, and the one about a last line that is not
// finished while it stands. It must not be called within Read.
func (s *Session) Notes() []session.Note {
	s.mu.RLock()
	defer s.mu.RUnlock()
	notes := s.tree.Notes()
	known := s.known.Load()
	if known.torn != nil {
		notes = append(slices.Clip(notes), *known.torn)
	}
	if s.joined != nil {
		for _, m := range s.joined.members {
			if m.torn != nil {
				notes = append(slices.Clip(notes), *m.torn)
			}
		}
	}
	if n := s.unsynced.Load(); n != nil {
		notes = append(slices.Clip(notes), *n)
	}
	return append(slices.Clip(notes), known.aside...)
}
