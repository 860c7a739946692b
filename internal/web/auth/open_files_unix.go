//go:build unix

package auth

import "golang.org/x/sys/unix"

// openFilesLimit returns how many files this process may open.
func openFilesLimit() uint64 {
	var l unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &l) != nil {
		return spareFiles + maxConns
	}
	return uint64(l.Cur)
}
