package watch

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// look is what a file looked like when it was last polled.
type look struct {
	size, mtime int64
	mode        os.FileMode
	there       bool
}

func lookAt(path string) look {
	info, err := os.Stat(path)
	if err != nil {
		return look{}
	}
	return look{size: info.Size(), mtime: info.ModTime().UnixNano(), mode: info.Mode(), there: true}
}

// looks is what files looked like, by path. It is safe for concurrent use.
type looks struct {
	mu    sync.Mutex
	files map[string]look
}

// set remembers what a file looks like and reports whether that is new.
func (l *looks) set(path string, now look) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := l.files[path]
	switch {
	case !now.there:
		delete(l.files, path)
	case l.files == nil:
		l.files = map[string]look{path: now}
	default:
		l.files[path] = now
	}
	return before != now
}

func (l *looks) paths() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Collect(maps.Keys(l.files))
}

// note remembers what a file looks like that is being reported anyway.
func (w *Watcher) note(path string) {
	now := w.lookAt(path)
	if !now.mode.IsDir() {
		w.files.set(path, now)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if v := w.viewed[path]; v != nil {
		v.look = now
	}
}

// pollViewed looks at the viewed files when it is time to. What changed near them
// since the last look is reported once more: a state that is no news while a file is
// being written is some when it stays.
func (w *Watcher) pollViewed() {
	if time.Since(w.polled) < w.c.ViewedEvery {
		return
	}
	for path := range w.again {
		if !w.bursts[path].more { // else it is reported soon anyway
			delete(w.again, path)
			w.c.Changed(path)
		}
	}
	for _, path := range w.lookAtViewed() {
		w.changed(path)
	}
	w.polled = time.Now() // after the looks, which take long on a slow file system
}

// nearViewed reports whether a path lies in the directory of a viewed file, or
// below.
func (w *Watcher) nearViewed(path string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for viewed := range w.viewed {
		if strings.HasPrefix(path, parent(viewed)+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// pollMissing looks whether a missing directory came.
func (w *Watcher) pollMissing() {
	for dir := range w.dirs.waitedFor() {
		if isDir(dir) {
			w.scans.request("")
			return
		}
	}
}

func (w *Watcher) lookAtViewed() (changed []string) {
	w.mu.Lock()
	paths := slices.Collect(maps.Keys(w.viewed))
	w.mu.Unlock()
	for _, path := range paths {
		now := w.lookAt(path)
		w.mu.Lock()
		if v := w.viewed[path]; v != nil && v.look != now {
			v.look = now
			changed = append(changed, path)
		}
		w.mu.Unlock()
	}
	return changed
}
