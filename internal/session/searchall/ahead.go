package searchall

import (
	"context"
	"sync"
)

// maxWaitingBytes is how much memory the results of sessions may use, roughly, that were
// searched before an earlier session was.
const maxWaitingBytes = 4 << 20

// aheadLimit limits how far sessions are searched ahead of the one whose result is reported
// next, by the size of the results that were not reported yet. Sessions without hits cost
// nothing, so a long session does not stop the search of the others.
type aheadLimit struct {
	mu      sync.Mutex
	changed sync.Cond
	waiting int64 // bytes of results that were not reported yet
}

func newAheadLimit() *aheadLimit {
	l := &aheadLimit{}
	l.changed.L = &l.mu
	return l
}

// waitForRoom waits until another session may be searched. Sessions are searched in the order
// in which they are reported, so there is room at the latest when all results are reported.
func (l *aheadLimit) waitForRoom(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiting < maxWaitingBytes {
		return ctx.Err()
	}
	defer context.AfterFunc(ctx, func() { l.addBytes(0) })()
	for l.waiting >= maxWaitingBytes && ctx.Err() == nil {
		l.changed.Wait()
	}
	return ctx.Err()
}

// addBytes changes the size of the results that were not reported yet.
func (l *aheadLimit) addBytes(n int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting += n
	l.changed.Broadcast()
}

// Rough sizes of a result and of a hit without its snippet.
const (
	resultBytes = 1000
	hitBytes    = 300
)

// size returns how much memory a result uses, roughly. It is 0 for nil.
func (r *Result) size() int64 {
	if r == nil {
		return 0
	}
	n := resultBytes + len(r.Hits)*hitBytes
	for i := range r.Hits {
		n += len(r.Hits[i].Snippet)
	}
	return int64(n)
}
