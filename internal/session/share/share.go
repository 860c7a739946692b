// Package share stores parts of sessions for viewers who have a link. A viewer sees a
// snapshot: a separate, redacted session file made by package export, never the session
// itself. A share exists once its record is written, which is last.
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

// ErrGone is returned for a share that existed and is not shown any more.
var ErrGone = errors.New("this share is no longer available")

// Config configures where shares are stored and how they are read.
type Config struct {
	Dir     string // used for nothing else; created with the first share
	Formats []*session.Format
	Home    string // shown as "~" in row texts
	// Redactor redacts new shares and updates of live shares.
	Redactor export.Redactor
	Clock    func() time.Time // nil for time.Now
	// Changed is called after every change of an open snapshot. No locks are held during
	// the call, and it must not block.
	Changed func(*store.Session, store.Change)
	Log     *slog.Logger // nil discards the messages
}

// Shares holds all shares of a directory. It is safe for concurrent use, and several
// processes may use the directory at the same time.
type Shares struct {
	dir      string
	lib      *store.Library
	redactor export.Redactor
	now      func() time.Time
	log      *slog.Logger

	mu   sync.Mutex
	byID map[string]*cachedShare // by share id
}

// New reads the shares of a directory and removes leftovers of interrupted processes.
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

// Share describes a share.
type Share struct {
	ID           string    `json:"id"` // 8 hex digits
	Title        string    `json:"title"`
	Note         string    `json:"note,omitempty"`
	SharedBy     string    `json:"by,omitempty"`
	Created      time.Time `json:"created"`
	Expires      time.Time `json:"expires,omitzero"` // zero: never
	Revoked      time.Time `json:"revoked,omitzero"`
	RevokeReason string    `json:"why,omitempty"` // reason if the program revoked it, "" if a person did
	Live         bool      `json:"live,omitempty"`
	ShowNames    bool      `json:"names,omitempty"` // whether the session's name and its project's directory are shown

	Entries        int              `json:"entries"` // in the snapshot
	SessionEntries int              `json:"of"`      // in the session
	Bytes          int64            `json:"bytes"`
	Redacted       []export.Count   `json:"redacted"`
	Classes        map[string]bool  `json:"classes,omitempty"` // classes that are replaced
	Without        export.Omissions `json:"without,omitzero"`  // content that is omitted
	Source         Source           `json:"source"`

	// The following fields are not recorded.
	Damage string `json:"-"` // why the share cannot be read, "" if it can

	Visits  int       `json:"-"`
	Visited time.Time `json:"-"` // time of the last visit, zero if there was none
	Lost    bool      `json:"-"` // the snapshot's file is missing
}

// Source describes what a share was made of. It is for the owner and is not shown to
// viewers.
type Source struct {
	Key     string       `json:"key"`
	Path    string       `json:"path"`
	Session string       `json:"session"` // session id
	Name    string       `json:"name,omitempty"`
	Project string       `json:"project,omitempty"`
	Format  string       `json:"format"`
	Entry   string       `json:"entry,omitempty"`
	To      string       `json:"to,omitempty"`
	Scope   export.Scope `json:"scope"`
}

// State describes whether a share is shown.
type State uint8

// The states.
const (
	Open State = iota
	Expired
	Revoked
	Lost    // the snapshot's file was deleted
	Damaged // the record or the snapshot cannot be read
)

// StateAt returns the share's state at a time.
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
