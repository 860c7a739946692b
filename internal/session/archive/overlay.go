package archive

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
)

// notStored returns the error for a path that is not stored.
func notStored(op, path string) error { return &fs.PathError{Op: op, Path: path, Err: fs.ErrNotExist} }

// Has reports whether a file is stored.
func (d *Dir) Has(path string) bool { return len(d.journal.heads(path)) > 0 }

// Stat returns the info of the newest generation of a file, or of a directory above stored
// files. The error is fs.ErrNotExist if there is none.
func (d *Dir) Stat(path string) (info fs.FileInfo, err error) {
	d.journal.withIndex(func(x *index) { info = x.infoOf(path) })
	if info == nil {
		return nil, notStored("stat", path)
	}
	return info, nil
}

// OpenFile opens the newest generation of a file. The error is fs.ErrNotExist if the file is
// not stored.
func (d *Dir) OpenFile(path string) (*File, error) {
	head, ok := newestOf(d.journal.heads(path))
	if !ok {
		return nil, notStored("open", path)
	}
	f, err := d.openFile(FileID(path), head.Generation)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, notStored("open", path)
	}
	return f, err
}

// ReadDir returns the stored files in a directory, and its sub-directories that have some,
// in the order of their names. The error is fs.ErrNotExist if there are none.
func (d *Dir) ReadDir(dir string) (entries []fs.DirEntry, err error) {
	d.journal.withIndex(func(x *index) { entries = x.readDir(dir) })
	if len(entries) == 0 {
		return nil, notStored("readdir", dir)
	}
	return entries, nil
}

// WalkFiles calls fn for each stored file at or below a path, in the order of their paths,
// until it returns an error. The info is that of the newest generation.
func (d *Dir) WalkFiles(path string, fn func(path string, info fs.FileInfo) error) error {
	var files []storedFile
	d.journal.withIndex(func(x *index) { files = x.filesBelow(path) })
	slices.SortFunc(files, func(a, b storedFile) int { return strings.Compare(a.path, b.path) })
	for _, f := range files {
		if h, ok := newestOf(f.heads); ok {
			if err := fn(f.path, newFileInfo(f.path, h)); err != nil {
				return err
			}
		}
	}
	return nil
}
