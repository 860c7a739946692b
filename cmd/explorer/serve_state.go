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

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// errNoHome is returned where nothing says where the explorer's own data belongs.
var errNoHome = errors.New("no home directory: name one for the explorer's own data with --state DIR")

// stateDir returns the directory of what the explorer must not lose. It may not
// exist yet. One that others could change is refused.
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

// makeStateDir returns the state directory, which is there then.
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

// accessTokenBytes of randomness make a token.
const accessTokenBytes = 24

// tokenFileName is the file of the token in the state directory.
const tokenFileName = "token"

// accessToken reads the token of this user's explorers, or makes it on first use. It
// stays the same over restarts, so that browsers stay let in.
func (p *program) accessToken() (string, error) {
	dir, err := p.makeStateDir()
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, tokenFileName)
	if token, err := p.readToken(path); token != "" || err != nil {
		return token, err
	}
	if err := store.CreateFile(path, []byte(newTokenText())); err != nil && !errors.Is(err, session.ErrExists) && !errors.Is(err, store.ErrUnconfirmed) {
		return "", fmt.Errorf("token: %w", err)
	}
	return p.readToken(path) // another explorer may have been first
}

// replaceAccessToken puts another token in the place of the one that is there.
func (p *program) replaceAccessToken() (string, error) {
	dir, err := p.makeStateDir()
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, tokenFileName)
	if err := store.ReplaceFile(path, []byte(newTokenText())); err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	return p.readToken(path)
}

// newTokenText returns the content of a token's file.
func newTokenText() string {
	raw := make([]byte, accessTokenBytes)
	_, _ = rand.Read(raw) // never fails
	return hex.EncodeToString(raw) + "\n"
}

// readToken returns "" when there is none. A token that others may read, or that is
// damaged, is none: it is replaced, which is reported.
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
	data, err := store.ReadRegular(path, 4096)
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	token := strings.TrimSpace(string(data))
	if len(token) < 2*accessTokenBytes || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", p.dropToken(path, "it is damaged")
	}
	return token, nil
}

// dropToken removes a token that is none.
func (p *program) dropToken(path, why string) error {
	if err := os.Remove(path); err != nil {
		return err
	}
	fmt.Fprintf(p.err, "explorer: the token in %s is replaced, because %s: browsers that were let in need the new one\n", cleanLine(path), why)
	return nil
}

// serverState is the state directory while explorer serves, and the token.
type serverState struct {
	dir   string // "": nothing can be kept
	token string
}

// openServerState returns the state directory and the token. Where nothing can be written
// sessions can be looked at all the same: the token lasts as long as the program.
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
	log.Warn("nothing can be kept in the state directory: shares are off, and labels and names that a session's file cannot hold. Name another with --state DIR", "err", err)
	return serverState{token: strings.TrimSpace(newTokenText())}, nil
}

// checkDirWritable finds out whether files can be made in a directory.
func checkDirWritable(dir string) error {
	path := filepath.Join(dir, ".writable-"+strings.TrimSpace(newTokenText())[:8])
	return errors.Join(store.CreateFile(path, make([]byte, 4096)), ignoreNotExist(os.Remove(path)))
}

func ignoreNotExist(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// stateDirError is why a state directory is not used though it could be.
type stateDirError struct{ error }

func newStateDirError(format string, args ...any) error {
	return stateDirError{fmt.Errorf(format, args...)}
}
