// Package statedir finds the explorer's own directory and stores the access token in it.
package statedir

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// ErrNoHome is returned if there is no place for the explorer's own data.
var ErrNoHome = errors.New("no home directory: choose a state directory with --state DIR")

// Location is where the state directory is.
type Location struct {
	Path     string    // as the user named it, "" for the default
	Home     string    // the home directory, "" if there is none
	Warnings io.Writer // for tokens that are replaced
}

// Dir returns the state directory, which may not exist yet. It returns an error if
// other users can write to it.
func (l Location) Dir() (string, error) {
	dir, err := l.path()
	if err != nil {
		return "", err
	}
	return dir, checkStateDir(dir)
}

func (l Location) path() (string, error) {
	switch dir := os.Getenv("XDG_STATE_HOME"); {
	case l.Path != "":
		return l.Path, nil
	case l.Home == "":
		return "", ErrNoHome
	case runtime.GOOS == "darwin":
		return filepath.Join(l.Home, "Library", "Application Support", "session-explorer"), nil
	case filepath.IsAbs(dir):
		return filepath.Join(dir, "session-explorer"), nil
	}
	return filepath.Join(l.Home, ".local", "state", "session-explorer"), nil
}

// Make creates the state directory if necessary and returns it.
func (l Location) Make() (string, error) {
	dir, err := l.Dir()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("state directory: %w", err)
	}
	return dir, checkStateDir(dir)
}

// stateDirError is the reason why an existing state directory is refused.
type stateDirError struct{ error }

func newStateDirError(format string, args ...any) error {
	return stateDirError{fmt.Errorf(format, args...)}
}

// SharesDir returns the directory of shares in a state directory.
func SharesDir(dir string) string { return filepath.Join(dir, "shares") }
