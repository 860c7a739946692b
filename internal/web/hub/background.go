package hub

import (
	"context"
	"time"
)

// fill reads the list of sessions of a person.
func (s *Server) fill(ctx context.Context, a *app) {
	if err := a.catalog.Fill(ctx); err != nil && ctx.Err() == nil {
		s.config.Log.Error("reading the list of sessions", "err", err)
	}
	s.moveColdData(a)
	s.saveLists()
}

// saveLists stores what the lists of sessions have read for the next start.
func (s *Server) saveLists() {
	if err := s.config.Hub.Lists.Save(); err != nil {
		s.config.Log.Warn("the next start reads sessions again", "err", err)
	}
}

// keepTexts keeps the texts of a person's sessions cached until ctx ends.
func (s *Server) keepTexts(ctx context.Context, a *app) {
	a.filling.Wait()
	a.texts.KeepTexts(ctx, s.lastUse, func(err error) {
		if err != nil {
			s.config.Log.Warn("updating the cache of texts", "err", err)
		}
		s.moveColdData(a)
		a.web.NoteActivity() // releases the memory that it used
	})
}

// moveColdData moves to disk what the list of a person has of sessions that rest.
func (s *Server) moveColdData(a *app) {
	if err := a.catalog.MoveColdData(); err != nil {
		s.config.Log.Warn("the list of sessions takes more memory than necessary", "err", err)
	}
}

// lastUse returns when somebody last used a page.
func (s *Server) lastUse() (last time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.apps {
		if at := a.web.LastActivity(); at.After(last) {
			last = at
		}
	}
	return last
}

// runMinutely closes the explorers of people who do nothing or have no access and records
// purges, until the server closes.
func (s *Server) runMinutely() {
	every := time.NewTicker(time.Minute)
	defer every.Stop()
	for {
		select {
		case <-every.C:
			s.closeUnusedSince(s.config.Clock().Add(-appIdleAge))
			s.closeWithoutAccess()
			s.removeDeleted()
			s.recordPurges()
		case <-s.ctx.Done():
			return
		}
	}
}

// removeDeleted removes what is cached of sessions that were deleted, by any process of the hub.
func (s *Server) removeDeleted() {
	if err := s.config.Hub.RemoveDeleted(); err != nil {
		s.config.Log.Warn("what is cached of deleted sessions was not removed", "err", err)
	}
}

// recordPurges records which deleted sessions have left the object storage.
func (s *Server) recordPurges() {
	if err := s.config.Hub.RecordPurges(s.ctx); err != nil && s.ctx.Err() == nil {
		s.config.Log.Warn("whether the bytes of deleted sessions are gone was not recorded", "err", err)
	}
}
