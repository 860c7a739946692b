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
	// Dirs visits the directories to watch, each before what is in it is read: so
	// nothing that is made there meanwhile is missed. Those that do not exist are
	// waited for.
	Dirs func(ctx context.Context, visit func(dir string))
	// DirsUnder visits those of them that lie at or below a path.
	DirsUnder func(ctx context.Context, path string, visit func(dir string))
	// Changed is called with a changed path, at once for the first event of a
	// burst. It must not block for long.
	Changed func(path string)

	// Failed, when set, is called once with why not everything is watched; it is
	// polled then. It must not block, and may be called before New returns.
	Failed func(err error)

	// Zero values stand for the usual times.
	ViewedEvery  time.Duration // between two looks at viewed files: 50 ms
	MissingEvery time.Duration // between two looks for missing directories: 2 s
	AllEvery     time.Duration // between two scans of everything: 30 s, or more where one takes long
	Quiet        time.Duration // between two calls for one path: 10 ms
}

// Watcher owns its goroutines until Close. One reports what changed, another one
// scans directories.
type Watcher struct {
	c       Config
	notify  *fsnotify.Watcher // nil where the system gives none: then only the poll works
	stop    context.CancelFunc
	running sync.WaitGroup
	dirs    dirSet
	files   looks
	scans   scanRequests
	found   chan string            // paths that a scan found changed
	ready   chan struct{}          // closed when all directories are watched
	guards  map[string]bool        // the nearest directories above missing ones; of the scan
	lookAt  func(path string) look // never called with mu held: a dead network file system may take its time

	mu      sync.Mutex
	viewed  map[string]*view
	wakeUp  chan struct{} // holds a token when the first file is viewed
	closing atomic.Bool
	failure sync.Once // reported: not everything is watched

	// What follows belongs to the goroutine of run.
	bursts map[string]burst // by path
	again  map[string]bool  // paths near viewed files to report once more
	polled time.Time        // when viewed files were looked at last
}

// view is a viewed file.
type view struct {
	holders int
	look    look
}

// New starts watching. It does not wait until all directories are watched: Ready says
// when they are.
func New(ctx context.Context, c Config) (*Watcher, error) {
	c.ViewedEvery = usual(c.ViewedEvery, 50*time.Millisecond)
	c.MissingEvery = usual(c.MissingEvery, 2*time.Second)
	c.AllEvery = usual(c.AllEvery, 30*time.Second)
	c.Quiet = usual(c.Quiet, 10*time.Millisecond)
	w := &Watcher{
		c: c, lookAt: lookAt, viewed: map[string]*view{}, wakeUp: make(chan struct{}, 1), again: map[string]bool{}, polled: time.Now(),
		scans: scanRequests{due: make(chan struct{}, 1)}, found: make(chan string), ready: make(chan struct{}), bursts: map[string]burst{},
	}
	// Without it (no descriptors left, a system that has none) polling goes on.
	var err error
	if w.notify, err = fsnotify.NewWatcher(); err != nil {
		w.failed(err)
	}
	ctx, w.stop = context.WithCancel(ctx)
	w.running.Go(func() { w.run(ctx) })
	w.running.Go(func() { w.runScans(ctx) })
	return w, nil
}

// failed reports that something cannot be watched, once.
func (w *Watcher) failed(err error) {
	if w.c.Failed != nil && !w.closing.Load() {
		w.failure.Do(func() { w.c.Failed(err) })
	}
}

func usual(d, otherwise time.Duration) time.Duration {
	if d <= 0 {
		return otherwise
	}
	return d
}

// Ready returns a channel that is closed when all directories are watched. What
// changed before may not have been reported.
func (w *Watcher) Ready() <-chan struct{} { return w.ready }

// Watches returns how many directories are watched.
func (w *Watcher) Watches() int { return w.dirs.len() }

// View marks a file as viewed: it is polled often until the function returned is
// called.
func (w *Watcher) View(path string) (unview func()) {
	now := w.lookAt(path)
	w.mu.Lock()
	defer w.mu.Unlock()
	v := w.viewed[path]
	if v == nil {
		v = &view{look: now}
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

// run reports what changed.
func (w *Watcher) run(ctx context.Context) {
	missing := time.NewTicker(w.c.MissingEvery)
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
		wake.Reset(w.due())
		select {
		case <-ctx.Done():
			return
		case e, ok := <-events:
			if !ok {
				events = nil
				continue
			}
			w.event(e)
		case _, ok := <-errs:
			if !ok {
				errs = nil
				continue
			}
			w.scans.request("") // an overflow, or something as unclear
		case path := <-w.found:
			w.changed(path)
		case <-w.wakeUp: // the next look is due sooner
		case <-wake.C:
			w.settle()
			w.pollViewed()
		case <-missing.C:
			w.pollMissing()
		}
	}
}

// event takes in one event of the file system.
func (w *Watcher) event(e fsnotify.Event) {
	path := e.Name
	if w.dirs.leadsToMissing(path) {
		w.scans.request("")
	}
	watched := w.dirs.has(path)
	switch {
	case watched && (e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)):
		w.dropDir(path)
	case watched && e.Has(fsnotify.Chmod), e.Has(fsnotify.Create) && isDir(path):
		w.scans.request(path)
		w.changedDirs(path)
	case watched: // what is in it has events of its own
	case w.dirs.has(parent(path)) && interesting(path):
		w.changed(path)
	}
}
