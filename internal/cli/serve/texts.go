package serve

import (
	"context"
	"time"

	"sessiontree/internal/cli/statedir"
	"sessiontree/internal/session/searchall"
	"sessiontree/internal/session/textcache"
)

// The cache of texts is updated textsDelay after the list of sessions is complete, when pages
// have been served, and then at each textsInterval.
const (
	textsDelay    = 10 * time.Second
	textsInterval = 10 * time.Minute
)

// openTexts returns the cache of texts, nil if there is none: searches then read the session
// files.
func (a *app) openTexts() *textcache.Cache {
	dir := statedir.CacheDir()
	if dir == "" {
		return nil
	}
	texts, err := textcache.Open(dir)
	if err != nil {
		a.log.Warn("searches will be slower", "err", err)
		return nil
	}
	return texts
}

// updateTexts keeps the cache of texts up to date until ctx ends. The first of several
// explorers does.
func (a *app) updateTexts(ctx context.Context) {
	if a.texts == nil || !a.texts.IsWritable() {
		return
	}
	next := time.NewTimer(textsDelay)
	defer next.Stop()
	for {
		select {
		case <-next.C:
		case <-ctx.Done():
			return
		}
		s := searchall.Searcher{Library: a.library, Catalog: a.catalog, Texts: a.texts, Now: time.Now()}
		if err := s.CacheTexts(ctx, func(worked time.Duration) { a.restWhileUsed(ctx, worked) }); err != nil && ctx.Err() == nil {
			a.log.Warn("updating the cache of texts", "err", err)
		}
		a.web.NoteActivity() // releases the memory that it used
		next.Reset(textsInterval)
	}
}

// restWhileUsed rests four times as long as work in the background lasted, if there was a request
// within the last second: pages must not wait for it.
func (a *app) restWhileUsed(ctx context.Context, worked time.Duration) {
	if time.Since(a.web.LastActivity()) > time.Second {
		return
	}
	select {
	case <-time.After(4 * worked):
	case <-ctx.Done():
	}
}
