// Package safefile changes files that other programs may write to at the same time. It
// locks them, appends in one write, and creates and renames without replacing anything.
// It knows no session.
package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// ErrLocked says that another program holds a lock.
var ErrLocked = errors.New("locked by another program")

// ErrUnconfirmed says that data was written but may not survive a crash of the system.
var ErrUnconfirmed = errors.New("the disk does not confirm it")

// ErrNotRegular says that a file is a pipe, a device or a directory. People see its text for
// session files and for the explorer's own files alike.
var ErrNotRegular = errors.New("it is not a regular file")

// Error says why a file was not written, in a sentence for people. It wraps ErrLocked,
// fs.ErrExist, fs.ErrPermission or errors.ErrUnsupported.
type Error struct {
	Kind error
	Text string
}

func (e *Error) Error() string { return e.Text }
func (e *Error) Unwrap() error { return e.Kind }

// NewUnconfirmedError returns ErrUnconfirmed with a description of what was written and
// the error of the disk.
func NewUnconfirmedError(path, what string, err error) error {
	return fmt.Errorf("%s: %s, but %w: %w", path, what, ErrUnconfirmed, err)
}

// NewWriteError describes an error of opening or creating something for writing.
func NewWriteError(path, what string, err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return &Error{Kind: fs.ErrPermission, Text: fmt.Sprintf("%s: %s cannot be written: %v.", path, what, Reason(err))}
	}
	return fmt.Errorf("%s: %w", path, Reason(err))
}

// Reason returns an error of the file system without the operation and the path.
func Reason(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// IgnoreError returns nil if err is kind, else err.
func IgnoreError(err, kind error) error {
	if errors.Is(err, kind) {
		return nil
	}
	return err
}
