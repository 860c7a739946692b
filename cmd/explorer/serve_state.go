package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"sessiontree/internal/session/safefile"
)

// errNoHome is returned if there is no place for the explorer's own data.
var errNoHome = errors.New("no home directory: choose a state directory with --state DIR")

// stateDir returns the state directory, which may not exist yet. It returns an error if
// other users can write to it.
func (p *program) stateDir() (string, error) {
	dir, err := p.statePath()
	if err != nil {
		return "", err
	}
	return dir, checkStateDir(dir)
}

func (p *program) statePath() (string, error) {
	switch dir := os.Getenv("XDG_STATE_HOME"); {
	case p.state != "":
		return p.state, nil
	case p.home == "":
		return "", errNoHome
	case runtime.GOOS == "darwin":
		return filepath.Join(p.home, "Library", "Application Support", "session-explorer"), nil
	case filepath.IsAbs(dir):
		return filepath.Join(dir, "session-explorer"), nil
	}
	return filepath.Join(p.home, ".local", "state", "session-explorer"), nil
}

// makeStateDir creates the state directory if necessary and returns it.
func (p *program) makeStateDir() (string, error) {
	dir, err := p.stateDir()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("state directory: %w", err)
	}
	return dir, checkStateDir(dir)
}

// accessTokenBytes is the number of random bytes in a token.
const accessTokenBytes = 24

// tokenFileName is the name of the token's file in the state directory.
const tokenFileName = "token"

// accessToken returns the token of this user's explorers and creates it on first use. The
// token survives restarts, so that the cookies of browsers stay valid.
func (p *program) accessToken() (string, error) {
	dir, err := p.makeStateDir()
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, tokenFileName)
	if token, err := p.readToken(path); token != "" || err != nil {
		return token, err
	}
	if err := safefile.CreateFile(path, []byte(newTokenText())); err != nil && !errors.Is(err, fs.ErrExist) && !errors.Is(err, safefile.ErrUnconfirmed) {
		return "", fmt.Errorf("token: %w", err)
	}
	return p.readToken(path) // another process may have created it first
}

// replaceAccessToken replaces the token by a new one.
func (p *program) replaceAccessToken() (string, error) {
	dir, err := p.makeStateDir()
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, tokenFileName)
	if err := safefile.ReplaceFile(path, []byte(newTokenText())); err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	return p.readToken(path)
}

// newTokenText returns the content of a new token file.
func newTokenText() string {
	raw := make([]byte, accessTokenBytes)
	_, _ = rand.Read(raw) // never fails
	return hex.EncodeToString(raw) + "\n"
}

// readToken reads a token file. It returns "" if there is none, and removes a file that
// other users can read or that is damaged, with a message.
func (p *program) readToken(path string) (string, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	open := runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0
	switch {
	case !info.Mode().IsRegular():
		return "", p.dropToken(path, "it is no regular file")
	case open:
		return "", p.dropToken(path, "other users may read it")
	}
	data, err := safefile.ReadRegular(path, 4096)
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	token := strings.TrimSpace(string(data))
	if len(token) < 2*accessTokenBytes || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", p.dropToken(path, "it is damaged")
	}
	return token, nil
}

// dropToken removes an unusable token.
func (p *program) dropToken(path, why string) error {
	if err := os.Remove(path); err != nil {
		return err
	}
	fmt.Fprintf(p.err, "explorer: the token in %s is replaced, because %s: browsers that were let in need the new one\n", cleanLine(path), why)
	return nil
}

// serverState is the state directory and the token of a running server.
type serverState struct {
	dir   string // "" if nothing can be stored
	token string
}

// openServerState opens the state directory and reads the token. If the directory is not
// writable, sessions can still be viewed, with a token for this run only.
func (p *program) openServerState(log *slog.Logger) (s serverState, err error) {
	s.dir, err = p.makeStateDir()
	if err == nil {
		err = checkDirWritable(s.dir)
	}
	if err == nil {
		s.token, err = p.accessToken()
	}
	var refused stateDirError
	if err == nil || errors.As(err, &refused) {
		return s, err
	}
	log.Warn("the state directory is not writable: shares, and labels and names that a session file cannot hold, are off. Choose another with --state DIR", "err", err)
	return serverState{token: strings.TrimSpace(newTokenText())}, nil
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

// stateDirError is the reason why an existing state directory is refused.
type stateDirError struct{ error }

func newStateDirError(format string, args ...any) error {
	return stateDirError{fmt.Errorf(format, args...)}
}
