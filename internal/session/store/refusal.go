package store

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"sessiontree/internal/session"
)

// Refusal is why a session was not changed, in a sentence for people. It is one
// of the errors of package session.
type Refusal struct {
	Kind error
	Text string
	// Written: something was appended before it was found out, and Text says what
	// became of it. Else nothing was.
	Written bool
}

func (r *Refusal) Error() string { return r.Text }
func (r *Refusal) Unwrap() error { return r.Kind }

func newRefusal(kind error, format string, args ...any) error {
	return &Refusal{Kind: kind, Text: fmt.Sprintf(format, args...)}
}

// newWrittenRefusal is a conflict that was found after the write.
func newWrittenRefusal(format string, args ...any) error {
	return &Refusal{Kind: session.ErrConflict, Text: fmt.Sprintf(format, args...), Written: true}
}

// writeDeniedError words an error of opening or making something for writing.
func (at place) writeDeniedError(what string, err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return newRefusal(session.ErrReadOnly, "%s: %s cannot be written: %v.", at.path, what, systemReason(err))
	}
	return at.pathError(err)
}

// systemReason is what the system said, without the path, which stands elsewhere.
func systemReason(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
