//go:build !linux

package store

import (
	"os"
	"time"
)

// reserveSpace does nothing: the write itself fails if there is no space.
func reserveSpace(*os.File, int64, int) error { return nil }

// fileBirthTime is not implemented on this system.
func fileBirthTime(*os.File) (time.Time, bool) { return time.Time{}, false }
