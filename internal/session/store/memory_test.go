package store_test

import (
	"path/filepath"
	"runtime"
	"testing"

	"sessiontree/internal/session/store"
	"sessiontree/internal/testgen/random"
)

// The memory limit of open sessions holds only if their memory is estimated well: it was 2.6 times
// the estimate once. The test is not parallel, because it measures the heap.
func TestMemory(t *testing.T) {
	for _, format := range random.Formats {
		t.Run(format, func(t *testing.T) {
			p := random.Long(format, 7, random.Length{Steps: 120, Sessions: 2})
			r, f := recordingOf(p), newReplay(t)
			for _, l := range r.lines {
				f.write(r, l)
			}
			lib := f.library(ignoreChange)
			var open []*store.Session
			before, estimate := heapSize(), int64(0)
			for _, name := range p.Sessions {
				if s, err := lib.Open(ctx, filepath.Join(f.dir, filepath.FromSlash(name))); err == nil { // else no line of it is left
					open, estimate = append(open, s), estimate+s.Memory()
				}
			}
			used := heapSize() - before
			if ratio := float64(used) / float64(estimate); len(open) == 0 || ratio < 0.6 || ratio > 1.5 {
				t.Errorf("%d sessions use %d KB, %.2f times the estimate", len(open), used>>10, ratio)
			}
			runtime.KeepAlive([]any{f, r, open})
		})
	}
}

func heapSize() int64 {
	runtime.GC()
	runtime.GC() // for what finalizers hold
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
