package store

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrUnconfirmed says that data was written but may not survive a crash of the system.
var ErrUnconfirmed = errors.New("the disk does not confirm it")

// unconfirmedError returns ErrUnconfirmed with a description of what was written and
// the error of the disk.
func unconfirmedError(path, what string, err error) error {
	return fmt.Errorf("%s: %s, but %w: %w", path, what, ErrUnconfirmed, err)
}

// diskOps are operations that not every file system supports.
type diskOps struct {
	link      func(dir *os.Root, from, to string) error
	renameNew func(dir *os.Root, from, to string) error // fails if the new name exists
	syncDir   func(dir *os.Root, folder string) error   // nil: do not wait for the disk
	// holder finds a process that has a file open for writing, if the system reports it.
	holder func(path string, info fs.FileInfo) (pid int, known bool)
}

// systemDiskOps returns the operations of the system.
func systemDiskOps() diskOps {
	return diskOps{link: (*os.Root).Link, renameNew: renameWithoutReplace, syncDir: syncDir, holder: findWriterProcess}
}

// CreateFile creates a file that only its owner can read. The file is either complete
// or absent. If the name exists, CreateFile returns session.ErrExists.
func CreateFile(path string, text []byte) error {
	l := Library{sync: true, disk: systemDiskOps()}
	return l.createFileAtomically(path, 0o600, true, func(w *bufio.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// ReplaceFile writes a file that only its owner can read, and replaces one of the same
// name. A reader sees either the old or the new content.
func ReplaceFile(path string, text []byte) error {
	dir, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer dir.Close()
	base := filepath.Base(path)
	temp, err := writeTempFile(place{path: path}, dir, base, 0o600, true, func(w *bufio.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	if err := dir.Rename(temp, base); err != nil {
		return errors.Join(err, dir.Remove(temp))
	}
	return nil
}

// renameToNew renames a file to a name that must not exist. Where the file system
// supports neither hard links nor such a rename, the file is copied.
func (d *diskOps) renameToNew(dir *os.Root, from, to string) error {
	err := d.link(dir, from, to)
	if isConclusive(err) {
		_ = dir.Remove(from) // a temporary file that remains is ignored later
		return err
	}
	if err = d.renameNew(dir, from, to); isConclusive(err) {
		return err
	}
	if err = copyToNewFile(dir, from, to); err == nil {
		_ = dir.Remove(from)
	}
	return err
}

// backUpAs gives a file a second name, which must not exist, so that the file survives
// when another one takes its first name. undo reverts this. Until then the first name
// may be missing.
func (d *diskOps) backUpAs(dir *os.Root, name, other string) (undo func() error, err error) {
	if err = d.link(dir, name, other); isConclusive(err) {
		return func() error { return dir.Remove(other) }, err
	}
	back := func() error { return dir.Rename(other, name) }
	if err = d.renameNew(dir, name, other); isConclusive(err) {
		return back, err
	}
	if _, err := dir.Lstat(other); err == nil {
		return back, fs.ErrExist
	}
	return back, dir.Rename(name, other)
}

// isConclusive reports whether a file system supports an operation: it succeeded, or it
// failed because a name exists or is missing. Otherwise the caller tries another way.
func isConclusive(err error) bool {
	return err == nil || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist)
}

// copyToNewFile copies a file to a name that must not exist.
func copyToNewFile(dir *os.Root, from, to string) (err error) {
	in, err := dir.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := dir.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, info.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
		return errors.Join(err, dir.Remove(to))
	}
	return nil
}

// syncDirNames makes the names in a folder of dir durable.
func (d *diskOps) syncDirNames(dir *os.Root, folder string) error {
	if d.syncDir == nil {
		return nil
	}
	return d.syncDir(dir, folder)
}

func syncDir(dir *os.Root, folder string) error {
	f, err := dir.Open(folder)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
