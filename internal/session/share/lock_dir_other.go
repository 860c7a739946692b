//go:build !unix

package share

import "context"

// lockDir does nothing: on such systems one program at a time has the shares.
func lockDir(context.Context, string) (unlock func(), err error) { return func() {}, nil }

// syncDir does nothing: such systems open no directories to make them durable.
func syncDir(string) error { return nil }
