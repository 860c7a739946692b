//go:build !unix

package main

// checkStateDir accepts every directory: here its owner is not known by its mode.
func checkStateDir(string) error { return nil }
