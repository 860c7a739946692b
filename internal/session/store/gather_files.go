package store

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/safefile"
)

// memberNames returns the names of the session files whose members are gathered, nil for
// all in the directory.
func (u update) memberNames() []string {
	switch {
	case u.s.isWholeDir:
		return nil
	case len(u.s.related) == 0:
		return []string{filepath.Base(u.s.at.Rel)}
	}
	return u.s.related
}

// gatherGroup finds the files that belong to the session at a place. The first name of
// the group is the session's own file; related sessions are among the others.
func (l *Library) gatherGroup(at roots.Place, f *session.Format, names []string) (session.FileGroup, *observedFS, error) {
	dir := filepath.Join(at.Dir, filepath.Dir(at.Rel))
	root, err := os.OpenRoot(dir)
	if err != nil {
		return session.FileGroup{}, nil, at.PathError(err)
	}
	defer root.Close()
	seen := &observedFS{FS: safefile.RegularFS{Dir: root}, dir: dir, cache: &l.fileCache, dirs: map[string]time.Time{}, sideFiles: map[string]sideFileState{}, files: map[string]fs.DirEntry{}}
	unit, err := f.Graph.GatherFiles(seen, names)
	if err != nil {
		return session.FileGroup{}, nil, at.PathError(err)
	}
	for _, name := range unit.SideFiles {
		seen.sideFiles[name] = seen.statSideFile(name)
	}
	return unit, seen, nil
}

// observedFS is a directory that records the times of the directories read through it
// (zero for missing ones) and the state of side files, and caches what was learned from
// files. It implements session.CachingFS.
type observedFS struct {
	fs.FS
	dir       string
	cache     *fileCache
	dirs      map[string]time.Time
	sideFiles map[string]sideFileState
	files     map[string]fs.DirEntry // regular files in the directories, by path
}

// ReadCached implements session.CachingFS.
func (s *observedFS) ReadCached(name, what string, read func(f fs.File, old any) any) any {
	info, err := s.observedInfo(name)
	if err != nil {
		return read(nil, nil)
	}
	file := filepath.Join(s.dir, filepath.FromSlash(name))
	return s.cache.readCachedFile(file, what, info, func(old any) any {
		f, err := s.Open(name)
		if err != nil {
			return read(nil, nil)
		}
		defer f.Close()
		return read(f, old)
	})
}

// observedInfo returns the info of a file, from its directory entry if the directory
// was read.
func (s *observedFS) observedInfo(name string) (fs.FileInfo, error) {
	if e, ok := s.files[name]; ok {
		return e.Info()
	}
	return fs.Stat(s.FS, name)
}

// ReadDir implements fs.ReadDirFS.
func (s *observedFS) ReadDir(name string) ([]fs.DirEntry, error) {
	switch info, err := fs.Stat(s.FS, name); {
	case err == nil:
		s.dirs[name] = info.ModTime()
	case errors.Is(err, fs.ErrNotExist):
		s.dirs[name] = time.Time{}
		return nil, err
	}
	entries, err := fs.ReadDir(s.FS, name)
	for _, e := range entries {
		if e.Type().IsRegular() {
			s.files[path.Join(name, e.Name())] = e
		}
	}
	return entries, err
}

// sideFileState is the size and the time of a side file; zero if there was none.
type sideFileState struct {
	size  int64
	mtime time.Time
}

func (s *observedFS) statSideFile(name string) (f sideFileState) {
	if info, err := fs.Stat(s.FS, name); err == nil {
		f = sideFileState{info.Size(), info.ModTime()}
	}
	return f
}

// dirTimeResolution is how much older than its reading the time of a directory must be
// to be trusted: of two files created in one tick of the file system's clock the second
// does not change the time.
const dirTimeResolution = 50 * time.Millisecond

// isStale reports whether a directory or a side file may have changed since it was
// read, or whether the members depend on the content of files.
func (j *fileSet) isStale(at roots.Place) bool {
	if j.dirs == nil || j.group.DependsOnContent {
		return true
	}
	dir := filepath.Join(at.Dir, filepath.Dir(at.Rel))
	for name, t := range j.dirs {
		info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
		if errors.Is(err, fs.ErrNotExist) && t.IsZero() {
			continue
		}
		if err != nil || !info.ModTime().Equal(t) || j.readAt.Sub(t).Abs() < dirTimeResolution {
			return true
		}
	}
	for name, f := range j.sideFiles {
		info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil && f != (sideFileState{}) || err == nil && (info.Size() != f.size || !info.ModTime().Equal(f.mtime)) {
			return true
		}
	}
	return false
}
