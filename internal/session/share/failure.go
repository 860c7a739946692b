package share

import (
	"errors"
	"io/fs"

	"sessiontree/internal/session"
)

// away reports whether an error is of a session that is not there for now: then
// nothing wrong is shown to anybody.
func away(err error) bool {
	var file *fs.PathError
	var own *failure
	return !errors.As(err, &own) && (errors.As(err, &file) || errors.Is(err, session.ErrNotFound) || errors.Is(err, session.ErrNoSession) || errors.Is(err, session.ErrStale))
}

// failure is an error of the share's own files.
type failure struct{ error }

func (f *failure) Unwrap() error { return f.error }

func own(err error) error {
	if err == nil {
		return nil
	}
	return &failure{err}
}
