package store

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/safefile"
)

// Refusal says why a session was not changed, in a sentence for people. It wraps one of
// the errors of package session.
type Refusal struct {
	Kind error
	Text string
	// Written reports whether something was appended before the problem was found. Text
	// then says what.
	Written bool
}

func (r *Refusal) Error() string { return r.Text }
func (r *Refusal) Unwrap() error { return r.Kind }

func newRefusal(kind error, format string, args ...any) error {
	return &Refusal{Kind: kind, Text: fmt.Sprintf(format, args...)}
}

// newWrittenRefusal returns a conflict that was found after the write.
func newWrittenRefusal(format string, args ...any) error {
	return &Refusal{Kind: session.ErrConflict, Text: fmt.Sprintf(format, args...), Written: true}
}

// refusalOf returns the Refusal for an error of package safefile, after the text that wraps
// it, and other errors as they are.
func refusalOf(err error) error {
	var refused *safefile.Error
	switch {
	case errors.Is(err, errors.ErrUnsupported) && !safefile.IsSupported:
		return newRefusal(session.ErrReadOnly, "%s", unsupportedReason())
	case !errors.As(err, &refused):
		return err
	case refused.Kind == fs.ErrExist:
		return refusalAfter(err, refused, session.ErrExists)
	case refused.Kind == fs.ErrNotExist:
		return fmt.Errorf("%w (%w)", refused, session.ErrNotFound)
	case refused.Kind == safefile.ErrLocked:
		return refusalAfter(err, refused, session.ErrConflict)
	}
	return refusalAfter(err, refused, session.ErrReadOnly)
}

// refusalAfter returns the Refusal for refused with the text before it in err.
func refusalAfter(err error, refused *safefile.Error, kind error) error {
	r := newRefusal(kind, "%s", refused.Text)
	if before, ok := strings.CutSuffix(err.Error(), refused.Text); ok && before != "" {
		return fmt.Errorf("%s%w", before, r)
	}
	return r
}

// writeDeniedError describes an error of opening or creating something for writing.
func writeDeniedError(at roots.Place, what string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return at.PathError(err)
	}
	return refusalOf(safefile.NewWriteError(at.Path, what, err))
}

// unsupportedReason returns why sessions cannot be changed on this system, "" if they
// can.
func unsupportedReason() string {
	if safefile.IsSupported {
		return ""
	}
	return "Changing sessions is not supported on Windows: its locks would stop the agent from writing."
}
