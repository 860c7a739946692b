//go:build !linux

package store

import "io/fs"

// holder cannot be told on this system.
func holder(string, fs.FileInfo) (pid int, known bool) { return 0, false }
