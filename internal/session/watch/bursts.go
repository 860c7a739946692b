package watch

import "time"

// burst is a path that has just changed.
type burst struct {
	until   time.Time // no call before this time
	pending bool      // the path has changed again since the last call
}

// noteChange reports a change at once, unless a change of the same path was just
// reported: then it is reported after the quiet time.
func (w *Watcher) noteChange(path string) {
	b, known := w.bursts[path]
	if known && time.Now().Before(b.until) {
		b.pending = true
		w.bursts[path] = b
		return
	}
	w.reportChange(path)
}

func (w *Watcher) reportChange(path string) {
	w.recordState(path) // before the call, so that changes during it are new
	w.config.OnChange(path)
	w.bursts[path] = burst{until: time.Now().Add(w.config.QuietTime)}
}

// burstsKept is how many paths may remain in Watcher.bursts after their quiet time. They are
// removed when the goroutine wakes up anyway, because a timer for each change costs more than
// they do.
const burstsKept = 100

// nextDeadline returns the time until bursts or viewed files need attention.
func (w *Watcher) nextDeadline() time.Duration {
	wait := time.Hour
	for _, b := range w.bursts {
		if b.pending || len(w.bursts) > burstsKept {
			wait = min(wait, time.Until(b.until))
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.viewed) > 0 {
		wait = min(wait, time.Until(w.lastPoll.Add(w.viewedInterval())))
	}
	return max(wait, 0)
}

// endBursts ends the quiet times that have passed.
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
