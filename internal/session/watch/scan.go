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
	// maxRounds is how often a scan begins again because a missing directory came.
	maxRounds = 8
	// scanRest bounds the share of time that polling takes: after a scan of everything
	// the next poll is at least this many times as far away as the scan took.
	scanRest = 20
)

// scanRequests are the directories that have to be scanned.
type scanRequests struct {
	due chan struct{} // holds a token while something is requested

	mu    sync.Mutex
	below map[string]bool // "" is everything
}

// requestScan asks for a scan of what lies at and below dir, or of everything with "".
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

// takeRequests returns what is requested and clears it.
func (r *scanRequests) takeRequests() (below []string, everything bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	everything = r.below[""]
	below = slices.Collect(maps.Keys(r.below))
	r.below = nil
	return below, everything
}

// runScans scans what is requested, and everything now and then. It has a goroutine
// of its own: a scan takes seconds where there are many directories, and what is
// reported meanwhile must not wait.
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

// sendChanged has paths reported by the goroutine that reports.
func (w *Watcher) sendChanged(ctx context.Context, paths []string) {
	for _, path := range paths {
		select {
		case w.scanned <- path:
		case <-ctx.Done():
			return
		}
	}
}

// scanBelow watches directories that were made, and those in them. Each is reported:
// files may have been made in it before its watch was.
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

// scanAll makes the watches those of the directories there are now, looks at all
// files, and returns what changed.
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

// scanDirs returns the directories that came and went. again: a missing one came
// meanwhile.
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
		return nil, false // not all of them are known
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

// guardMissing watches the nearest directory above each missing one. It reports whether one
// has come meanwhile.
func (w *Watcher) guardMissing(missing map[string]bool) (came bool) {
	w.dirs.setMissing(missing) // before the watches, whose events are looked up in it
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

// scanFiles looks at all files of the watched directories and returns the paths that
// changed since they were looked at last.
func (w *Watcher) scanFiles(ctx context.Context) (changed []string) {
	there := map[string]bool{}
	for _, dir := range w.dirs.listDirs() {
		if ctx.Err() != nil {
			return nil
		}
		entries, _ := os.ReadDir(dir) // what cannot be read has no files
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
		if !there[path] && !(w.dirs.hasDir(parentDir(path)) && statState(path).exists) { // else made since
			w.files.setState(path, fileState{})
			changed = append(changed, path)
		}
	}
	return changed
}
