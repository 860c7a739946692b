package web

import (
	"container/list"
	"sync"
)

// lru keeps the values used last, up to a total weight. It is safe for
// concurrent use.
type lru[K comparable, V any] struct {
	mu     sync.Mutex
	limit  int
	weight int
	order  *list.List // of lruItem, used last first
	items  map[K]*list.Element
}

type lruItem[K comparable, V any] struct {
	key    K
	value  V
	weight int
}

func newLRU[K comparable, V any](limit int) *lru[K, V] {
	return &lru[K, V]{limit: limit, order: list.New(), items: map[K]*list.Element{}}
}

func (l *lru[K, V]) get(key K) (v V, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e, ok := l.items[key]
	if !ok {
		return v, false
	}
	l.order.MoveToFront(e)
	return e.Value.(lruItem[K, V]).value, true
}

// add keeps a value. One that is heavier than the limit is kept alone: it is
// about to be used again.
func (l *lru[K, V]) add(key K, v V, weight int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e, ok := l.items[key]; ok {
		l.drop(e)
	}
	l.items[key] = l.order.PushFront(lruItem[K, V]{key, v, weight})
	l.weight += weight
	for l.weight > l.limit && l.order.Len() > 1 {
		l.drop(l.order.Back())
	}
}

func (l *lru[K, V]) drop(e *list.Element) {
	it := l.order.Remove(e).(lruItem[K, V])
	l.weight -= it.weight
	delete(l.items, it.key)
}
