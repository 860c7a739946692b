package watch

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// looks is what all files looked like, by path.
type looks struct {
	ready bool
	files map[string]look
}

// renew looks at all files of dirs and answers the paths that changed since the
// last time; none the first time.
func (l *looks) renew(dirs []string) (changed []string) {
	now := make(map[string]look, len(l.files))
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			if interesting(path) && !e.IsDir() {
				now[path] = lookAt(path)
			}
		}
	}
	if l.ready {
		for path, look := range now {
			if l.files[path] != look {
				changed = append(changed, path)
			}
		}
		for path := range l.files {
			if _, there := now[path]; !there {
				changed = append(changed, path)
			}
		}
	}
	l.files, l.ready = now, true
	return changed
}

// note remembers what a file looks like that is being reported anyway.
func (w *Watcher) note(path string) {
	now := w.lookAt(path)
	switch {
	case !now.there:
		delete(w.all.files, path)
	case !now.mode.IsDir():
		w.all.files[path] = now
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if v := w.viewed[path]; v != nil {
		v.look = now
	}
}

// rescan looks at everything.
func (w *Watcher) rescan() {
	w.sync()
	for _, path := range w.all.renew(w.dirs()) {
		w.changed(path)
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
	for dir := range w.missing {
		if isDir(dir) {
			w.sync()
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
