package watch

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

const (
	// maxRounds is how often a scan starts again because a missing directory was
	// created.
	maxRounds = 8
	// scanRest limits the share of time for polling: after a full scan, the next one
	// starts after at least this many times the duration of the scan.
	scanRest = 20
)

// scanRequests are the directories to scan.
type scanRequests struct {
	due chan struct{} // holds a token while there is a request

	mu    sync.Mutex
	below map[string]bool // "" means everything
}

// requestScan requests a scan at and below dir, or of everything if dir is "".
func (r *scanRequests) requestScan(dir string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.below == nil {
		r.below = map[string]bool{}
	}
	r.below[dir] = true
	select {
	case r.due <- struct{}{}:
	default:
	}
}

// takeRequests returns and clears the requests.
func (r *scanRequests) takeRequests() (below []string, everything bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	everything = r.below[""]
	below = slices.Collect(maps.Keys(r.below))
	r.below = nil
	return below, everything
}

// runScans scans what is requested, and regularly everything. It runs in its own
// goroutine: a scan of many directories takes seconds, and events must not wait for it.
func (w *Watcher) runScans(ctx context.Context) {
	if w.scanAll(ctx); ctx.Err() == nil {
		close(w.ready)
	}
	poll := time.NewTimer(w.config.AllEvery)
	defer poll.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.scans.due:
			if below, everything := w.scans.takeRequests(); !everything {
				w.scanBelow(ctx, below)
				continue
			}
		case <-poll.C:
		}
		began := time.Now()
		w.sendChanged(ctx, w.scanAll(ctx))
		poll.Reset(max(w.config.AllEvery, scanRest*time.Since(began)))
	}
}

// sendChanged sends paths to the goroutine that reports changes.
func (w *Watcher) sendChanged(ctx context.Context, paths []string) {
	for _, path := range paths {
		select {
		case w.scanned <- path:
		case <-ctx.Done():
			return
		}
	}
}

// scanBelow watches new directories and those in them. It reports each, because files
// may have been created before the watch.
func (w *Watcher) scanBelow(ctx context.Context, tops []string) {
	var came []string
	for _, top := range tops {
		w.config.VisitDirsUnder(ctx, top, func(dir string) {
			if w.watchDir(dir) == nil && w.dirs.addDir(dir) {
				came = append(came, dir)
			}
		})
	}
	w.sendChanged(ctx, w.withViewed(came))
}

// scanAll updates the watches to the existing directories, polls all files, and returns
// what changed.
func (w *Watcher) scanAll(ctx context.Context) (changed []string) {
	for range maxRounds {
		dirs, again := w.scanDirs(ctx)
		changed = append(changed, dirs...)
		if !again || ctx.Err() != nil {
			break
		}
	}
	return append(w.withViewed(changed), w.scanFiles(ctx)...)
}

// scanDirs returns the directories that came and went. again is set if a missing one
// was created meanwhile.
func (w *Watcher) scanDirs(ctx context.Context) (changed []string, again bool) {
	there, missing := map[string]bool{}, map[string]bool{}
	w.config.VisitDirs(ctx, func(dir string) {
		if err := w.watchDir(dir); errors.Is(err, fs.ErrNotExist) {
			missing[dir] = true
			return
		}
		there[dir] = true
		if w.dirs.addDir(dir) {
			changed = append(changed, dir)
		}
	})
	if ctx.Err() != nil {
		return nil, false // the list is incomplete
	}
	for _, dir := range w.dirs.listDirs() {
		if !there[dir] {
			gone := w.dirs.removeDir(dir)
			changed = append(changed, gone...)
			for _, dir := range gone {
				w.unwatchDir(dir)
			}
		}
	}
	return changed, w.guardMissing(missing)
}

// guardMissing watches the nearest existing ancestor of each missing directory. It
// reports whether one was created meanwhile.
func (w *Watcher) guardMissing(missing map[string]bool) (came bool) {
	w.dirs.setMissing(missing) // before the watches, because their events need it
	guards := map[string]bool{}
	for dir := range missing {
		up := parentDir(dir)
		for w.watchDir(up) != nil && up != parentDir(up) {
			up = parentDir(up)
		}
		guards[up] = true
	}
	for dir := range w.guardDirs {
		if !guards[dir] && !w.dirs.hasDir(dir) {
			w.unwatchDir(dir)
		}
	}
	w.guardDirs = guards
	for dir := range missing {
		came = came || isDir(dir)
	}
	return came
}

// scanFiles polls all files of the watched directories and returns the paths that
// changed since the last poll.
func (w *Watcher) scanFiles(ctx context.Context) (changed []string) {
	there := map[string]bool{}
	for _, dir := range w.dirs.listDirs() {
		if ctx.Err() != nil {
			return nil
		}
		entries, _ := os.ReadDir(dir) // an unreadable directory has no files
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			if maybeSession(path) && !e.IsDir() {
				there[path] = true
				if w.files.setState(path, statState(path)) {
					changed = append(changed, path)
				}
			}
		}
	}
	for _, path := range w.files.listPaths() {
		if !there[path] && !(w.dirs.hasDir(parentDir(path)) && statState(path).exists) { // otherwise created since
			w.files.setState(path, fileState{})
			changed = append(changed, path)
		}
	}
	return changed
}
