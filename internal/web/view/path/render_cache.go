package path

import (
	"crypto/sha256"

	"sessiontree/internal/web/lru"
)

// renderKey identifies rendered text by the way it was rendered and its source.
type renderKey struct {
	how string
	sum [sha256.Size]byte
}

func newRenderKey(how, text string) renderKey { return renderKey{how, sha256.Sum256([]byte(text))} }

// renderCache caches the most recently used texts, up to a number of bytes.
type renderCache struct {
	texts *lru.Cache[renderKey, string]
	limit int
}

func newRenderCache(limit int) *renderCache {
	return &renderCache{texts: lru.New[renderKey, string](limit), limit: limit}
}

func (r *renderCache) findRendered(k renderKey) (string, bool) { return r.texts.Get(k) }

// addRendered adds a text, unless it would evict too many others.
func (r *renderCache) addRendered(k renderKey, text string) {
	if len(text) <= r.limit/4 {
		r.texts.Add(k, text, len(text))
	}
}
