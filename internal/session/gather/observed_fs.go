package gather

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"time"
)

// observedFS is a directory that records the times of the directories read through it
// (zero for missing ones) and caches what was learned from files. It implements session.CachingFS.
type observedFS struct {
	fs.FS
	dir   string
	cache *FileCache
	dirs  map[string]time.Time
	files map[string]fs.DirEntry // regular files in the directories, by path
}

func newObservedFS(of fs.FS, dir string, cache *FileCache) *observedFS {
	return &observedFS{FS: of, dir: dir, cache: cache, dirs: map[string]time.Time{}, files: map[string]fs.DirEntry{}}
}

// ReadCached implements session.CachingFS.
func (s *observedFS) ReadCached(name, what string, read func(f fs.File, old any) any) any {
	info, err := s.observedInfo(name)
	if err != nil {
		return read(nil, nil)
	}
	file := filepath.Join(s.dir, filepath.FromSlash(name))
	return s.cache.ReadCachedFile(file, what, info, func(old any) any {
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
		s.dirs[name] = info.ModTime() // zero for a deleted directory with copies of files
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
