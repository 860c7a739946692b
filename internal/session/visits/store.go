// Package visits stores which sessions have a star and what was read of each: one append-only
// file in the state directory.
package visits

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"sync"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/safefile"
)

// fileName is the name of the file in the state directory.
const fileName = "visits.jsonl"

// Key identifies a session wherever its file is.
type Key struct{ Format, Session string }

// Seen is how much of a session was read: how many messages it had, in all branches, and
// the time of the newest one in ms.
type Seen struct {
	Messages int   `json:"messages"`
	Newest   int64 `json:"newest"`
}

// KeyOf returns the key of a session.
func KeyOf(s *catalog.Summary) Key { return Key{s.Format, s.ID} }

// SeenOf returns what there is to read in a session.
func SeenOf(s *catalog.Summary) Seen { return Seen{s.Messages, s.Modified.UnixMilli()} }

// State is what is stored about a session.
type State struct {
	Starred bool
	Seen    *Seen // at the last visit; nil if there was none
	Unread  bool  // marked by hand
}

// IsUnread reports whether a session that has the messages of now has some that were added
// after the last visit, or was marked as unread. A session that was never visited is not
// unread.
func (s State) IsUnread(now Seen) bool {
	return s.Unread || s.Seen != nil && (now.Messages > s.Seen.Messages || now.Newest > s.Seen.Newest)
}

// Snapshot is the states of all sessions at some moment. It must not be changed.
type Snapshot map[Key]State

// Store stores the states of sessions. It is safe for concurrent use, also by several
// processes.
type Store struct {
	path string // "" = in memory only

	mu     sync.Mutex
	states Snapshot // replaced, never changed
	read   readMark // what was read of the file
}

// New returns the states in a state directory. With "", and where files cannot be locked,
// they last as long as the Store.
func New(stateDir string) *Store {
	s := &Store{states: Snapshot{}}
	if stateDir != "" && safefile.IsSupported {
		s.path = filepath.Join(stateDir, fileName)
	}
	return s
}

// Snapshot returns the current states. If the file cannot be read, they are the last ones
// that were.
func (s *Store) Snapshot() Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.readNew()
	return s.states
}

// IsStarred reports whether a session has a star.
func (s Snapshot) IsStarred(sum *catalog.Summary) bool { return s[KeyOf(sum)].Starred }

// SetStar adds or removes the star of a session.
func (s *Store) SetStar(ctx context.Context, k Key, on bool) error {
	return s.addRecords(ctx, true, record{Format: k.Format, Session: k.Session, Star: &on})
}

// MarkUnread marks a session as unread.
func (s *Store) MarkUnread(ctx context.Context, k Key) error {
	return s.addRecords(ctx, true, record{Format: k.Format, Session: k.Session, Unread: true})
}

// MarkRead stores a visit: everything until now was read. It writes nothing if that is
// known, and reports whether it wrote. A visit may be lost in a crash of the system.
func (s *Store) MarkRead(ctx context.Context, k Key, now Seen) (changed bool, err error) {
	if old := s.Snapshot()[k]; !old.Unread && old.Seen != nil && *old.Seen == now {
		return false, nil
	}
	return true, s.addRecords(ctx, false, record{Format: k.Format, Session: k.Session, Seen: &now})
}

// addRecords stores records in the file, or only in memory without one.
func (s *Store) addRecords(ctx context.Context, durable bool, records ...record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.path == "" {
		s.applyRecords(records)
		return nil
	}
	if err := s.appendToFile(ctx, durable, records); err != nil {
		return fmt.Errorf("the state of the session: %w", err)
	}
	return s.readNew()
}

// applyRecords replaces the states by those after records. The caller holds the lock.
func (s *Store) applyRecords(records []record) {
	if len(records) == 0 {
		return
	}
	next := maps.Clone(s.states)
	for _, r := range records {
		k := Key{r.Format, r.Session}
		next[k] = r.apply(next[k])
	}
	s.states = next
}
