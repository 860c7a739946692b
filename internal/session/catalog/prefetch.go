package catalog

import (
	"sync/atomic"

	"sessiontree/internal/session/roots"
)

const (
	prefetchAhead    = 8       // files between the one that is read and the one that is fetched
	maxPrefetch      = 8 << 20 // bytes of a file
	maxSkippedShifts = 5       // of files in memory only each 32nd is looked at
)

// prefetcher makes the system fetch files from the disk while earlier ones are read. Otherwise the
// disk and the processor would wait for each other.
type prefetcher struct {
	catalog *Catalog
	files   []roots.File
	cached  atomic.Int32 // files in a row that were in memory
}

// prefetchAfter fetches a file that is read soon after file i, unless it has not changed. The more
// files were in memory, the fewer are opened for it.
func (p *prefetcher) prefetchAfter(i int) {
	i += prefetchAhead
	if i >= len(p.files) || i%(1<<min(p.cached.Load(), maxSkippedShifts)) != 0 {
		return
	}
	f := p.files[i]
	if old := p.catalog.getItem(f.Path); old != nil && old.isCurrent(f) {
		return
	}
	at, err := p.catalog.lib.Roots().Locate(f.Path)
	switch {
	case err != nil: // reading the file reports it
	case at.Prefetch(maxPrefetch):
		p.cached.Add(1)
	default:
		p.cached.Store(0)
	}
}
