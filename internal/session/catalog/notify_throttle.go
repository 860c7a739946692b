package catalog

import (
	"sync"
	"time"
)

// notifyInterval is the minimum time between two notifications.
const notifyInterval = 20 * time.Millisecond

// notifyThrottle limits notifications about changes of the list: the first one is
// immediate, later ones are at least notifyInterval apart.
type notifyThrottle struct {
	notify func() // may be nil

	mu    sync.Mutex
	next  time.Time   // of the next notification at the earliest
	timer *time.Timer // of a notification that is due; nil if none is
}

func (t *notifyThrottle) noteListChange() {
	if t.notify == nil {
		return
	}
	t.mu.Lock()
	if t.timer != nil {
		t.mu.Unlock()
		return
	}
	now := time.Now()
	if wait := t.next.Sub(now); wait > 0 {
		t.timer = time.AfterFunc(wait, t.notifyDue)
		t.mu.Unlock()
		return
	}
	t.next = now.Add(notifyInterval)
	t.mu.Unlock()
	t.notify()
}

// notifyDue sends the notification that the timer is for.
func (t *notifyThrottle) notifyDue() {
	t.mu.Lock()
	t.timer, t.next = nil, time.Now().Add(notifyInterval)
	t.mu.Unlock()
	t.notify()
}
