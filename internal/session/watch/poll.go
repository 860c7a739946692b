package watch

import (
	"maps"
	"os"
	"slices"
	"sync"
	"time"
)

// fileState is the state of a file when it was last polled.
type fileState struct {
	size, mtime int64
	mode        os.FileMode
	exists      bool
}

func statState(path string) fileState {
	info, err := os.Stat(path)
	if err != nil {
		return fileState{}
	}
	return fileState{size: info.Size(), mtime: info.ModTime().UnixNano(), mode: info.Mode(), exists: true}
}

// fileStates holds the states of files by path. It is safe for concurrent use.
type fileStates struct {
	mu    sync.Mutex
	files map[string]fileState
}

// setState stores the state of a file and reports whether it changed.
func (l *fileStates) setState(path string, now fileState) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := l.files[path]
	switch {
	case !now.exists:
		delete(l.files, path)
	case l.files == nil:
		l.files = map[string]fileState{path: now}
	default:
		l.files[path] = now
	}
	return before != now
}

func (l *fileStates) listPaths() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Collect(maps.Keys(l.files))
}

// recordState stores the state of a file whose change is being reported.
func (w *Watcher) recordState(path string) {
	now := w.statFile(path)
	if !now.mode.IsDir() {
		w.files.setState(path, now)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if v := w.viewed[path]; v != nil {
		v.state = now
	}
}

// pollViewed polls the viewed files when it is time to.
func (w *Watcher) pollViewed() {
	if time.Since(w.lastPoll) < w.viewedInterval() {
		return
	}
	changed := w.statViewed()
	for _, path := range changed {
		w.noteChange(path)
	}
	if w.emptyPolls++; len(changed) > 0 {
		w.emptyPolls = 0
	}
	w.lastPoll = time.Now() // after the polls, which are slow on a slow file system
}

// viewedInterval returns the time between two polls of viewed files. Polls that find nothing
// for a second are made less often: events report the changes, or there are none.
func (w *Watcher) viewedInterval() time.Duration {
	if w.emptyPolls < 20 {
		return w.config.ViewedEvery
	}
	return 4 * w.config.ViewedEvery
}

// pollMissing requests a scan if a missing directory exists now.
func (w *Watcher) pollMissing() {
	for dir := range w.dirs.missingDirs() {
		if isDir(dir) {
			w.scans.requestScan("")
			return
		}
	}
}

func (w *Watcher) statViewed() (changed []string) {
	w.mu.Lock()
	paths := slices.Collect(maps.Keys(w.viewed))
	w.mu.Unlock()
	for _, path := range paths {
		now := w.statFile(path)
		w.mu.Lock()
		if v := w.viewed[path]; v != nil && v.state != now {
			v.state = now
			changed = append(changed, path)
		}
		w.mu.Unlock()
	}
	return changed
}
