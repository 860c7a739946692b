package serve

import (
	"context"
	"runtime/debug"
)

// fillGCPercent is how many percent the heap may grow between two collections while the list of sessions
// is read. The list is complete an eighth sooner than with the usual 100. With 400 it is not sooner yet,
// and takes 50 MB more. The first collection comes at 60 MB (see package startup), when the list of a
// thousand sessions of the last run is restored.
const fillGCPercent = 200

// fillCatalog reads the list of sessions while pages are served, and reads again what
// changed before all directories were watched.
func (a *app) fillCatalog(ctx context.Context) {
	collectAsUsual := collectLess(fillGCPercent)
	err := a.catalog.Fill(ctx)
	collectAsUsual()
	a.startWatching() // also after an error
	if err != nil && ctx.Err() == nil {
		a.log.Error("reading the list of sessions", "err", err)
	}
	a.moveColdData()
	select {
	case <-a.watcher.Ready():
		a.follower.Rescan(ctx)
		a.web.NoteActivity() // releases the memory that it used
	case <-ctx.Done():
	}
}

// startWatching lets the watcher begin. The catalog calls it when the list of the last run is restored.
func (a *app) startWatching() {
	select {
	case <-a.restored:
	default:
		close(a.restored)
	}
}

// collectLess makes the garbage collector run less often until restore is called.
func collectLess(percent int) (restore func()) {
	before := debug.SetGCPercent(percent)
	if before < 0 || before > percent { // as GOGC says
		debug.SetGCPercent(before)
	}
	return func() { debug.SetGCPercent(before) }
}

// visitDirs visits the directories to watch. It waits until the list of the last run is restored, which
// is read from the same directories, and which people wait for.
func (a *app) visitDirs(ctx context.Context, visit func(dir string)) {
	select {
	case <-a.restored:
		a.library.Roots().VisitDirs(ctx, visit)
	case <-ctx.Done():
	}
}
