package safefile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Disk is operations that not every file system supports. Tests replace them.
type Disk struct {
	Link      func(dir *os.Root, from, to string) error
	RenameNew func(dir *os.Root, from, to string) error // fails if the new name exists
	SyncDir   func(dir *os.Root, folder string) error   // nil: do not wait for the disk
	// FindWriter finds a process that has a file open for writing, if the system reports
	// it.
	FindWriter func(path string, info fs.FileInfo) (pid int, known bool)
}

// SystemDisk returns the operations of the system.
func SystemDisk() Disk {
	return Disk{Link: (*os.Root).Link, RenameNew: renameWithoutReplace, SyncDir: syncDir, FindWriter: findWriterProcess}
}

// renameToNew renames a file to a name that must not exist. Where the file system
// supports neither hard links nor such a rename, the file is copied.
func (d *Disk) renameToNew(dir *os.Root, from, to string) error {
	err := d.Link(dir, from, to)
	if isConclusive(err) {
		_ = dir.Remove(from) // a temporary file that remains is ignored later
		return err
	}
	if err = d.RenameNew(dir, from, to); isConclusive(err) {
		return err
	}
	if err = copyToNewFile(dir, from, to); err == nil {
		_ = dir.Remove(from)
	}
	return err
}

// BackUpAs gives a file a second name, which must not exist, so that the file survives
// when another one takes its first name. undo reverts this. Until then the first name
// may be missing.
func (d *Disk) BackUpAs(dir *os.Root, name, other string) (undo func() error, err error) {
	if err = d.Link(dir, name, other); isConclusive(err) {
		return func() error { return dir.Remove(other) }, err
	}
	back := func() error { return dir.Rename(other, name) }
	if err = d.RenameNew(dir, name, other); isConclusive(err) {
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

// SyncNames makes the names in a folder of dir durable.
func (d *Disk) SyncNames(dir *os.Root, folder string) error {
	if d.SyncDir == nil {
		return nil
	}
	return d.SyncDir(dir, folder)
}

func syncDir(dir *os.Root, folder string) error {
	f, err := dir.Open(folder)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// SyncFile makes a file and its name durable.
func SyncFile(path string) error {
	dir, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer dir.Close()
	f, err := dir.Open(filepath.Base(path))
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil {
		return err
	}
	return syncDir(dir, ".")
}
