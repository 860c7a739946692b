//go:build !linux

package share_test

// runChild does nothing: what needs another process is tested on Linux.
func runChild() {}
