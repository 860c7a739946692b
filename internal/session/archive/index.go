package archive

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// storedFile is the generations of a file, the oldest first.
type storedFile struct {
	path  string
	heads []Head // replaced, never changed
}

// index is the list of all generations by path, and the directories of the files.
type index struct {
	byPath      map[string]*storedFile
	byID        map[string]*storedFile
	dirs        map[string]map[string]bool // names in a directory; true: a directory
	generations int
	stored      int64
}

func newIndex() index {
	return index{byPath: map[string]*storedFile{}, byID: map[string]*storedFile{}, dirs: map[string]map[string]bool{}}
}

func timeOf(ns int64) time.Time { return time.Unix(0, ns) }

// apply changes the list by a line of the journal. Lines that make no sense are skipped.
func (x *index) apply(r record) {
	f := x.byID[r.id]
	switch {
	case r.generation < 1 || f == nil && (r.path == "" || FileID(r.path) != r.id || r.deleted):
		return
	case f == nil:
		f = &storedFile{path: r.path}
		x.byPath[f.path], x.byID[r.id] = f, f
		x.addName(f.path)
	}
	if r.deleted {
		x.removeHead(f, r)
		return
	}
	h := Head{Generation: r.generation, End: r.end, Chain: r.chain, ModTime: timeOf(r.modTime), Stored: r.stored}
	for _, old := range f.heads {
		if old.Generation == h.Generation {
			x.stored -= old.Stored
			x.generations--
		}
	}
	x.stored += h.Stored
	x.generations++
	f.heads = replaceHead(f.heads, h)
}

// removeHead removes a generation, and the file with its last one.
func (x *index) removeHead(f *storedFile, r record) {
	f.heads = slices.DeleteFunc(slices.Clone(f.heads), func(h Head) bool {
		if h.Generation != r.generation {
			return false
		}
		x.stored -= h.Stored
		x.generations--
		return true
	})
	if len(f.heads) == 0 {
		delete(x.byPath, f.path)
		delete(x.byID, r.id)
		x.removeName(f.path)
	}
}

// addName adds a file to its directory, and directories that have no other files to theirs.
func (x *index) addName(path string) {
	isDir := false
	for dir := filepath.Dir(path); dir != path; dir = filepath.Dir(path) {
		names, known := x.dirs[dir]
		if !known {
			names = map[string]bool{}
			x.dirs[dir] = names
		}
		names[filepath.Base(path)] = isDir
		if known {
			return
		}
		path, isDir = dir, true
	}
}

// removeName removes a file from its directory, and directories that have no files left.
func (x *index) removeName(path string) {
	for dir := filepath.Dir(path); dir != path; dir = filepath.Dir(path) {
		names := x.dirs[dir]
		delete(names, filepath.Base(path))
		if len(names) > 0 {
			return
		}
		delete(x.dirs, dir)
		path = dir
	}
}

// headsOf returns the heads of a file, which must not be changed.
func (x *index) headsOf(path string) []Head {
	if f := x.byPath[path]; f != nil {
		return f.heads
	}
	return nil
}

// allFiles returns all files, in no order.
func (x *index) allFiles() []storedFile {
	all := make([]storedFile, 0, len(x.byPath))
	for _, f := range x.byPath {
		all = append(all, *f)
	}
	return all
}

// infoOf returns the info of a file or a directory, nil if it is not stored.
func (x *index) infoOf(path string) fs.FileInfo {
	if h, ok := newestOf(x.headsOf(path)); ok {
		return newFileInfo(path, h)
	}
	if _, ok := x.dirs[path]; ok {
		return fileInfo{name: filepath.Base(path), mode: fs.ModeDir | 0o700}
	}
	return nil
}

// readDir returns the entries of a directory in the order of their names.
func (x *index) readDir(dir string) []fs.DirEntry {
	var entries []fs.DirEntry
	for name := range x.dirs[dir] {
		if info := x.infoOf(filepath.Join(dir, name)); info != nil && info.Name() == name {
			entries = append(entries, fs.FileInfoToDirEntry(info))
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries
}

// filesBelow returns the files at or below a path, in no order.
func (x *index) filesBelow(path string) (files []storedFile) {
	for todo := []string{path}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if f := x.byPath[at]; f != nil {
			files = append(files, *f)
		}
		for name := range x.dirs[at] {
			todo = append(todo, filepath.Join(at, name))
		}
	}
	return files
}
