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

// ErrUnconfirmed is the error of what was written, but may not survive a crash of the
// system.
var ErrUnconfirmed = errors.New("the disk does not confirm it")

// unconfirmedError returns ErrUnconfirmed with what was written and what the disk said.
func unconfirmedError(path, what string, err error) error {
	return fmt.Errorf("%s: %s, but %w: %w", path, what, ErrUnconfirmed, err)
}

// diskOps is what not every file system does.
type diskOps struct {
	link      func(dir *os.Root, from, to string) error
	renameNew func(dir *os.Root, from, to string) error // fails when there is a file to
	syncDir   func(dir *os.Root, folder string) error   // nil: new files do not wait for the disk
	// holder finds a process that has a file open for writing, where the system tells.
	holder func(path string, info fs.FileInfo) (pid int, known bool)
}

// systemDiskOps is what the system does.
func systemDiskOps() diskOps {
	return diskOps{link: (*os.Root).Link, renameNew: renameWithoutReplace, syncDir: syncDir, holder: findWriterProcess}
}

// CreateFile makes a file of its own that only its user may read, whole or not at all,
// and never instead of another: then the error is session.ErrExists.
func CreateFile(path string, text []byte) error {
	l := Library{sync: true, disk: systemDiskOps()}
	return l.createFileAtomically(path, 0o600, true, func(w *bufio.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// ReplaceFile writes a file that only its user may read, whole or not at all, whether
// there is one or not.
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

// renameToNew renames a file whose name is ours to one that no file has. Where there are
// no hard links and no such renaming, the file is copied.
func (d *diskOps) renameToNew(dir *os.Root, from, to string) error {
	err := d.link(dir, from, to)
	if isConclusive(err) {
		_ = dir.Remove(from) // one that stays is passed by
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

// backUpAs gives a file another name that no file has, so that what is put in its place
// does not end it. undo takes that back; until then there may be no file of the old name.
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

// isConclusive reports whether a file system did what it was asked for, or there were no
// such files. Else another way may work: not every one has hard links.
func isConclusive(err error) bool {
	return err == nil || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist)
}

// copyToNewFile copies a file to a name that no file has.
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
