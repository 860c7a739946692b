//go:build !linux

package store

import (
	"errors"
	"os"
)

// renameWithoutReplace renames a file in its folder, unless there is one of the new name: here
// nothing does.
func renameWithoutReplace(*os.Root, string, string) error { return errors.ErrUnsupported }
