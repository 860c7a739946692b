package view

import (
	"crypto/sha256"

	"sessiontree/internal/web/lru"
)

// renderKey names rendered text: how it was rendered, and what.
type renderKey struct {
	how string
	sum [sha256.Size]byte
}

func newRenderKey(how, text string) renderKey { return renderKey{how, sha256.Sum256([]byte(text))} }

// renderCache keeps the texts used last, up to a number of bytes.
type renderCache struct {
	texts *lru.Cache[renderKey, string]
	limit int
}

func newRenderCache(limit int) *renderCache {
	return &renderCache{texts: lru.New[renderKey, string](limit), limit: limit}
}

func (r *renderCache) findRendered(k renderKey) (string, bool) { return r.texts.Get(k) }

// addRendered keeps a text, unless it would push out too much else.
func (r *renderCache) addRendered(k renderKey, text string) {
	if len(text) <= r.limit/4 {
		r.texts.Add(k, text, len(text))
	}
}
