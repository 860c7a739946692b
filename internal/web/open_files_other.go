//go:build !unix

package web

// openFilesLimit returns how many files this process may have open: here no such
// limit is near.
func openFilesLimit() uint64 { return spareFiles + maxConns }
