//go:build !unix

package auth

// openFilesLimit returns how many files this process may open. This system has no limit to
// consider.
func openFilesLimit() uint64 { return spareFiles + maxConns }
