package statedir

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"sessiontree/internal/session/safefile"
)

// Opened is a state directory that can be written to, and the token.
type Opened struct {
	Dir   string // "" if nothing can be stored
	Token string
}

// OpenForServer opens the state directory and reads the token. If the directory is not
// writable, sessions can still be viewed, with a token for this run only.
func (l Location) OpenForServer(log *slog.Logger) (s Opened, err error) {
	s.Dir, err = l.Make()
	if err == nil {
		err = checkDirWritable(s.Dir)
	}
	if err == nil {
		s.Token, err = l.AccessToken()
	}
	var refused stateDirError
	if err == nil || errors.As(err, &refused) {
		return s, err
	}
	log.Warn("the state directory is not writable: shares, and labels and names that a session file cannot hold, are off. Choose another with --state DIR", "err", err)
	return Opened{Token: strings.TrimSpace(newTokenText())}, nil
}

// checkDirWritable reports whether files can be created in a directory.
func checkDirWritable(dir string) error {
	path := filepath.Join(dir, ".writable-"+strings.TrimSpace(newTokenText())[:8])
	return errors.Join(safefile.CreateFile(path, make([]byte, 4096)), ignoreNotExist(os.Remove(path)))
}

func ignoreNotExist(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// CacheDir returns the directory of cached summaries, "" if there is none.
func CacheDir() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "session-explorer")
}
