package store

import (
	"context"
	"os"

	"sessiontree/internal/session"
)

// unsupportedReason is why sessions cannot be changed on this system.
const unsupportedReason = "Changing sessions is not supported on Windows: its locks would stop the agent from writing."

func acquireFlock(context.Context, *os.File) error {
	return newRefusal(session.ErrReadOnly, unsupportedReason)
}

func writeOnce(*os.File, []byte) (int, error) {
	return 0, newRefusal(session.ErrReadOnly, unsupportedReason)
}

func isProcessAlive(int) bool { return true }
