package store

import (
	"cmp"
	"slices"

	"sessiontree/internal/session"
)

// maxGrowthSteps is how many growths of a session are remembered: a page that is
// further behind asks for its windows again.
const maxGrowthSteps = 4096

// growthStep is how many entries a tree had when that many bytes of its files were looked
// at.
type growthStep struct {
	extent  int64
	entries int
}

// growthLog is how a tree grew.
type growthLog []growthStep

// addGrowthStep takes in that the tree grew, and keeps the newer half when there are many.
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

// firstEntryAfter answers the first entry that came after an extent; entries is how many
// there are. ok is false when that was too long ago.
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
