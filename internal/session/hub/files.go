package hub

import (
	"context"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/team"
)

// Files implements roots.Copies for the pushed files that one person may read. A library over
// them contains no session that this person may not read, so that no page has to check.
type Files struct {
	archive  archive.TreeStore
	registry team.Registry
	viewer   string // id of the person, "" before signing in, when nothing may be read
	dir      string // in which the files seem to be

	mu      sync.Mutex
	version int64                  // of the registry that visible is from
	visible map[string]visiblePath // by path in the archive
}

// visiblePath is a file or directory that the person may see.
type visiblePath struct {
	isFile     bool
	searchDays int32 // of its project, 0 = the default
}

var _ roots.Copies = (*Files)(nil)

// newFiles returns the files that a person may read. They seem to be below dir, which has no
// files.
func newFiles(h *Hub, viewer string) *Files {
	return &Files{archive: h.Archive, registry: h.Registry, viewer: viewer, dir: h.viewDir, version: -1}
}

// Dir returns the directory that the files seem to be below.
func (f *Files) Dir() string { return f.dir }

// PathOf returns where the file with a path in the archive seems to be, and whether the
// person may read it.
func (f *Files) PathOf(archived string) (path string, mayRead bool) {
	return filepath.Join(f.dir, filepath.FromSlash(archived)), f.mayRead(archived)
}

// ArchivePath returns the path in the archive of what seems to be at a path. It reports false
// for a path outside.
func (f *Files) ArchivePath(p string) (archived string, ok bool) { return archivePath(f.dir, p) }

// archivePath returns the path in the archive of what seems to be at a path below dir.
func archivePath(dir, p string) (archived string, ok bool) {
	rel, err := filepath.Rel(dir, p)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return path.Join("/", filepath.ToSlash(rel)), true
}

// mayRead reports whether the person may read a file.
func (f *Files) mayRead(archived string) bool {
	visible, err := f.load()
	return err == nil && visible[archived].isFile
}

// load returns the files that are visible now, and the directories above.
func (f *Files) load() (map[string]visiblePath, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	ctx := context.Background()
	version, err := f.registry.Version(ctx)
	if err != nil || version == f.version || f.viewer == "" { // the registry lists all files for ""
		return f.visible, err
	}
	searchDays, err := listSearchDays(ctx, f.registry)
	if err != nil {
		return nil, err
	}
	paths := map[string]visiblePath{"/": {}}
	err = f.registry.ListFiles(ctx, f.viewer, func(file team.File) error {
		paths[file.Path] = visiblePath{isFile: true, searchDays: searchDays[file.Project]}
		for dir := path.Dir(file.Path); dir != "/"; dir = path.Dir(dir) {
			if _, known := paths[dir]; known {
				break
			}
			paths[dir] = visiblePath{}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	f.visible, f.version = paths, version
	return paths, nil
}

// locate returns the path in the archive of a visible file or directory.
func (f *Files) locate(op, p string) (archived string, isFile bool, err error) {
	visible, err := f.load()
	if err != nil {
		return "", false, &fs.PathError{Op: op, Path: p, Err: err}
	}
	archived, _ = f.ArchivePath(p)
	at, ok := visible[archived]
	if !ok {
		return "", false, &fs.PathError{Op: op, Path: p, Err: fs.ErrNotExist}
	}
	return archived, at.isFile, nil
}

// AreRemote implements roots.Copies.
func (f *Files) AreRemote() bool { return true }

// OpenCopy implements roots.Copies.
func (f *Files) OpenCopy(p string) (roots.ReadableFile, error) {
	archived, isFile, err := f.locate("open", p)
	if err != nil {
		return nil, err
	}
	if !isFile {
		return nil, &fs.PathError{Op: "open", Path: p, Err: fs.ErrNotExist}
	}
	file, err := f.archive.OpenFile(archived)
	if err != nil {
		return nil, err
	}
	return file, nil
}

// StatCopy implements roots.Copies.
func (f *Files) StatCopy(p string) (fs.FileInfo, error) {
	archived, _, err := f.locate("stat", p)
	if err != nil {
		return nil, err
	}
	return f.archive.Stat(archived)
}

// ReadCopyDir implements roots.Copies.
func (f *Files) ReadCopyDir(dir string) ([]fs.DirEntry, error) {
	archived, isFile, err := f.locate("readdir", dir)
	if err == nil && isFile {
		err = &fs.PathError{Op: "readdir", Path: dir, Err: fs.ErrNotExist}
	}
	if err != nil {
		return nil, err
	}
	visible, err := f.load()
	if err != nil {
		return nil, err
	}
	entries, err := f.archive.ReadDir(archived)
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		_, ok := visible[path.Join(archived, e.Name())]
		return !ok
	})
	return entries, err
}

// WalkCopies implements roots.Copies.
func (f *Files) WalkCopies(p string, fn func(path string, info fs.FileInfo)) {
	below, _, err := f.locate("walk", p)
	if err != nil {
		return
	}
	visible, err := f.load()
	if err != nil {
		return
	}
	_ = f.archive.WalkFiles(below, func(archived string, info fs.FileInfo) error {
		if visible[archived].isFile {
			fn(filepath.Join(f.dir, filepath.FromSlash(archived)), info)
		}
		return nil
	})
}
