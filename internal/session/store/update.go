package store

// update is the exclusive right to load or refresh a session, and to use what an update
// changes. Whatever needs this right is a method of update, or is called by one.
type update struct{ s *Session }

// beginUpdate waits for other updates of the session to end.
func (s *Session) beginUpdate() update {
	s.updateMu.Lock()
	return update{s}
}

// End ends the update.
func (u update) End() { u.s.updateMu.Unlock() }
