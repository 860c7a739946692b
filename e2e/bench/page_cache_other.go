//go:build !linux

package main

import "errors"

// dropPageCache needs Linux.
func dropPageCache(string) error { return errors.New("cold runs need Linux") }
