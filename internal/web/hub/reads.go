package hub

import (
	"sync"
	"time"

	"sessiontree/internal/session/team"
)

// readInterval is how often a read of the same session by the same person is recorded.
const readInterval = time.Hour

// readKey is a person and the path in the archive of a session.
type readKey struct{ person, path string }

// recentReads is the reads that need not be recorded again. The zero value is none.
type recentReads struct {
	mu    sync.Mutex
	times map[readKey]time.Time
}

// add adds a read. It reports false if a read less than readInterval ago was added.
func (r *recentReads) add(k readKey, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if last, ok := r.times[k]; ok && now.Sub(last) < readInterval {
		return false
	}
	for k, last := range r.times {
		if now.Sub(last) >= readInterval {
			delete(r.times, k)
		}
	}
	if r.times == nil {
		r.times = map[readKey]time.Time{}
	}
	r.times[k] = now
	return true
}

// remove removes a read, so that the next one is recorded.
func (r *recentReads) remove(k readKey) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.times, k)
}

// recordRead records that a person read a session, unless it is their own.
func (s *Server) recordRead(a *app, path string) {
	archived, ok := a.files.ArchivePath(path)
	read := readKey{a.person, archived}
	if !ok || !s.reads.add(read, s.config.Clock()) {
		return
	}
	if err := s.addReadEvent(a, archived, path); err != nil {
		s.reads.remove(read)
		s.config.Log.Error("a read cannot be recorded", "err", err)
	}
}

// addReadEvent adds the read of a file to the audit, unless it belongs to the reader or was deleted.
func (s *Server) addReadEvent(a *app, archived, path string) error {
	f, err := s.config.Hub.Registry.FindFile(s.ctx, archived)
	if isNotFound(err) || err == nil && f.Person == a.person {
		return nil
	}
	if err != nil {
		return err
	}
	return s.config.Hub.Registry.AddEvent(s.ctx, team.Event{
		Time: s.config.Clock(), Person: a.person, Device: f.Device, Action: team.Read, Session: f.Session, Title: a.titleOf(path),
	})
}
