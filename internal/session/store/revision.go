package store

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"sessiontree/internal/session"
)

// Revision identifies a state of a session. It is opaque to browsers.
type Revision struct {
	Epoch uint64 // changes when positions become invalid
	N     int64  // grows with the files: how many bytes of them were read
}

// String returns "<epoch>.<n>" in base 36.
func (r Revision) String() string {
	return strconv.FormatUint(r.Epoch, 36) + "." + strconv.FormatInt(r.N, 36)
}

// ParseRevision parses the result of Revision.String.
func ParseRevision(s string) (Revision, error) {
	epoch, n, ok := strings.Cut(s, ".")
	e, err1 := strconv.ParseUint(epoch, 36, 64)
	m, err2 := strconv.ParseInt(n, 36, 64)
	if !ok || err1 != nil || err2 != nil || m < 0 {
		return Revision{}, fmt.Errorf("%w: no revision %q", session.ErrInvalid, s)
	}
	return Revision{Epoch: e, N: m}, nil
}

// epochCounter numbers the loads of all sessions. It starts at the current time, so
// that epochs of earlier runs do not recur.
type epochCounter struct{ last atomic.Uint64 }

func (e *epochCounter) startEpochs()      { e.last.Store(uint64(time.Now().UnixMilli())) }
func (e *epochCounter) nextEpoch() uint64 { return e.last.Add(1) }

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
