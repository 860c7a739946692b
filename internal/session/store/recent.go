package store

import (
	"container/list"
	"sync"
	"weak"
)

// recent holds the open sessions. Those used last are kept by it up to a bound
// of memory; older ones stay open as long as somebody else holds them, so that a
// viewed session is never loaded twice beside itself.
type recent struct {
	limit int64

	mu   sync.Mutex
	open map[string]weak.Pointer[Session]
	kept map[string]*list.Element
	line list.List // of *keeping, used last first
	size int64
}

type keeping struct {
	s    *Session
	size int64
}

// get answers the open session of a path and marks it as used.
func (r *recent) get(path string) (*Session, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.open[path].Value()
	if s == nil {
		delete(r.open, path)
		return nil, false
	}
	r.keep(s)
	return s, true
}

// all lists the open sessions.
func (r *recent) all() []*Session {
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

// add opens s to others.
func (r *recent) add(s *Session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open == nil {
		r.open, r.kept = map[string]weak.Pointer[Session]{}, map[string]*list.Element{}
	}
	r.open[s.at.path] = weak.Make(s)
	r.keep(s)
}

// keep puts s first and lets go of the last ones beyond the bound, never of s.
func (r *recent) keep(s *Session) {
	size := s.weight.Load()
	if e, ok := r.kept[s.at.path]; ok {
		k := e.Value.(*keeping)
		r.size += size - k.size
		k.s, k.size = s, size
		r.line.MoveToFront(e)
	} else {
		r.kept[s.at.path] = r.line.PushFront(&keeping{s, size})
		r.size += size
	}
	for r.size > r.limit && r.line.Len() > 1 {
		r.dropLast()
	}
	r.sweep()
}

// dropLast lets go of the session that was used longest ago.
func (r *recent) dropLast() {
	k := r.line.Remove(r.line.Back()).(*keeping)
	delete(r.kept, k.s.at.path)
	r.size -= k.size
}

// trim lets go of sessions until the rest is within a bound.
func (r *recent) trim(limit int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.size > limit && r.line.Len() > 0 {
		r.dropLast()
	}
}

// sweep forgets sessions that nobody holds any more, when they are many.
func (r *recent) sweep() {
	if len(r.open) < 2*r.line.Len()+16 {
		return
	}
	for path, p := range r.open {
		if p.Value() == nil {
			delete(r.open, path)
		}
	}
}
