//go:build !linux

package safefile

import "os"

// Prefetch does nothing: what other systems read ahead is enough.
func Prefetch(*os.File, int64) (cached bool) { return true }
