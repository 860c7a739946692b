package watch

import "time"

// burst is a path that changed a moment ago.
type burst struct {
	until   time.Time // no call before
	pending bool      // there was another change since the last call
}

// noteChange tells of a change at once, unless one of the same path was told just
// now: then it is told when the quiet time is over.
func (w *Watcher) noteChange(path string) {
	b, busy := w.bursts[path]
	if busy {
		b.pending = true
		w.bursts[path] = b
		return
	}
	w.reportChange(path)
}

func (w *Watcher) reportChange(path string) {
	w.recordState(path) // before the call: what changes during it is new
	w.config.OnChange(path)
	w.bursts[path] = burst{until: time.Now().Add(w.config.QuietTime)}
	if w.isNearViewed(path) {
		w.repeats[path] = true
	}
}

// nextDeadline answers how long nothing has to be done about bursts and viewed files.
func (w *Watcher) nextDeadline() time.Duration {
	wait := time.Hour
	for _, b := range w.bursts {
		wait = min(wait, time.Until(b.until))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.viewed) > 0 {
		wait = min(wait, time.Until(w.lastPoll.Add(w.config.ViewedEvery)))
	}
	return max(wait, 0)
}

// endBursts ends the quiet times that are over.
func (w *Watcher) endBursts() {
	now := time.Now()
	for path, b := range w.bursts {
		switch {
		case now.Before(b.until):
		case b.pending:
			w.reportChange(path)
		default:
			delete(w.bursts, path)
		}
	}
}
