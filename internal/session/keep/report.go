package keep

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"syscall"
	"time"

	"sessiontree/internal/session/safefile"
)

// maxRemoved is how many removed copies a report lists.
const maxRemoved = 1000

// Removed is a copy that was removed because the copies took more than the limit.
type Removed struct {
	Path    string    `json:"path"`
	Bytes   int64     `json:"bytes"` // of the original
	ModTime time.Time `json:"modTime"`
	Time    time.Time `json:"time"`              // of the removal
	Earlier bool      `json:"earlier,omitempty"` // an earlier version of a file that is still copied
}

// Report is what happened while files were copied.
type Report struct {
	LastPass time.Time `json:"lastPass,omitzero"` // end of the last pass over all files
	Failure
	Removed []Removed `json:"removed,omitempty"` // the newest last
}

// Failure is why files could not be copied. It is zero after a success.
type Failure struct {
	Error     string    `json:"error,omitempty"`
	ErrorTime time.Time `json:"errorTime,omitzero"`
	DiskFull  bool      `json:"diskFull,omitempty"`  // there is no space on the disk
	LimitFull bool      `json:"limitFull,omitempty"` // the copies of files that exist take more than the limit
}

// reportFile is the report in the state directory.
type reportFile struct {
	path string
	mu   sync.Mutex
}

// load returns the report. One that cannot be read is empty.
func (f *reportFile) load() (r Report) {
	text, err := safefile.ReadRegular(f.path, 16<<20)
	if err == nil {
		_ = json.Unmarshal(text, &r)
	}
	return r
}

// update changes the report, and writes it if it is different.
func (f *reportFile) update(change func(*Report) (changed bool)) (bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r := f.load()
	if !change(&r) {
		return false, nil
	}
	if n := len(r.Removed) - maxRemoved; n > 0 {
		r.Removed = r.Removed[n:]
	}
	return true, writeJSON(f.path, r)
}

// updateReport changes the report. If it cannot be written, the error is only logged: on a
// full disk that is expected.
func (k *Keeper) updateReport(change func(*Report) bool) {
	changed, err := k.report.update(change)
	if err != nil {
		k.log.Warn("the report about copies cannot be written", "err", err)
	}
	if changed {
		k.onChange()
	}
}

// reportPass stores how a pass over all files ended.
func (k *Keeper) reportPass(err error) {
	k.setError(err)
	k.updateReport(func(r *Report) bool {
		r.LastPass = k.now()
		return true
	})
}

// setError stores why files cannot be copied, or with nil that they can. It is in memory as
// well, because on a full disk the report cannot be written.
func (k *Keeper) setError(err error) {
	now := Failure{}
	if err != nil {
		now = Failure{Error: shortenError(err), ErrorTime: k.now(), DiskFull: isDiskFull(err), LimitFull: errors.Is(err, ErrLimit)}
	}
	k.mu.Lock()
	known := k.failure != nil && k.failure.Error == now.Error
	if !known {
		k.failure = &now
	}
	k.mu.Unlock()
	if known {
		return
	}
	if err != nil {
		k.log.Error("copies of sessions", "err", err)
	}
	k.updateReport(func(r *Report) bool {
		if r.Error == now.Error {
			return false
		}
		r.Failure = now
		return true
	})
	k.onChange()
}

// shortenError returns the text of the first of several errors, and how many there are.
func shortenError(err error) string {
	first, rest, several := strings.Cut(err.Error(), "\n")
	if several {
		first += fmt.Sprintf(" (and %d more)", 1+strings.Count(rest, "\n"))
	}
	return first
}

// isDiskFull reports whether an error is that there is no space left.
func isDiskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}
