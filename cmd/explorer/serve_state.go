package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// stateDir is where the explorer keeps what is not to be lost.
func (p *program) stateDir() (string, error) {
	switch dir := os.Getenv("XDG_STATE_HOME"); {
	case p.state != "":
		return p.state, nil
	case p.home == "":
		return "", errors.New("no home directory: name one for the explorer's own data with --state DIR")
	case runtime.GOOS == "darwin":
		return filepath.Join(p.home, "Library", "Application Support", "session-explorer"), nil
	case filepath.IsAbs(dir):
		return filepath.Join(dir, "session-explorer"), nil
	}
	return filepath.Join(p.home, ".local", "state", "session-explorer"), nil
}

// tokenBytes of randomness make a token.
const tokenBytes = 24

// token reads the token of this user's explorers, or makes it on first use. It
// stays the same over restarts, so that browsers stay let in.
func (p *program) token() (string, error) {
	dir, err := p.stateDir()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("state directory: %w", err)
	}
	path := filepath.Join(dir, "token")
	if token, err := readToken(path); token != "" || err != nil {
		return token, err
	}
	raw := make([]byte, tokenBytes)
	_, _ = rand.Read(raw) // never fails
	token := hex.EncodeToString(raw)
	if err := writeNew(path, token+"\n"); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("token: %w", err)
	}
	return readToken(path) // another explorer may have been first
}

// readToken answers "" when there is none. A token that others may read is none:
// it is replaced.
func readToken(path string) (string, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	token := strings.TrimSpace(string(data))
	open := runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0
	if open || !info.Mode().IsRegular() || len(token) < 2*tokenBytes {
		return "", os.Remove(path)
	}
	return token, nil
}

// writeNew writes a file that does not exist yet, whole or not at all.
func writeNew(path, content string) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".token-*") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(content)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Link(f.Name(), path)
}
