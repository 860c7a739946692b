//go:build unix

package store

import "syscall"

// nonblocking is the flag to open a pipe without waiting for its other end.
const nonblocking = syscall.O_NONBLOCK
