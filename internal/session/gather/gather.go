// Package gather finds the files that are shown as one session, and notices when that may
// have changed.
package gather

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/roots"
)

// State is the state of the directories and of other files on which a group of files
// depends, when they were read. It is stale if it is zero.
type State struct {
	dirs      map[string]time.Time     // the directories that were read, with their times
	sideFiles map[string]sideFileState // other files
	readAt    time.Time                // when the directories were read
}

// FindFiles finds the files that belong to the session at a place. names are the session
// files that are shown together, nil for all in the directory. The first name of the group
// is the session's own file; related sessions are among the others. now is the time, which
// the state contains.
func FindFiles(at roots.Place, f *session.Format, names []string, cache *FileCache, now time.Time) (session.FileGroup, State, error) {
	dir, err := at.OpenDir()
	if err != nil {
		return session.FileGroup{}, State{}, at.PathError(err)
	}
	defer dir.Close()
	seen := newObservedFS(dir, filepath.Join(at.Dir, filepath.Dir(at.Rel)), cache)
	group, err := f.Graph.GatherFiles(seen, names)
	if err != nil {
		return session.FileGroup{}, State{}, at.PathError(err)
	}
	s := State{dirs: seen.dirs, sideFiles: map[string]sideFileState{}, readAt: now}
	for _, name := range group.SideFiles {
		s.sideFiles[name] = seen.statSideFile(name)
	}
	return group, s, nil
}

// IsZero reports whether nothing was read, or Reset was called.
func (s *State) IsZero() bool { return s.dirs == nil }

// Reset makes the state stale.
func (s *State) Reset() { s.dirs = nil }

// WasRead reports whether a directory was read. Its name is relative to that of the
// session's file, with slashes.
func (s *State) WasRead(dir string) bool {
	_, read := s.dirs[dir]
	return read
}

// dirTimeResolution is how much older than its reading the time of a directory must be
// to be trusted: of two files created in one tick of the file system's clock the second
// does not change the time.
const dirTimeResolution = 50 * time.Millisecond

// IsStale reports whether a directory or another file may have changed since it was read.
// at is the place of the session's file.
func (s *State) IsStale(at roots.Place) bool {
	if s.IsZero() {
		return true
	}
	dir := filepath.Join(at.Dir, filepath.Dir(at.Rel))
	for name, t := range s.dirs {
		info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
		if errors.Is(err, fs.ErrNotExist) && t.IsZero() {
			continue
		}
		if err != nil || !info.ModTime().Equal(t) || s.readAt.Sub(t).Abs() < dirTimeResolution {
			return true
		}
	}
	for name, f := range s.sideFiles {
		info, err := at.Sibling(name).StatPath()
		if err != nil && f != (sideFileState{}) || err == nil && (info.Size() != f.size || !info.ModTime().Equal(f.mtime)) {
			return true
		}
	}
	return false
}
