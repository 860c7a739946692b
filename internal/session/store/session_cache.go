package store

import (
	"container/list"
	"sync"
	"weak"
)

// sessionCache holds the open sessions. Those used last are kept by it up to a bound
// of memory; older ones stay open as long as somebody else holds them, so that a
// viewed session is never loaded twice beside itself.
type sessionCache struct {
	limit int64

	mu       sync.Mutex
	open     map[string]weak.Pointer[Session]
	elements map[string]*list.Element
	byUse    list.List // of *keeping, used last first
	size     int64
}

type cachedSession struct {
	s    *Session
	size int64
}

// getSession answers the open session of a path and marks it as used.
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

// listOpen lists the open sessions.
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

// addOpenSession opens s to others.
func (r *sessionCache) addOpenSession(s *Session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open == nil {
		r.open, r.elements = map[string]weak.Pointer[Session]{}, map[string]*list.Element{}
	}
	r.open[s.at.path] = weak.Make(s)
	r.touchSession(s)
}

// touchSession puts s first and lets go of the last ones beyond the bound, never of s.
func (r *sessionCache) touchSession(s *Session) {
	size := s.weight.Load()
	if e, ok := r.elements[s.at.path]; ok {
		k := e.Value.(*cachedSession)
		r.size += size - k.size
		k.s, k.size = s, size
		r.byUse.MoveToFront(e)
	} else {
		r.elements[s.at.path] = r.byUse.PushFront(&cachedSession{s, size})
		r.size += size
	}
	for r.size > r.limit && r.byUse.Len() > 1 {
		r.evictOldest()
	}
	r.removeCollected()
}

// evictOldest lets go of the session that was used longest ago.
func (r *sessionCache) evictOldest() {
	k := r.byUse.Remove(r.byUse.Back()).(*cachedSession)
	delete(r.elements, k.s.at.path)
	r.size -= k.size
}

// trimTo lets go of sessions until the rest is within a bound.
func (r *sessionCache) trimTo(limit int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.size > limit && r.byUse.Len() > 0 {
		r.evictOldest()
	}
}

// removeCollected forgets sessions that nobody holds any more, when they are many.
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
