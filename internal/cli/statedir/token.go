package statedir

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

	"sessiontree/internal/cli/terminal"
	"sessiontree/internal/session/safefile"
)

// accessTokenBytes is the number of random bytes in a token.
const accessTokenBytes = 24

// tokenFileName is the name of the token's file in the state directory.
const tokenFileName = "token"

// AccessToken returns the token of this user's explorers and creates it on first use. The
// token survives restarts, so that the cookies of browsers stay valid.
func (l Location) AccessToken() (string, error) {
	dir, err := l.Make()
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, tokenFileName)
	if token, err := l.readToken(path); token != "" || err != nil {
		return token, err
	}
	if err := safefile.CreateFile(path, []byte(newTokenText())); err != nil && !errors.Is(err, fs.ErrExist) && !errors.Is(err, safefile.ErrUnconfirmed) {
		return "", fmt.Errorf("token: %w", err)
	}
	return l.readToken(path) // another process may have created it first
}

// ReplaceAccessToken replaces the token by a new one.
func (l Location) ReplaceAccessToken() (string, error) {
	dir, err := l.Make()
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, tokenFileName)
	if err := safefile.ReplaceFile(path, []byte(newTokenText())); err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	return l.readToken(path)
}

// newTokenText returns the content of a new token file.
func newTokenText() string {
	raw := make([]byte, accessTokenBytes)
	_, _ = rand.Read(raw) // never fails
	return hex.EncodeToString(raw) + "\n"
}

// readToken reads a token file. It returns "" if there is none, and removes a file that
// other users can read or that is damaged, with a message.
func (l Location) readToken(path string) (string, error) {
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
		return "", l.dropToken(path, "it is no regular file")
	case open:
		return "", l.dropToken(path, "other users may read it")
	}
	data, err := safefile.ReadRegular(path, 4096)
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	token := strings.TrimSpace(string(data))
	if len(token) < 2*accessTokenBytes || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", l.dropToken(path, "it is damaged")
	}
	return token, nil
}

// dropToken removes an unusable token.
func (l Location) dropToken(path, why string) error {
	if err := os.Remove(path); err != nil {
		return err
	}
	fmt.Fprintf(l.Warnings, "explorer: the token in %s is replaced, because %s: browsers that were let in need the new one\n", terminal.CleanLine(path), why)
	return nil
}
