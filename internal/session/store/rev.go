package store

import (
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"sessiontree/internal/session"
)

// Rev names an accepted state of a session. It is opaque to browsers.
type Rev struct {
	Epoch uint64 // changes when positions taken before are void
	N     int64  // grows with the files: how many bytes of them were looked at
}

// String is "<epoch>.<n>" in base 36.
func (r Rev) String() string {
	return strconv.FormatUint(r.Epoch, 36) + "." + strconv.FormatInt(r.N, 36)
}

// ParseRev reads what String wrote.
func ParseRev(s string) (Rev, error) {
	epoch, n, ok := strings.Cut(s, ".")
	e, err1 := strconv.ParseUint(epoch, 36, 64)
	m, err2 := strconv.ParseInt(n, 36, 64)
	if !ok || err1 != nil || err2 != nil || m < 0 {
		return Rev{}, fmt.Errorf("%w: no revision %q", session.ErrInvalid, s)
	}
	return Rev{Epoch: e, N: m}, nil
}

// epochs numbers the loads of all sessions. It begins at the time of the start,
// so that no epoch of an earlier run is met again.
type epochs struct{ last atomic.Uint64 }

func (e *epochs) start()       { e.last.Store(uint64(time.Now().UnixMilli())) }
func (e *epochs) next() uint64 { return e.last.Add(1) }
