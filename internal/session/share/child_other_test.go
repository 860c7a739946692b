//go:build !linux

package share_test

// runChild does nothing: tests with another process run on Linux.
func runChild() {}
