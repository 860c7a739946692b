// Package lru keeps the values used last.
package lru

import (
	"container/list"
	"sync"
)

// Cache keeps the values used last, up to a total weight. It is safe for
// concurrent use.
type Cache[K comparable, V any] struct {
	mu     sync.Mutex
	limit  int
	weight int
	order  *list.List // of item, used last first
	items  map[K]*list.Element
}

type cacheItem[K comparable, V any] struct {
	key    K
	value  V
	weight int
}

// New makes a Cache of values that weigh at most limit together, in whatever
// unit Add is given.
func New[K comparable, V any](limit int) *Cache[K, V] {
	return &Cache[K, V]{limit: limit, order: list.New(), items: map[K]*list.Element{}}
}

// Get answers the value of key; ok is false when it is not kept.
func (c *Cache[K, V]) Get(key K) (v V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.items[key]
	if !ok {
		return v, false
	}
	c.order.MoveToFront(e)
	return e.Value.(cacheItem[K, V]).value, true
}

// Add keeps a value. One that is heavier than the limit is kept alone: it is
// about to be used again.
func (c *Cache[K, V]) Add(key K, v V, weight int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.items[key]; ok {
		c.removeElement(e)
	}
	c.items[key] = c.order.PushFront(cacheItem[K, V]{key, v, weight})
	c.weight += weight
	for c.weight > c.limit && c.order.Len() > 1 {
		c.removeElement(c.order.Back())
	}
}

func (c *Cache[K, V]) removeElement(e *list.Element) {
	it := c.order.Remove(e).(cacheItem[K, V])
	c.weight -= it.weight
	delete(c.items, it.key)
}

// Clear drops all values.
func (c *Cache[K, V]) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.order.Init()
	clear(c.items)
	c.weight = 0
}
