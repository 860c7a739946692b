// Package store is the only place that touches session files: it opens them
// through their configured root, follows them and reads bodies from them. No
// file stays open between operations.
package store

import (
	"context"

	"sessiontree/internal/session"
)

// Config says where sessions are.
type Config struct {
	Formats     []*session.Format
	Roots       []string // directories or single files
	FollowLinks bool
	Home        string // for "~" in row texts
}

// Library is all configured roots and the sessions open in them. It is safe for
// concurrent use.
type Library struct{}

// New checks the roots. A root that does not exist yet is kept and used when it
// appears.
func New(c Config) (*Library, error) { panic("contract") }

// File is one session file found under a root.
type File struct {
	Path  string // absolute
	Root  string // the root it is in
	Size  int64
	Mtime int64 // ns
	Err   error // why it cannot be read, or nil
}

// Walk calls fn for every session file under every root, sub-directories
// included; dot files and files not ending in .jsonl are passed by.
func (l *Library) Walk(ctx context.Context, fn func(File)) error { panic("contract") }

// Dirs lists the directories to watch.
func (l *Library) Dirs() []string { panic("contract") }

// Open answers the open session of a path, loading it on first use. The path
// must lie in a root. Errors: session.ErrNotFound, session.ErrNoSession, fs
// errors.
func (l *Library) Open(ctx context.Context, path string) (*Session, error) { panic("contract") }

// Opened answers a session only if it is open already.
func (l *Library) Opened(path string) (*Session, bool) { panic("contract") }

// Scan loads a session once without keeping it open, for listings.
func (l *Library) Scan(ctx context.Context, path string) (*session.Tree, *session.Format, error) {
	panic("contract")
}

// Rev names an accepted state of a session. It is opaque to browsers.
type Rev struct {
	Epoch uint64 // changes when positions taken before are void
	N     int64  // grows with every accepted line
}

// String is "<epoch>.<n>" in base 36.
func (r Rev) String() string { panic("contract") }

// ParseRev reads what String wrote.
func ParseRev(s string) (Rev, error) { panic("contract") }

// Session is one open session.
type Session struct{}

// Key names the session in URLs: the first 16 hex digits of SHA-256 over format,
// session id and canonical path.
func (s *Session) Key() string { panic("contract") }

// Path is the session's main file.
func (s *Session) Path() string { panic("contract") }

// Format is the session's format.
func (s *Session) Format() *session.Format { panic("contract") }

// Read calls fn with the tree locked for reading. fn must neither block nor keep
// the tree.
func (s *Session) Read(fn func(t *session.Tree, rev Rev)) { panic("contract") }

// Since answers the position of the first entry that is new since rev. ok is
// false when rev is of another epoch: reload.
func (s *Session) Since(rev Rev) (p session.Pos, ok bool) { panic("contract") }

// ChangeKind says how a session changed.
type ChangeKind uint8

// The kinds of change, the stronger the larger.
const (
	Unchanged ChangeKind = iota
	Appended
	Rewritten // reloaded: positions are void
	Removed   // the file is gone or cannot be read
)

// Change is what a Refresh found.
type Change struct {
	Kind    ChangeKind
	Rev     Rev
	Leaf    string // id
	Entries int    // new entries
	Labels  bool   // labels changed
}

// Refresh takes in what is new in the files, at a cost in proportion to it.
func (s *Session) Refresh(ctx context.Context) (Change, error) { panic("contract") }

// Modified is the file's modification time in ms.
func (s *Session) Modified() int64 { panic("contract") }

// Raw reads the recorded line of an entry, without its end. session.ErrStale
// when the file changed below it; the session is then reloaded.
func (s *Session) Raw(ctx context.Context, p session.Pos) ([]byte, error) { panic("contract") }

// Body reads and decodes an entry.
func (s *Session) Body(ctx context.Context, p session.Pos) (session.Body, error) { panic("contract") }

// Bodies reads and decodes several entries, opening the file once.
func (s *Session) Bodies(ctx context.Context, ps []session.Pos) ([]session.Body, error) {
	panic("contract")
}

// Line reads the recorded line at a span of a note.
func (s *Session) Line(ctx context.Context, n session.Note) ([]byte, error) { panic("contract") }

// Blob opens a blob of the format's blob directory by its name. Only names of 64
// lower-case hex digits are accepted.
func (s *Session) Blob(ctx context.Context, name string) ([]byte, error) { panic("contract") }

// Search lists the entries whose full text (label, role, text, tool output)
// holds every word of query, case folded, in file order.
func (s *Session) Search(ctx context.Context, query string) ([]session.Pos, error) {
	panic("contract")
}
