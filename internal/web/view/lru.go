package view

import (
	"container/list"
	"crypto/sha256"
	"sync"
)

// cacheKey names rendered text: how it was rendered, and what.
type cacheKey struct {
	how string
	sum [sha256.Size]byte
}

func keyOf(how, text string) cacheKey { return cacheKey{how, sha256.Sum256([]byte(text))} }

// lru keeps the strings used last, up to a number of bytes.
type lru struct {
	mu    sync.Mutex
	limit int
	size  int
	order *list.List // of *cached, used last first
	byKey map[cacheKey]*list.Element
}

type cached struct {
	key  cacheKey
	text string
}

func newLRU(limit int) *lru {
	return &lru{limit: limit, order: list.New(), byKey: map[cacheKey]*list.Element{}}
}

func (c *lru) get(k cacheKey) (string, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byKey[k]
	if !ok {
		return "", false
	}
	c.order.MoveToFront(e)
	return e.Value.(*cached).text, true
}

func (c *lru) put(k cacheKey, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.byKey[k]; ok || len(text) > c.limit/4 {
		return
	}
	c.byKey[k] = c.order.PushFront(&cached{k, text})
	c.size += len(text)
	for c.size > c.limit {
		e := c.order.Back()
		old := c.order.Remove(e).(*cached)
		delete(c.byKey, old.key)
		c.size -= len(old.text)
	}
}
