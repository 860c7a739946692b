package share

import (
	"errors"
	"io/fs"

	"sessiontree/internal/session"
)

// isSessionUnavailable reports whether the session is temporarily missing or unreadable.
// That is not reported to viewers.
func isSessionUnavailable(err error) bool {
	var file *fs.PathError
	var own *ownFileError
	return !errors.As(err, &own) && (errors.As(err, &file) || errors.Is(err, session.ErrNotFound) || errors.Is(err, session.ErrNoSession) || errors.Is(err, session.ErrStale))
}

// ownFileError is an error of the share's own files.
type ownFileError struct{ error }

func (f *ownFileError) Unwrap() error { return f.error }

func wrapOwnError(err error) error {
	if err == nil {
		return nil
	}
	return &ownFileError{err}
}
