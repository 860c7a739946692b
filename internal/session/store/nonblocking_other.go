//go:build !unix

package store

// nonblocking: here no pipe has the name of a file.
const nonblocking = 0
