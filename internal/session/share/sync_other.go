//go:build !unix

package share

// syncDir does nothing: such systems open no directories to make them durable.
func syncDir(string) error { return nil }
