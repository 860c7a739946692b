// Package watch says "this path changed", nothing more: fsnotify per directory,
// and a stat poll as a safety net for file systems and events it misses.
package watch

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Config wires a Watcher.
type Config struct {
	// VisitDirs visits the directories to watch, each before what is in it is read: so
	// nothing that is made there meanwhile is missed. Those that do not exist are
	// waited for.
	VisitDirs func(ctx context.Context, visit func(dir string))
	// VisitDirsUnder visits those of them that lie at or below a path.
	VisitDirsUnder func(ctx context.Context, path string, visit func(dir string))
	// OnChange is called with a changed path, at once for the first event of a
	// burst. It must not block for long.
	OnChange func(path string)

	// OnFailure, when set, is called once with why not everything is watched; it is
	// polled then. It must not block, and may be called before New returns.
	OnFailure func(err error)

	// Zero values stand for the usual times.
	ViewedEvery  time.Duration // between two looks at viewed files: 50 ms
	MissingEvery time.Duration // between two looks for missing directories: 2 s
	AllEvery     time.Duration // between two scans of everything: 30 s, or more where one takes long
	QuietTime    time.Duration // between two calls for one path: 10 ms
}

// Watcher owns its goroutines until Close. One reports what changed, another one
// scans directories.
type Watcher struct {
	config    Config
	notify    *fsnotify.Watcher // nil where the system gives none: then only the poll works
	stop      context.CancelFunc
	running   sync.WaitGroup
	dirs      dirSet
	files     fileStates
	scans     scanRequests
	scanned   chan string                 // paths that a scan found changed
	ready     chan struct{}               // closed when all directories are watched
	guardDirs map[string]bool             // the nearest directories above missing ones; of the scan
	statFile  func(path string) fileState // never called with mu held: a dead network file system may take its time

	mu          sync.Mutex
	viewed      map[string]*viewedFile
	wakeUp      chan struct{} // holds a token when the first file is viewed
	closing     atomic.Bool
	failureOnce sync.Once // reported: not everything is watched

	// What follows belongs to the goroutine of run.
	bursts   map[string]burst // by path
	repeats  map[string]bool  // paths near viewed files to report once more
	lastPoll time.Time        // when viewed files were looked at last
}

// viewedFile is a viewed file.
type viewedFile struct {
	holders int
	state   fileState
}

// New starts watching. It does not wait until all directories are watched: Ready says
// when they are.
func New(ctx context.Context, c Config) (*Watcher, error) {
	c.ViewedEvery = orUsual(c.ViewedEvery, 50*time.Millisecond)
	c.MissingEvery = orUsual(c.MissingEvery, 2*time.Second)
	c.AllEvery = orUsual(c.AllEvery, 30*time.Second)
	c.QuietTime = orUsual(c.QuietTime, 10*time.Millisecond)
	w := &Watcher{
		config: c, statFile: statState, viewed: map[string]*viewedFile{}, wakeUp: make(chan struct{}, 1), repeats: map[string]bool{}, lastPoll: time.Now(),
		scans: scanRequests{due: make(chan struct{}, 1)}, scanned: make(chan string), ready: make(chan struct{}), bursts: map[string]burst{},
	}
	// Without it (no descriptors left, a system that has none) polling goes on.
	var err error
	if w.notify, err = fsnotify.NewWatcher(); err != nil {
		w.reportFailure(err)
	}
	ctx, w.stop = context.WithCancel(ctx)
	w.running.Go(func() { w.runEvents(ctx) })
	w.running.Go(func() { w.runScans(ctx) })
	return w, nil
}

// reportFailure reports that something cannot be watched, once.
func (w *Watcher) reportFailure(err error) {
	if w.config.OnFailure != nil && !w.closing.Load() {
		w.failureOnce.Do(func() { w.config.OnFailure(err) })
	}
}

func orUsual(d, otherwise time.Duration) time.Duration {
	if d <= 0 {
		return otherwise
	}
	return d
}

// Ready returns a channel that is closed when all directories are watched. What
// changed before may not have been reported.
func (w *Watcher) Ready() <-chan struct{} { return w.ready }

// WatchCount returns how many directories are watched.
func (w *Watcher) WatchCount() int { return w.dirs.dirCount() }

// ViewFile marks a file as viewed: it is polled often until the function returned is
// called.
func (w *Watcher) ViewFile(path string) (unview func()) {
	now := w.statFile(path)
	w.mu.Lock()
	defer w.mu.Unlock()
	v := w.viewed[path]
	if v == nil {
		v = &viewedFile{state: now}
		w.viewed[path] = v
		select {
		case w.wakeUp <- struct{}{}:
		default:
		}
	}
	v.holders++
	return sync.OnceFunc(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if v.holders--; v.holders == 0 {
			delete(w.viewed, path)
		}
	})
}

// Close stops watching and waits.
func (w *Watcher) Close() error {
	w.closing.Store(true) // a scan that goes on for a moment can watch nothing any more
	w.stop()
	w.running.Wait()
	return nil
}

// runEvents reports what changed.
func (w *Watcher) runEvents(ctx context.Context) {
	missing := time.NewTicker(w.config.MissingEvery)
	defer missing.Stop()
	var events chan fsnotify.Event
	var errs chan error
	if w.notify != nil {
		defer w.notify.Close()
		events, errs = w.notify.Events, w.notify.Errors
	}
	wake := time.NewTimer(time.Hour)
	defer wake.Stop()
	for {
		wake.Reset(w.nextDeadline())
		select {
		case <-ctx.Done():
			return
		case e, ok := <-events:
			if !ok {
				events = nil
				continue
			}
			w.handleEvent(e)
		case _, ok := <-errs:
			if !ok {
				errs = nil
				continue
			}
			w.scans.requestScan("") // an overflow, or something as unclear
		case path := <-w.scanned:
			w.noteChange(path)
		case <-w.wakeUp: // the next look is due sooner
		case <-wake.C:
			w.endBursts()
			w.pollViewed()
		case <-missing.C:
			w.pollMissing()
		}
	}
}

// handleEvent takes in one event of the file system.
func (w *Watcher) handleEvent(e fsnotify.Event) {
	path := e.Name
	if w.dirs.leadsToMissing(path) {
		w.scans.requestScan("")
	}
	watched := w.dirs.hasDir(path)
	switch {
	case watched && (e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)):
		w.dropDir(path)
	case watched && e.Has(fsnotify.Chmod), e.Has(fsnotify.Create) && isDir(path):
		w.scans.requestScan(path)
		w.noteChangedDirs(path)
	case watched: // what is in it has events of its own
	case w.dirs.hasDir(parentDir(path)) && maybeSession(path):
		w.noteChange(path)
	}
}
