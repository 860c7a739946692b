package watch

import "time"

// burst is a path that changed a moment ago.
type burst struct {
	until time.Time // no call before
	more  bool      // there was another change since the last call
}

// changed tells of a change at once, unless one of the same path was told just
// now: then it is told when the quiet time is over.
func (w *Watcher) changed(path string) {
	b, busy := w.bursts[path]
	if busy {
		b.more = true
		w.bursts[path] = b
		return
	}
	w.tell(path)
}

func (w *Watcher) tell(path string) {
	w.note(path) // before the call: what changes during it is new
	w.c.Changed(path)
	w.bursts[path] = burst{until: time.Now().Add(w.c.Quiet)}
	if w.nearViewed(path) {
		w.again[path] = true
	}
}

// due answers how long nothing has to be done about bursts and viewed files.
func (w *Watcher) due() time.Duration {
	wait := time.Hour
	for _, b := range w.bursts {
		wait = min(wait, time.Until(b.until))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.viewed) > 0 {
		wait = min(wait, time.Until(w.polled.Add(w.c.ViewedEvery)))
	}
	return max(wait, 0)
}

// settle ends the quiet times that are over.
func (w *Watcher) settle() {
	now := time.Now()
	for path, b := range w.bursts {
		switch {
		case now.Before(b.until):
		case b.more:
			w.tell(path)
		default:
			delete(w.bursts, path)
		}
	}
}
