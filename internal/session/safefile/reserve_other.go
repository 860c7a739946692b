//go:build !linux

package safefile

import (
	"os"
	"time"
)

// reserveSpace does nothing: the write itself fails if there is no space.
func reserveSpace(*os.File, int64, int) error { return nil }

// BirthTime is not implemented on this system.
func BirthTime(*os.File) (time.Time, bool) { return time.Time{}, false }
