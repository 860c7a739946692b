package serve

import (
	"context"
	"errors"

	"sessiontree/internal/cli/statedir"
	"sessiontree/internal/session/searchall"
	"sessiontree/internal/session/textcache"
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

// keepTexts keeps the cache of texts up to date until ctx ends. The first of several explorers does.
func (a *app) keepTexts(ctx context.Context) {
	s := searchall.Searcher{Library: a.library, Catalog: a.catalog, Texts: a.texts}
	s.KeepTexts(ctx, a.web.LastActivity, func(err error) {
		if err := errors.Join(err, s.RemoveDeletedTexts()); err != nil {
			a.log.Warn("updating the cache of texts", "err", err)
		}
		a.web.NoteActivity() // releases the memory that it used
	})
}
