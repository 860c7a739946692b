//go:build !linux

package main

import "errors"

// chill needs Linux.
func chill(string) error { return errors.New("cold runs need Linux") }
