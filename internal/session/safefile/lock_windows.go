package safefile

import (
	"context"
	"errors"
	"os"
)

// IsSupported reports whether files can be locked on this system. The locks of Windows
// would stop an agent from writing.
const IsSupported = false

// AcquireLock is not supported on this system.
func AcquireLock(context.Context, *os.File) error { return errors.ErrUnsupported }

func writeOnce(*os.File, []byte) (int, error) { return 0, errors.ErrUnsupported }

func isProcessAlive(int) bool { return true }
