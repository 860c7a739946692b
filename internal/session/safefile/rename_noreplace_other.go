//go:build !linux

package safefile

import (
	"errors"
	"os"
)

// renameWithoutReplace is not supported on this system.
func renameWithoutReplace(*os.Root, string, string) error { return errors.ErrUnsupported }
