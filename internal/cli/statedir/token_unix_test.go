//go:build unix

package statedir

import (
	"io"
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe in the place of the token holds nobody up.
func TestToken_pipe(t *testing.T) {
	l := Location{Path: t.TempDir(), Warnings: io.Discard}
	if err := syscall.Mkfifo(filepath.Join(l.Path, tokenFileName), 0o600); err != nil {
		t.Fatal(err)
	}
	if token, err := l.AccessToken(); err != nil || len(token) != 2*accessTokenBytes {
		t.Errorf("token = %q, %v", token, err)
	}
}
