//go:build !linux

package main

import "errors"

// dropPageCache is only possible on Linux.
func dropPageCache(string) error { return errors.New("cold runs need Linux") }

// flushWrites is only needed where page caches can be measured.
func flushWrites() {}
