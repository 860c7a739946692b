//go:build !unix

package safefile

// Nonblocking is 0 because pipes are not files on this system.
const Nonblocking = 0
