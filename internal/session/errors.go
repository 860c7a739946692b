package session

import "errors"

// Errors that cross packages. internal/web maps them to status codes in one table; the
// command line prints the errors that wrap them.
var (
	ErrNotFound = errors.New("not found")
	ErrInvalid  = errors.New("invalid")
	// ErrNoSession says that a file has no session of a known format.
	ErrNoSession = errors.New("not a session file")
	// ErrStale says that the file changed at a position or span.
	ErrStale = errors.New("session changed since it was read")
	// ErrReadOnly says that the file, its directory or the program's flags forbid
	// writing.
	ErrReadOnly = errors.New("read-only")
	// ErrConflict says that the session is not in the expected state, or that another
	// writer is active. Nothing was written.
	ErrConflict = errors.New("conflict")
	// ErrExists says that a file of that name exists. It is never overwritten.
	ErrExists = errors.New("exists already")
)
