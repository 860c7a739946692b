//go:build !linux

package main

import "errors"

// dropPageCache is only possible on Linux.
func dropPageCache(string) error { return errors.New("cold runs need Linux") }
