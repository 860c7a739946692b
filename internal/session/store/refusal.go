package store

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"sessiontree/internal/session"
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

// writeDeniedError describes an error of opening or creating something for writing.
func (at place) writeDeniedError(what string, err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return newRefusal(session.ErrReadOnly, "%s: %s cannot be written: %v.", at.path, what, systemReason(err))
	}
	return at.pathError(err)
}

// systemReason returns the error of the system without the path.
func systemReason(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
