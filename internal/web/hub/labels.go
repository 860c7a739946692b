package hub

// wakeLabels makes updateLabels look for other labels.
func (s *Server) wakeLabels() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// updateLabels updates the labels after changes, also of another process of the hub, until the
// server closes.
func (s *Server) updateLabels() {
	for {
		select {
		case <-s.changed:
		case <-s.ctx.Done():
			return
		}
		if err := s.config.Hub.UpdateLabels(s.ctx); err != nil && s.ctx.Err() == nil {
			s.config.Log.Warn("labels were not updated, this is tried again after the next change", "err", err)
		}
	}
}
