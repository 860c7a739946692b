package roots

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sessiontree/internal/session/safefile"
)

// Dir is an open directory with the files on the disk and the copies of deleted ones. It
// implements fs.ReadDirFS and fs.StatFS. Only regular files and directories can be opened.
type Dir struct {
	disk   *os.Root // nil if the directory was deleted
	path   string
	copies Copies
}

// OpenDir opens the directory at a canonical path.
func (s *Set) OpenDir(path string) (*Dir, error) { return openDir(s.copies, path) }

// OpenDir opens the directory of the file.
func (at Place) OpenDir() (*Dir, error) {
	return openDir(at.source(), filepath.Join(at.Dir, filepath.Dir(at.Rel)))
}

func openDir(copies Copies, path string) (*Dir, error) {
	disk, err := os.OpenRoot(path)
	if errors.Is(err, fs.ErrNotExist) {
		if info, missing := copies.StatCopy(path); missing == nil && info.IsDir() {
			return &Dir{nil, path, copies}, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return &Dir{disk, path, copies}, nil
}

// Close closes the directory.
func (d *Dir) Close() error {
	if d.disk == nil {
		return nil
	}
	return d.disk.Close()
}

// join returns the path of a file in the directory.
func (d *Dir) join(name string) string { return filepath.Join(d.path, filepath.FromSlash(name)) }

// Open implements fs.FS.
func (d *Dir) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	var err error = &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	if d.disk != nil {
		f, failed := safefile.RegularFS{Dir: d.disk}.Open(name)
		if !errors.Is(failed, fs.ErrNotExist) {
			return f, failed
		}
		err = failed
	}
	f, _, missing := openCopy(d.copies, d.join(name))
	if !errors.Is(missing, fs.ErrNotExist) {
		return f, missing
	}
	if info, missing := d.copies.StatCopy(d.join(name)); missing == nil && info.IsDir() {
		return deletedDir{info}, nil
	}
	return nil, err
}

// deletedDir is a deleted directory with copies that is open as a file. Dir.ReadDir reads it.
type deletedDir struct{ info fs.FileInfo }

// Stat implements fs.File.
func (d deletedDir) Stat() (fs.FileInfo, error) { return d.info, nil }

// Read implements fs.File.
func (d deletedDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.info.Name(), Err: fs.ErrInvalid}
}

// Close implements fs.File.
func (d deletedDir) Close() error { return nil }

// Stat implements fs.StatFS. A deleted directory has no time.
func (d *Dir) Stat(name string) (fs.FileInfo, error) {
	var err error = &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	if d.disk != nil {
		info, failed := safefile.RegularFS{Dir: d.disk}.Stat(name)
		if !errors.Is(failed, fs.ErrNotExist) {
			return info, failed
		}
		err = failed
	}
	info, missing := d.copies.StatCopy(d.join(name))
	if errors.Is(missing, fs.ErrNotExist) {
		return nil, err
	}
	if missing != nil {
		return nil, missing
	}
	return newCopyInfo(d.copies, info), nil
}

// ReadDir implements fs.ReadDirFS.
func (d *Dir) ReadDir(name string) ([]fs.DirEntry, error) {
	var entries []fs.DirEntry
	var err error = &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	if d.disk != nil {
		entries, err = safefile.RegularFS{Dir: d.disk}.ReadDir(name)
	}
	return addCopies(entries, err, d.copies, d.join(name))
}

// ReadDir lists the directory of the file.
func (at Place) ReadDir() ([]fs.DirEntry, error) {
	dir := filepath.Join(at.Dir, filepath.Dir(at.Rel))
	entries, err := os.ReadDir(dir)
	return addCopies(entries, err, at.source(), dir)
}

// addCopies adds the copies of deleted files to the sorted entries of a directory, which
// may have been deleted itself.
func addCopies(entries []fs.DirEntry, err error, copies Copies, dir string) ([]fs.DirEntry, error) {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return entries, err
	}
	kept, missing := copies.ReadCopyDir(dir)
	if errors.Is(missing, fs.ErrNotExist) {
		return entries, err
	}
	if missing != nil {
		return entries, missing
	}
	byName := func(e fs.DirEntry, name string) int { return strings.Compare(e.Name(), name) }
	known := len(entries)
	for _, e := range kept {
		if _, there := slices.BinarySearchFunc(entries[:known], e.Name(), byName); !there {
			entries = append(entries, copyEntry{e, copies})
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// copyEntry is an entry whose info says that it is of a copy.
type copyEntry struct {
	fs.DirEntry
	copies Copies
}

// Info implements fs.DirEntry.
func (e copyEntry) Info() (fs.FileInfo, error) {
	info, err := e.DirEntry.Info()
	if err != nil {
		return nil, err
	}
	return newCopyInfo(e.copies, info), nil
}
