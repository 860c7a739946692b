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
	root   *root
	copies Copies // of deleted files; nil = none
	Dir    string // the root's canonical directory
	Rel    string // relative to Dir, with the separators of the system
	Path   string // Dir + Rel, the canonical path
	// isFileRoot is set if the root is this file, whatever its name.
	isFileRoot bool
}

// OpenFile opens the file through its root, which prevents escapes from it. If the file was
// deleted, it opens its copy.
func (at Place) OpenFile() (ReadableFile, fs.FileInfo, error) {
	f, info, err := at.OpenOnDisk()
	if err == nil {
		return f, info, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		f, info, missing := openCopy(at.source(), at.Path)
		if !errors.Is(missing, fs.ErrNotExist) {
			return f, info, at.PathError(missing)
		}
	}
	return nil, nil, at.PathError(err)
}

// OpenOnDisk opens the file through its root, and never a copy.
func (at Place) OpenOnDisk() (*os.File, fs.FileInfo, error) {
	dir, err := os.OpenRoot(at.Dir)
	if err != nil {
		return nil, nil, err
	}
	defer dir.Close()
	return safefile.OpenRegularIn(dir, at.Rel)
}

// Prefetch is safefile.Prefetch for the file. A file that cannot be opened counts as cached: reading it
// reports the error.
func (at Place) Prefetch(n int64) (cached bool) {
	f, _, err := at.OpenOnDisk()
	if err != nil {
		return true
	}
	defer f.Close()
	return safefile.Prefetch(f, n)
}

// PathError adds the whole path to an error of the file system. A missing file is also
// session.ErrNotFound. There is none for nil.
func (at Place) PathError(err error) error {
	if err == nil {
		return nil
	}
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

// StatFile returns the file's info through its root, or that of its copy if it was deleted.
func (at Place) StatFile() (fs.FileInfo, error) {
	info, err := at.statOnDisk()
	if errors.Is(err, fs.ErrNotExist) {
		kept, missing := at.source().StatCopy(at.Path)
		if missing == nil {
			return newCopyInfo(at.source(), kept), nil
		}
		if !errors.Is(missing, fs.ErrNotExist) {
			err = missing
		}
	}
	return info, at.PathError(err)
}

// statOnDisk returns the info of the file on the disk.
func (at Place) statOnDisk() (fs.FileInfo, error) {
	dir, err := os.OpenRoot(at.Dir)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return dir.Stat(at.Rel)
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
	return Place{root: at.root, copies: at.copies, Dir: at.Dir, Rel: rel, Path: filepath.Join(at.Dir, rel)}
}

// InDir returns a place with the same root in another directory. name is
// slash-separated.
func (at Place) InDir(dir, name string) Place {
	at.Dir = dir
	return at.At(filepath.FromSlash(name))
}
