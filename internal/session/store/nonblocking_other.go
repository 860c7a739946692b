//go:build !unix

package store

// nonblocking is 0 because pipes are not files on this system.
const nonblocking = 0
