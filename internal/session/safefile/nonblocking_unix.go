//go:build unix

package safefile

import "syscall"

// Nonblocking is the flag to open a pipe without waiting for its other end.
const Nonblocking = syscall.O_NONBLOCK
