package statedir

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

func TestToken(t *testing.T) {
	l := Location{Path: filepath.Join(t.TempDir(), "state"), Warnings: io.Discard}
	first, err := l.AccessToken()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(l.Path, "token")
	for name, want := range map[string]os.FileMode{l.Path: 0o700, path: 0o600} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v; want %v", name, info.Mode(), err, want)
		}
	}
	if again, err := l.AccessToken(); err != nil || again != first {
		t.Errorf("token after a restart = %q, %v; want %q", again, err, first)
	}
	// A token that others could read or that is too short is replaced.
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	second, err := l.AccessToken()
	if err != nil || second == first || len(second) != 2*accessTokenBytes {
		t.Errorf("token after others could read it = %q, %v; want another", second, err)
	}
	if err := os.WriteFile(path, []byte("short\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if third, err := l.AccessToken(); err != nil || len(third) != 2*accessTokenBytes {
		t.Errorf("token in place of a short one = %q, %v", third, err)
	}
	if left, _ := os.ReadDir(l.Path); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}
