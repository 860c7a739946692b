//go:build !unix

package share

import "context"

// lockDir does nothing: on such systems only one program may use the shares.
func lockDir(context.Context, string) (unlock func(), err error) { return func() {}, nil }

// syncDir does nothing: such systems cannot sync directories.
func syncDir(string) error { return nil }
