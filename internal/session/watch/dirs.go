package watch

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// rounds is how often directories are asked for again because some came while
// watches were added.
const rounds = 8

// sync makes the watches those of the directories there are now. A directory
// that is new is a change itself: files may have been made in it before its
// watch was. So is one that is gone.
func (w *Watcher) sync() {
	for range rounds {
		came, went := w.watchAll(w.c.Dirs())
		if w.all.ready { // not at the start: the caller reads everything itself
			for _, dir := range append(came, went...) {
				w.changedDir(dir)
			}
		}
		if len(came) == 0 {
			return
		}
	}
}

// changedDir tells of a directory that came or went, and of the viewed files in
// it.
func (w *Watcher) changedDir(dir string) {
	w.changed(dir)
	w.mu.Lock()
	paths := slices.Collect(maps.Keys(w.viewed))
	w.mu.Unlock()
	for _, path := range paths {
		if parent(path) == dir {
			w.changed(path)
		}
	}
}

// watchAll watches dirs and nothing else. It answers those that are new, and
// those that were watched and are not any more.
func (w *Watcher) watchAll(dirs []string) (came, went []string) {
	before := w.watched
	w.watched = make(map[string]bool, len(dirs))
	missing, guards := map[string]bool{}, map[string]bool{}
	for _, dir := range dirs {
		if err := w.watch(dir); errors.Is(err, fs.ErrNotExist) {
			missing[dir] = true
			w.guard(dir, guards)
			continue
		}
		w.watched[dir] = true
		if !before[dir] {
			came = append(came, dir)
		}
	}
	for dir := range before {
		if !w.watched[dir] {
			went = append(went, dir)
			w.unwatch(dir, guards)
		}
	}
	for dir := range w.guards {
		if !w.watched[dir] && !before[dir] {
			w.unwatch(dir, guards)
		}
	}
	for dir := range missing {
		if isDir(dir) {
			came = append(came, dir) // made meanwhile: another round will watch it
		}
	}
	w.missing, w.guards = missing, guards
	return came, went
}

// watch asks for events of a directory. A directory that cannot be watched
// (none left, or not allowed) is polled like all others.
func (w *Watcher) watch(dir string) error {
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
		w.failed(err)
	}
	return nil
}

func (w *Watcher) unwatch(dir string, guards map[string]bool) {
	if w.notify != nil && !guards[dir] {
		_ = w.notify.Remove(dir) // gone already when the directory is
	}
}

// guard watches the nearest directory above a missing one.
func (w *Watcher) guard(dir string, guards map[string]bool) {
	for up := parent(dir); ; up = parent(up) {
		if err := w.watch(up); err == nil {
			guards[up] = true
			return
		}
		if up == parent(up) {
			return
		}
	}
}

// awaited reports whether path lies on the way to a missing directory.
func (w *Watcher) awaited(path string) bool {
	for dir := range w.missing {
		if dir == path || strings.HasPrefix(dir, path+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// dirs lists the directories that exist and are watched.
func (w *Watcher) dirs() []string {
	dirs := make([]string, 0, len(w.watched))
	for dir := range w.watched {
		dirs = append(dirs, dir)
	}
	return dirs
}

func parent(path string) string { return filepath.Dir(path) }

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// interesting reports whether a file of this name can be a session's: not the
// temporary and lock files that agents make beside them.
func interesting(path string) bool {
	name := filepath.Base(path)
	return !strings.HasPrefix(name, ".") && !strings.HasSuffix(name, ".tmp")
}
