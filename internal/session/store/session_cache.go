package store

import (
	"container/list"
	"sync"
	"weak"
)

// sessionCache holds the open sessions. It keeps the recently used ones up to a memory
// limit. Older ones remain open while they are referenced elsewhere, so that a viewed
// session is never loaded twice at the same time.
type sessionCache struct {
	limit int64

	mu       sync.Mutex
	open     map[string]weak.Pointer[Session]
	elements map[string]*list.Element
	byUse    list.List // of *cachedSession, most recently used first
	size     int64
}

type cachedSession struct {
	s    *Session
	size int64
}

// getSession returns the open session of a path and marks it as used.
func (r *sessionCache) getSession(path string) (*Session, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.open[path].Value()
	if s == nil {
		delete(r.open, path)
		return nil, false
	}
	r.touchSession(s)
	return s, true
}

// peekSession returns the open session of a path without marking it as used.
func (r *sessionCache) peekSession(path string) (*Session, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.open[path].Value()
	return s, s != nil
}

// listOpen returns the open sessions.
func (r *sessionCache) listOpen() []*Session {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []*Session
	for _, p := range r.open {
		if s := p.Value(); s != nil {
			all = append(all, s)
		}
	}
	return all
}

// addOpenSession adds an open session.
func (r *sessionCache) addOpenSession(s *Session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open == nil {
		r.open, r.elements = map[string]weak.Pointer[Session]{}, map[string]*list.Element{}
	}
	r.open[s.at.Path] = weak.Make(s)
	r.touchSession(s)
}

// touchSession marks s as most recently used and evicts the last ones beyond the limit,
// never s.
func (r *sessionCache) touchSession(s *Session) {
	size := s.weight.Load()
	if e, ok := r.elements[s.at.Path]; ok {
		k := e.Value.(*cachedSession)
		r.size += size - k.size
		k.s, k.size = s, size
		r.byUse.MoveToFront(e)
	} else {
		r.elements[s.at.Path] = r.byUse.PushFront(&cachedSession{s, size})
		r.size += size
	}
	for r.size > r.limit && r.byUse.Len() > 1 {
		r.evictOldest()
	}
	r.removeCollected()
}

// evictOldest evicts the least recently used session.
func (r *sessionCache) evictOldest() {
	k := r.byUse.Remove(r.byUse.Back()).(*cachedSession)
	delete(r.elements, k.s.at.Path)
	r.size -= k.size
}

// trimTo evicts sessions until the others are within a limit.
func (r *sessionCache) trimTo(limit int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.size > limit && r.byUse.Len() > 0 {
		r.evictOldest()
	}
}

// removeCollected removes the entries of garbage-collected sessions when there are
// many.
func (r *sessionCache) removeCollected() {
	if len(r.open) < 2*r.byUse.Len()+16 {
		return
	}
	for path, p := range r.open {
		if p.Value() == nil {
			delete(r.open, path)
		}
	}
}
