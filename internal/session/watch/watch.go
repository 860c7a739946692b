// Package watch reports changed paths. It uses fsnotify per directory, and polls for
// changes that events miss or file systems do not report.
package watch

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Config configures a Watcher.
type Config struct {
	// VisitDirs calls visit for each directory to watch before it reads the directory,
	// so that no new file is missed, and for directories that do not exist yet.
	VisitDirs func(ctx context.Context, visit func(dir string))
	// VisitDirsUnder is VisitDirs for the directories at or below a path.
	VisitDirsUnder func(ctx context.Context, path string, visit func(dir string))
	// OnChange is called with a changed path, immediately for the first event of a
	// burst. It must not block for long.
	OnChange func(path string)

	// OnFailure, if set, is called once with the reason why not everything can be
	// watched; polling continues. It must not block, and may be called before New
	// returns.
	OnFailure func(err error)

	// Zero values mean the defaults.
	ViewedEvery  time.Duration // between two polls of viewed files: 50 ms, or more if polls find nothing
	MissingEvery time.Duration // between two polls for missing directories: 2 s
	AllEvery     time.Duration // between two scans of everything: 30 s, or more if a scan takes long
	QuietTime    time.Duration // between two calls for one path: 10 ms
}

// Watcher watches directories until Close. One of its goroutines reports changes,
// another one scans directories.
type Watcher struct {
	config    Config
	notify    *fsnotify.Watcher // nil if not available: then there is only polling
	stop      context.CancelFunc
	running   sync.WaitGroup
	dirs      dirSet
	files     fileStates
	scans     scanRequests
	scanned   chan string                 // changed paths, from scans
	ready     chan struct{}               // closed when all directories are watched
	guardDirs map[string]bool             // nearest existing ancestors of missing directories; used by the scan
	statFile  func(path string) fileState // never called with mu held: it may block on a dead network file system

	mu          sync.Mutex
	viewed      map[string]*viewedFile
	wakeUp      chan struct{} // holds a token when the first file is viewed
	closing     atomic.Bool
	failureOnce sync.Once // for OnFailure

	// The following fields belong to the goroutine of runEvents.
	bursts     map[string]burst // by path
	lastPoll   time.Time        // of viewed files
	emptyPolls int              // the last polls of viewed files, which found nothing
}

// viewedFile is a file that somebody views.
type viewedFile struct {
	holders int
	state   fileState
}

// New starts a Watcher. It does not wait until all directories are watched; see Ready.
func New(ctx context.Context, c Config) (*Watcher, error) {
	c.ViewedEvery = orUsual(c.ViewedEvery, 50*time.Millisecond)
	c.MissingEvery = orUsual(c.MissingEvery, 2*time.Second)
	c.AllEvery = orUsual(c.AllEvery, 30*time.Second)
	c.QuietTime = orUsual(c.QuietTime, 10*time.Millisecond)
	w := &Watcher{
		config: c, statFile: statState, viewed: map[string]*viewedFile{}, wakeUp: make(chan struct{}, 1), lastPoll: time.Now(),
		scans: scanRequests{due: make(chan struct{}, 1)}, scanned: make(chan string), ready: make(chan struct{}), bursts: map[string]burst{},
	}
	// Without fsnotify (no descriptors left, or not supported) polling continues.
	var err error
	if w.notify, err = fsnotify.NewWatcher(); err != nil {
		w.reportFailure(err)
	}
	ctx, w.stop = context.WithCancel(ctx)
	w.running.Go(func() { w.runEvents(ctx) })
	w.running.Go(func() { w.runScans(ctx) })
	return w, nil
}

// reportFailure calls OnFailure once.
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

// Ready returns a channel that is closed when all directories are watched. Changes
// before that may not be reported.
func (w *Watcher) Ready() <-chan struct{} { return w.ready }

// WatchCount returns the number of watched directories.
func (w *Watcher) WatchCount() int { return w.dirs.dirCount() }

// ViewFile marks a file as viewed: it is polled often until unview is called.
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

// Close stops watching and waits for the goroutines.
func (w *Watcher) Close() error {
	w.closing.Store(true) // a scan that is still running must not report failures
	w.stop()
	w.running.Wait()
	return nil
}

// runEvents reports changes until ctx is done.
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
			w.scans.requestScan("") // an overflow or a similar error
		case path := <-w.scanned:
			w.noteChange(path)
		case <-w.wakeUp: // the next poll is due sooner
			w.emptyPolls = 0
		case <-wake.C:
			w.endBursts()
			w.pollViewed()
		case <-missing.C:
			w.pollMissing()
		}
	}
}

// handleEvent handles an event of the file system.
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
	case watched: // its content has events of its own
	case w.dirs.hasDir(parentDir(path)) && maybeSession(path):
		w.noteChange(path)
	}
}
