//go:build !linux

package safefile

import "io/fs"

// findWriterProcess is not implemented on this system.
func findWriterProcess(string, fs.FileInfo) (pid int, known bool) { return 0, false }
