package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"sessiontree/internal/session/store"
)

// errNoHome is returned where nothing says where the explorer's own data belongs.
var errNoHome = errors.New("no home directory: name one for the explorer's own data with --state DIR")

// stateDir returns the directory of what the explorer must not lose. It may not
// exist yet. One that others could change is refused.
func (p *program) stateDir() (string, error) {
	dir, err := p.stateName()
	if err != nil {
		return "", err
	}
	return dir, checkStateDir(dir)
}

func (p *program) stateName() (string, error) {
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

// tokenBytes of randomness make a token.
const tokenBytes = 24

// tokenName is the file of the token in the state directory.
const tokenName = "token"

// token reads the token of this user's explorers, or makes it on first use. It
// stays the same over restarts, so that browsers stay let in.
func (p *program) token() (string, error) {
	dir, err := p.makeStateDir()
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, tokenName)
	if token, err := readToken(path); token != "" || err != nil {
		return token, err
	}
	if err := writeNew(path, makeToken()); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("token: %w", err)
	}
	return readToken(path) // another explorer may have been first
}

// newToken puts another token in the place of the one that is there.
func (p *program) newToken() (string, error) {
	dir, err := p.makeStateDir()
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, tokenName)
	if err := replace(path, makeToken()); err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	return readToken(path)
}

// makeToken returns the content of a token's file.
func makeToken() string {
	raw := make([]byte, tokenBytes)
	_, _ = rand.Read(raw) // never fails
	return hex.EncodeToString(raw) + "\n"
}

// readToken returns "" when there is none. A token that others may read is none:
// it is replaced.
func readToken(path string) (string, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	open := runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0
	if open || !info.Mode().IsRegular() {
		return "", os.Remove(path)
	}
	data, err := store.ReadRegular(path, 4096)
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	token := strings.TrimSpace(string(data))
	if len(token) < 2*tokenBytes {
		return "", os.Remove(path)
	}
	return token, nil
}

// writeNew writes a file that does not exist yet, whole or not at all.
func writeNew(path, content string) error { return writeAside(path, content, os.Link) }

// replace writes a file whole or not at all, whether it exists or not.
func replace(path, content string) error { return writeAside(path, content, os.Rename) }

// writeAside writes a file under another name, which only its owner may read, and
// has put give it its own.
func writeAside(path, content string, put func(from, to string) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // unless it was renamed
	_, err = io.WriteString(f, content)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return put(f.Name(), path)
}
