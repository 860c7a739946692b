package roots

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"sessiontree/internal/session"
	"sessiontree/internal/session/safefile"
)

// Place is a file inside a root.
type Place struct {
	root *root
	Dir  string // the root's canonical directory
	Rel  string // relative to Dir, with the separators of the system
	Path string // Dir + Rel, the canonical path
	// isFileRoot is set if the root is this file, whatever its name.
	isFileRoot bool
}

// OpenFile opens the file through its root, which prevents escapes from it.
func (at Place) OpenFile() (*os.File, fs.FileInfo, error) {
	dir, err := os.OpenRoot(at.Dir)
	if err != nil {
		return nil, nil, at.PathError(err)
	}
	defer dir.Close()
	return at.OpenFileIn(dir)
}

// OpenFileIn is OpenFile in a directory that is open already.
func (at Place) OpenFileIn(dir *os.Root) (*os.File, fs.FileInfo, error) {
	f, info, err := safefile.OpenRegularIn(dir, at.Rel)
	if err != nil {
		return nil, nil, at.PathError(err)
	}
	return f, info, nil
}

// PathError adds the whole path to an error of the file system. A missing file is also
// session.ErrNotFound.
func (at Place) PathError(err error) error {
	reason := safefile.Reason(err)
	switch {
	case errors.Is(err, safefile.ErrNotRegular):
		reason = notRegularError{reason}
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w (%w)", at.Path, reason, session.ErrNotFound)
	}
	return fmt.Errorf("%s: %w", at.Path, reason)
}

// notRegularError is safefile.ErrNotRegular, and also session.ErrNoSession.
type notRegularError struct{ error }

// Unwrap returns both errors.
func (e notRegularError) Unwrap() []error { return []error{e.error, session.ErrNoSession} }

// StatFile returns the file's info through its root.
func (at Place) StatFile() (fs.FileInfo, error) {
	dir, err := os.OpenRoot(at.Dir)
	if err != nil {
		return nil, at.PathError(err)
	}
	defer dir.Close()
	info, err := dir.Stat(at.Rel)
	if err != nil {
		return nil, at.PathError(err)
	}
	return info, nil
}

// IsSymlink reports whether the path is a symbolic link: replacing the link would leave
// the file it leads to as it is.
func (at Place) IsSymlink() bool {
	dir, err := os.OpenRoot(at.Dir)
	if err != nil {
		return false // opening the file reports the error
	}
	defer dir.Close()
	info, err := dir.Lstat(at.Rel)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// Sibling returns the place of a file in the directory of this one. name is
// slash-separated.
func (at Place) Sibling(name string) Place {
	return at.At(filepath.Join(filepath.Dir(at.Rel), filepath.FromSlash(name)))
}

// At returns the place of a path relative to the root's directory.
func (at Place) At(rel string) Place {
	return Place{root: at.root, Dir: at.Dir, Rel: rel, Path: filepath.Join(at.Dir, rel)}
}

// InDir returns a place with the same root in another directory. name is
// slash-separated.
func (at Place) InDir(dir, name string) Place {
	at.Dir = dir
	return at.At(filepath.FromSlash(name))
}
