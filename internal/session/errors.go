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
)
