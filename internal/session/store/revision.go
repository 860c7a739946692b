package store

import (
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"sessiontree/internal/session"
)

// Revision names an accepted state of a session. It is opaque to browsers.
type Revision struct {
	Epoch uint64 // changes when positions taken before are void
	N     int64  // grows with the files: how many bytes of them were looked at
}

// String is "<epoch>.<n>" in base 36.
func (r Revision) String() string {
	return strconv.FormatUint(r.Epoch, 36) + "." + strconv.FormatInt(r.N, 36)
}

// ParseRevision reads what String wrote.
func ParseRevision(s string) (Revision, error) {
	epoch, n, ok := strings.Cut(s, ".")
	e, err1 := strconv.ParseUint(epoch, 36, 64)
	m, err2 := strconv.ParseInt(n, 36, 64)
	if !ok || err1 != nil || err2 != nil || m < 0 {
		return Revision{}, fmt.Errorf("%w: no revision %q", session.ErrInvalid, s)
	}
	return Revision{Epoch: e, N: m}, nil
}

// epochCounter numbers the loads of all sessions. It begins at the time of the start,
// so that no epoch of an earlier run is met again.
type epochCounter struct{ last atomic.Uint64 }

func (e *epochCounter) startEpochs()      { e.last.Store(uint64(time.Now().UnixMilli())) }
func (e *epochCounter) nextEpoch() uint64 { return e.last.Add(1) }
