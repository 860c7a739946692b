//go:build unix

package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// No verb uses a state directory that other users could change.
func TestStateDir_WritableByOthers(t *testing.T) {
	path := writeSessionFile(t, t.TempDir())
	verbs := [][]string{
		{"serve", "--no-open", "--listen", "127.0.0.1:0", filepath.Dir(path)}, {"share", path}, {"shares"}, {"revoke", "00000000"},
		{"token"}, {"token", "--new"}, {"label", path, "a", "x"}, {"tree", path},
	}
	for name, tt := range map[string]struct {
		make func(dir string) error
		says string
	}{
		"writable by the group": {func(dir string) error { return os.Chmod(dir, 0o770) }, "chmod go-w"},
		"writable by everybody": {func(dir string) error { return os.Chmod(dir, 0o777) }, "chmod go-w"},
		"a file": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "state"), nil, 0o600)
		}, "not a directory"},
		"of another user": {func(dir string) error { return os.Chown(dir, 12345, 12345) }, "belongs to another user"},
	} {
		t.Run(name, func(t *testing.T) {
			if strings.HasPrefix(name, "of another") && os.Geteuid() != 0 {
				t.Skip("only root can give a directory away")
			}
			dir := t.TempDir()
			if err := tt.make(dir); err != nil {
				t.Fatal(err)
			}
			if name == "a file" {
				dir = filepath.Join(dir, "state")
			}
			for _, verb := range verbs {
				var out, bad bytes.Buffer
				if got := runCommandLine(t.Context(), append(verb, "--state", dir), &out, &bad); got != statusFailed || !strings.Contains(bad.String(), tt.says) {
					t.Errorf("%v: status %d, %q", verb, got, &bad)
				}
			}
			if left, _ := os.ReadDir(dir); len(left) > 0 {
				t.Errorf("written into it: %v", left)
			}
		})
	}
}
