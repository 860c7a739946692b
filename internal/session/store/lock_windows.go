package store

import (
	"context"
	"os"

	"sessiontree/internal/session"
)

// unwritable is why no session is ever written on this system.
const unwritable = "Changing sessions is not supported on Windows: its locks would stop the agent from writing."

func flock(context.Context, *os.File) error { return refuse(session.ErrReadOnly, unwritable) }

func writeOnce(*os.File, []byte) (int, error) { return 0, refuse(session.ErrReadOnly, unwritable) }

func alive(int) bool { return true }
