package pathlock

import (
	"fmt"
	"sync"
	"testing"
)

// One path waits for itself only: a path that is locked for long delays no other one.
func TestLocks(t *testing.T) {
	var l Locks
	unlock := l.Lock("large")
	for i := range 1000 {
		l.Lock(fmt.Sprint(i))()
	}
	held := 0
	var done sync.WaitGroup
	for range 8 {
		done.Go(func() {
			defer l.Lock("large")()
			held++
		})
	}
	if held != 0 {
		t.Errorf("%d goroutines have a path that is locked", held)
	}
	unlock()
	done.Wait()
	if held != 8 || len(l.held) != 0 {
		t.Errorf("%d of 8 goroutines had the path; %d locks are left", held, len(l.held))
	}
}
