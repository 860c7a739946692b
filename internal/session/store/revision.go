package store

import (
	"fmt"
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
