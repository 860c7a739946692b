package searchall

import (
	"context"
	"time"
)

// The cache of texts is updated textsDelay after KeepTexts was called, when pages have been served,
// and then at each textsInterval.
const (
	textsDelay    = 10 * time.Second
	textsInterval = 10 * time.Minute
)

// KeepTexts keeps the cache of texts up to date until ctx ends, if this process can write to it.
// lastUse returns when a page was last used: updates rest then. After each update, updated is called.
func (s *Searcher) KeepTexts(ctx context.Context, lastUse func() time.Time, updated func(error)) {
	if s.Texts == nil || !s.Texts.IsWritable() {
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
		now := *s
		now.Now = time.Now()
		err := now.CacheTexts(ctx, func(worked time.Duration) { restWhileUsed(ctx, lastUse, worked) })
		if ctx.Err() != nil {
			return
		}
		updated(err)
		next.Reset(textsInterval)
	}
}

// restWhileUsed rests four times as long as work in the background lasted, if a page was used within
// the last second: pages must not wait for it.
func restWhileUsed(ctx context.Context, lastUse func() time.Time, worked time.Duration) {
	if time.Since(lastUse()) > time.Second {
		return
	}
	select {
	case <-time.After(4 * worked):
	case <-ctx.Done():
	}
}
