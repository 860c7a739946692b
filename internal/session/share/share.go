// Package share keeps parts of sessions for readers who are sent a link. What a
// reader sees is a snapshot: a session file of its own, made by package export and
// looked through on the way, and never the session that it was made of.
package share

import (
	"errors"
	"log/slog"
	"sync"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/store"
)

// ErrGone: there was such a share, and it is not shown any more.
var ErrGone = errors.New("this share is no longer available")

// Config says where shares are kept and how they are read.
type Config struct {
	Dir     string // of nothing else; made with the first share
	Formats []*session.Format
	Home    string // for "~" in row texts
	// Redactor looks through what is shared, also what comes to a live share later.
	Redactor export.Redactor
	Clock    func() time.Time // nil = time.Now
	// Changed is told of every change of a snapshot that is open. It is called
	// without locks held and must not block.
	Changed func(*store.Session, store.Change)
	Log     *slog.Logger // nil tells nobody
}

// Shares is all shares of a directory. It is safe for concurrent use, and other
// processes may use the directory at the same time.
type Shares struct {
	dir      string
	lib      *store.Library
	redactor export.Redactor
	now      func() time.Time
	log      *slog.Logger

	mu   sync.Mutex
	byID map[string]*cachedShare // by id
}

// New reads what shares there are, and removes what was left of making one when
// the program ended.
func New(c Config) (*Shares, error) {
	s := &Shares{dir: c.Dir, redactor: c.Redactor, now: c.Clock, log: c.Log, byID: map[string]*cachedShare{}}
	if s.now == nil {
		s.now = time.Now
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	var err error
	s.lib, err = store.New(store.Config{Formats: c.Formats, Roots: []string{c.Dir}, Home: c.Home, StateDir: c.Dir, Standalone: true,
		ReadOnly: true, Clock: s.now, OnChange: c.Changed})
	if err != nil {
		return nil, err
	}
	if err := s.refreshRecords(); err != nil {
		return nil, err
	}
	return s, s.removeLeftovers()
}

// Share is what is known of a share.
type Share struct {
	ID           string    `json:"id"` // 8 hex digits
	Title        string    `json:"title"`
	Note         string    `json:"note,omitempty"`
	SharedBy     string    `json:"by,omitempty"`
	Created      time.Time `json:"created"`
	Expires      time.Time `json:"expires,omitzero"` // zero: never
	Revoked      time.Time `json:"revoked,omitzero"`
	RevokeReason string    `json:"why,omitempty"` // the program revoked it, "" when somebody did
	Live         bool      `json:"live,omitempty"`
	ShowNames    bool      `json:"names,omitempty"` // the session's name and its project's directory are shown

	Entries        int              `json:"entries"` // in the snapshot
	SessionEntries int              `json:"of"`      // in the session
	Bytes          int64            `json:"bytes"`
	Redacted       []export.Count   `json:"redacted"`
	Classes        map[string]bool  `json:"classes,omitempty"` // what was replaced
	Without        export.Omissions `json:"without,omitzero"`  // what was left out
	Source         Source           `json:"source"`

	// What follows is not recorded but looked at.
	Damage string `json:"-"` // why the share cannot be read, "" when it can

	Visits  int       `json:"-"`
	Visited time.Time `json:"-"` // the last time, zero never
	Lost    bool      `json:"-"` // the snapshot's file is not there
}

// Source is what a share was made of. It is for whoever shared it and reaches no
// reader.
type Source struct {
	Key     string       `json:"key"`
	Path    string       `json:"path"`
	Session string       `json:"session"` // id
	Name    string       `json:"name,omitempty"`
	Project string       `json:"project,omitempty"`
	Format  string       `json:"format"`
	Entry   string       `json:"entry,omitempty"`
	To      string       `json:"to,omitempty"`
	Scope   export.Scope `json:"scope"`
}

// State says whether a share is shown.
type State uint8

// The states.
const (
	Open State = iota
	Expired
	Revoked
	Lost    // the snapshot's file was taken away
	Damaged // the record or the snapshot cannot be read
)

// StateAt is the share's at a time.
func (s Share) StateAt(now time.Time) State {
	switch {
	case !s.Revoked.IsZero():
		return Revoked
	case !s.Expires.IsZero() && !now.Before(s.Expires):
		return Expired
	case s.Lost:
		return Lost
	case s.Damage != "":
		return Damaged
	}
	return Open
}
