// Package lru implements a cache that evicts the least recently used values.
package lru

import (
	"container/list"
	"sync"
)

// Cache holds the most recently used values, up to a total weight. It is safe for
// concurrent use.
type Cache[K comparable, V any] struct {
	mu     sync.Mutex
	limit  int
	weight int
	order  *list.List // of cacheItem, most recently used first
	items  map[K]*list.Element
}

type cacheItem[K comparable, V any] struct {
	key    K
	value  V
	weight int
}

// New returns a Cache whose values together weigh at most limit, in the unit of the weights
// given to Add.
func New[K comparable, V any](limit int) *Cache[K, V] {
	return &Cache[K, V]{limit: limit, order: list.New(), items: map[K]*list.Element{}}
}

// Get returns the value for key; ok is false if there is none.
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

// Add adds a value. A value heavier than the limit replaces all others, because it is about
// to be used again.
func (c *Cache[K, V]) Add(key K, v V, weight int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.items[key]; ok {
		c.removeElement(e)
	}
	c.items[key] = c.order.PushFront(cacheItem[K, V]{key, v, weight})
	c.weight += weight
	c.removeOldest(c.limit, 1)
}

// removeOldest removes values until the rest weighs at most limit or there are only min values.
func (c *Cache[K, V]) removeOldest(limit, min int) {
	for c.weight > limit && c.order.Len() > min {
		c.removeElement(c.order.Back())
	}
}

func (c *Cache[K, V]) removeElement(e *list.Element) {
	it := c.order.Remove(e).(cacheItem[K, V])
	c.weight -= it.weight
	delete(c.items, it.key)
}

// Trim removes the least recently used values until the rest weighs at most limit.
func (c *Cache[K, V]) Trim(limit int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.removeOldest(limit, 0)
}

// Clear removes all values.
func (c *Cache[K, V]) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.order.Init()
	clear(c.items)
	c.weight = 0
}
