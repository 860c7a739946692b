package archive

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
)

// Tree is stored files as a file system: the newest generation of each, and the directories
// above them. All errors about what is not stored are fs.ErrNotExist.
type Tree interface {
	// Has reports whether a file is stored.
	Has(path string) bool
	// Stat returns the info of a file, or of a directory above stored files.
	Stat(path string) (fs.FileInfo, error)
	// OpenFile opens a file.
	OpenFile(path string) (*File, error)
	// ReadDir returns the files in a directory, and its sub-directories that have some, in
	// the order of their names.
	ReadDir(dir string) ([]fs.DirEntry, error)
	// WalkFiles calls fn for each file at or below a path, in the order of their paths,
	// until it returns an error.
	WalkFiles(path string, fn func(path string, info fs.FileInfo) error) error
}

// TreeStore is a Store with a Tree of its files: a Dir, or the Listing of another store.
type TreeStore interface {
	Store
	Tree
	// StoredBytes returns how many bytes all files take.
	StoredBytes() int64
}

var _, _ TreeStore = (*Dir)(nil), (*Listing)(nil)

// notStored returns the error for a path that is not stored.
func notStored(op, path string) error { return &fs.PathError{Op: op, Path: path, Err: fs.ErrNotExist} }

// Has implements Tree.
func (d *Dir) Has(path string) bool { return len(d.journal.heads(path)) > 0 }

// Stat implements Tree.
func (d *Dir) Stat(path string) (fs.FileInfo, error) { return statIn(d.journal.withIndex, path) }

// OpenFile implements Tree.
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

// ReadDir implements Tree.
func (d *Dir) ReadDir(dir string) ([]fs.DirEntry, error) { return readDirIn(d.journal.withIndex, dir) }

// WalkFiles implements Tree.
func (d *Dir) WalkFiles(path string, fn func(path string, info fs.FileInfo) error) error {
	return walkFilesIn(d.journal.withIndex, path, fn)
}

// indexUser calls a function with a list.
type indexUser func(func(*index))

func statIn(withIndex indexUser, path string) (info fs.FileInfo, err error) {
	withIndex(func(x *index) { info = x.infoOf(path) })
	if info == nil {
		return nil, notStored("stat", path)
	}
	return info, nil
}

func readDirIn(withIndex indexUser, dir string) (entries []fs.DirEntry, err error) {
	withIndex(func(x *index) { entries = x.readDir(dir) })
	if len(entries) == 0 {
		return nil, notStored("readdir", dir)
	}
	return entries, nil
}

func walkFilesIn(withIndex indexUser, path string, fn func(path string, info fs.FileInfo) error) error {
	var files []storedFile
	withIndex(func(x *index) { files = x.filesBelow(path) })
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
