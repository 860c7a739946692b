package serve

import "context"

// fillCatalog reads the list of sessions while pages are served, and reads again what
// changed before all directories were watched.
func (a *app) fillCatalog(ctx context.Context) {
	err := a.catalog.Fill(ctx)
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

// visitDirs visits the directories to watch. It waits until the list of the last run is restored, which
// is read from the same directories, and which people wait for.
func (a *app) visitDirs(ctx context.Context, visit func(dir string)) {
	select {
	case <-a.restored:
		a.library.Roots().VisitDirs(ctx, visit)
	case <-ctx.Done():
	}
}
