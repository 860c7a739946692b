package store

import (
	"cmp"
	"slices"

	"sessiontree/internal/session"
)

// maxGrowthSteps is how many steps are kept: a page that is further behind loads its
// rows again.
const maxGrowthSteps = 4096

// growthStep is the number of entries in a tree after a number of bytes was read.
type growthStep struct {
	extent  int64
	entries int
}

// growthLog records how a tree grew.
type growthLog []growthStep

// addGrowthStep appends a step. When the log is full it drops the older half.
func (s *growthLog) addGrowthStep(extent int64, entries int) {
	now := growthStep{extent, entries}
	if n := len(*s); n > 0 && (*s)[n-1] == now {
		return
	}
	if len(*s) == maxGrowthSteps {
		*s = slices.Delete(*s, 0, maxGrowthSteps/2)
	}
	*s = append(*s, now)
}

// firstEntryAfter returns the position of the first entry added after extent bytes were
// read; entries is the number of entries now. ok is false if that is too long ago.
func (s growthLog) firstEntryAfter(extent int64, entries int) (p session.Pos, ok bool) {
	i, found := slices.BinarySearchFunc(s, extent, func(a growthStep, n int64) int { return cmp.Compare(a.extent, n) })
	if !found {
		return session.Pos(entries), false
	}
	for i+1 < len(s) && s[i+1].extent == extent {
		i++
	}
	return session.Pos(s[i].entries), true
}
