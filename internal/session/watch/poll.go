package watch

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
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

// note remembers what a file looks like that is being told of anyway.
func (l *looks) note(path string) {
	switch now := lookAt(path); {
	case !now.there:
		delete(l.files, path)
	case !now.mode.IsDir():
		l.files[path] = now
	}
}

// rescan looks at everything.
func (w *Watcher) rescan() {
	w.sync()
	for _, path := range w.all.renew(w.dirs()) {
		w.changed(path)
	}
}

// pollViewed looks at the viewed files, and whether a missing directory came.
func (w *Watcher) pollViewed() {
	for _, path := range w.lookAtViewed() {
		w.changed(path)
	}
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
