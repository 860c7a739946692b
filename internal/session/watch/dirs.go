package watch

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// dirSet is the set of watched directories and of missing ones. It is safe for
// concurrent use.
type dirSet struct {
	mu      sync.Mutex
	subdirs map[string]map[string]bool // watched subdirectories, by watched directory
	missing map[string]bool            // replaced, never changed
}

// addDir adds a directory and reports whether it was not in the set.
func (s *dirSet) addDir(dir string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.subdirs == nil {
		s.subdirs = map[string]map[string]bool{}
	}
	if _, there := s.subdirs[dir]; there {
		return false
	}
	s.subdirs[dir] = map[string]bool{}
	if siblings, there := s.subdirs[parentDir(dir)]; there {
		siblings[dir] = true
	}
	return true
}

func (s *dirSet) hasDir(dir string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, there := s.subdirs[dir]
	return there
}

// removeDir removes a directory and those below it, and returns them.
func (s *dirSet) removeDir(dir string) (removed []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if siblings, there := s.subdirs[parentDir(dir)]; there {
		delete(siblings, dir)
	}
	for todo := []string{dir}; len(todo) > 0; {
		dir, todo = todo[len(todo)-1], todo[:len(todo)-1]
		below, there := s.subdirs[dir]
		if !there {
			continue
		}
		delete(s.subdirs, dir)
		removed = append(removed, dir)
		todo = slices.AppendSeq(todo, maps.Keys(below))
	}
	return removed
}

func (s *dirSet) dirCount() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.subdirs)
}

func (s *dirSet) listDirs() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.subdirs))
}

// setMissing sets the missing directories.
func (s *dirSet) setMissing(missing map[string]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.missing = missing
}

// missingDirs returns the missing directories.
func (s *dirSet) missingDirs() map[string]bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.missing
}

// leadsToMissing reports whether path is a missing directory or an ancestor of one.
func (s *dirSet) leadsToMissing(path string) bool {
	for dir := range s.missingDirs() {
		if dir == path || strings.HasPrefix(dir, path+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// watchDir subscribes to the events of a directory. A directory that cannot be watched
// is polled like all others.
func (w *Watcher) watchDir(dir string) error {
	if _, err := os.Stat(dir); err != nil {
		return err
	}
	if w.notify == nil {
		return nil
	}
	err := w.notify.Add(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err != nil {
		w.reportFailure(err)
	}
	return nil
}

func (w *Watcher) unwatchDir(dir string) {
	if w.notify != nil {
		_ = w.notify.Remove(dir) // fails if the directory is gone
	}
}

// dropDir unwatches a removed directory and those below it, and reports them. A
// directory created later at the same path is another one.
func (w *Watcher) dropDir(dir string) {
	removed := w.dirs.removeDir(dir)
	for _, dir := range removed {
		w.unwatchDir(dir)
	}
	if !w.dirs.hasDir(parentDir(dir)) {
		w.scans.requestScan("") // no event reports its return
	}
	w.noteChangedDirs(removed...)
}

// noteChangedDirs reports directories that came or went, and the viewed files in them.
func (w *Watcher) noteChangedDirs(dirs ...string) {
	for _, path := range w.withViewed(dirs) {
		w.noteChange(path)
	}
}

// withViewed returns dirs and the viewed files in them.
func (w *Watcher) withViewed(dirs []string) []string {
	in := make(map[string]bool, len(dirs))
	for _, dir := range dirs {
		in[dir] = true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for path := range w.viewed {
		if in[parentDir(path)] {
			dirs = append(dirs, path)
		}
	}
	return dirs
}

func parentDir(path string) string { return filepath.Dir(path) }

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// maybeSession reports whether a file of this name can belong to a session, unlike the
// temporary and lock files of agents.
func maybeSession(path string) bool {
	name := filepath.Base(path)
	return !strings.HasPrefix(name, ".") && !strings.HasSuffix(name, ".tmp")
}
