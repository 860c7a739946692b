package store

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"sessiontree/internal/session"
)

// gather looks for the files that belong to the session at a place. The first
// name of a unit is the session's own file; those of its kin are among them.
func (l *Library) gather(at place, f *session.Format, kin []string) (session.Unit, map[string]time.Time, error) {
	dir := filepath.Join(at.dir, filepath.Dir(at.rel))
	root, err := os.OpenRoot(dir)
	if err != nil {
		return session.Unit{}, nil, at.failed(err)
	}
	defer root.Close()
	seen := &seenDirs{FS: root.FS(), times: map[string]time.Time{}}
	names := kin
	switch {
	case at.whole:
		names = nil
	case len(names) == 0:
		names = []string{filepath.Base(at.rel)}
	}
	unit, err := f.Gather(seen, names)
	if err != nil {
		return session.Unit{}, nil, at.failed(err)
	}
	return unit, seen.times, nil
}

// seenDirs notes the times of the directories that are read through it.
type seenDirs struct {
	fs.FS
	times map[string]time.Time
}

// ReadDir implements fs.ReadDirFS.
func (s *seenDirs) ReadDir(name string) ([]fs.DirEntry, error) {
	if info, err := fs.Stat(s.FS, name); err == nil {
		s.times[name] = info.ModTime()
	}
	return fs.ReadDir(s.FS, name)
}

// stale reports whether one of the directories changed since they were read.
func (j *joined) stale(at place) bool {
	if j.dirs == nil {
		return true
	}
	dir := filepath.Join(at.dir, filepath.Dir(at.rel))
	for name, t := range j.dirs {
		info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || !info.ModTime().Equal(t) {
			return true
		}
	}
	return false
}
