//go:build !linux

package share_test

// child does nothing: what needs another process is tested on Linux.
func child() {}
