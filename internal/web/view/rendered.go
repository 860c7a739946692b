package view

import (
	"crypto/sha256"

	"sessiontree/internal/web/lru"
)

// cacheKey names rendered text: how it was rendered, and what.
type cacheKey struct {
	how string
	sum [sha256.Size]byte
}

func keyOf(how, text string) cacheKey { return cacheKey{how, sha256.Sum256([]byte(text))} }

// rendered keeps the texts used last, up to a number of bytes.
type rendered struct {
	kept  *lru.Cache[cacheKey, string]
	limit int
}

func newRendered(limit int) *rendered {
	return &rendered{kept: lru.New[cacheKey, string](limit), limit: limit}
}

func (r *rendered) get(k cacheKey) (string, bool) { return r.kept.Get(k) }

// put keeps a text, unless it would push out too much else.
func (r *rendered) put(k cacheKey, text string) {
	if len(text) <= r.limit/4 {
		r.kept.Add(k, text, len(text))
	}
}
