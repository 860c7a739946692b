package store

// deletedFileText says why a session cannot be changed whose file was deleted.
const deletedFileText = "The file was deleted. Restore it to change the session."

// IsDeleted reports whether the session's file was deleted, so that it is read from a copy.
func (s *Session) IsDeleted() bool { return s.meta.Load().deleted }

// noteDeleted records whether the main file was deleted and is read from its copy. c is the
// change of the main file; if it was deleted or restored, c becomes Rewritten, so that pages
// show what can be done with the session now.
func (u update) noteDeleted(c Change) Change {
	deleted := u.s.checkpoint.IsOfCopy()
	if u.s.meta.Load().deleted == deleted {
		return c
	}
	u.updateMeta(func(k *sessionMeta) { k.deleted = deleted })
	u.s.mu.Lock()
	u.s.rev.Epoch = u.s.lib.epochs.nextEpoch()
	u.s.mu.Unlock()
	full := u.s.newChange(Rewritten)
	full.Entries, full.Labels = c.Entries, true
	return full
}
