package session

import "errors"

// Errors that cross packages. internal/web maps them to status codes in one
// table; the command line prints what wraps them.
var (
	ErrNotFound = errors.New("not found")
	ErrInvalid  = errors.New("invalid")
	// ErrNoSession: the file holds no session of a known format.
	ErrNoSession = errors.New("not a session file")
	// ErrStale: the file changed under a position or span taken before.
	ErrStale = errors.New("session changed since it was read")
	// ErrReadOnly: the file, its directory or the program's flags forbid writing.
	ErrReadOnly = errors.New("read-only")
	// ErrConflict: the session is not as the one who asks has seen it, or another
	// writer is at work. Nothing was written.
	ErrConflict = errors.New("conflict")
	// ErrExists: a file of that name exists and is never overwritten.
	ErrExists = errors.New("exists already")
)
