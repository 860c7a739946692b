package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"sessiontree/internal/slowtest"
)

// A full disk is reported, and no partial file is left.
func TestExportDiskFull(t *testing.T) {
	slowtest.SkipIfShortOutsideCI(t)
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skip("a small file system cannot be mounted here: ", err)
	}
	defer func() {
		if err := unix.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	}()
	session := writeLongSession(t)
	for _, as := range []string{"jsonl", "md", "html"} {
		var out, stderr bytes.Buffer
		status := runCommandLine(t.Context(), []string{"export", session, "--as", as, "-o", filepath.Join(dir, "out")}, &out, &stderr)
		if status != statusFailed || !strings.Contains(stderr.String(), "no space left") || out.Len() > 0 {
			t.Errorf("%s: exit status %d, %q and %q are said", as, status, out.String(), stderr.String())
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s: %v is left", as, left)
		}
	}
}

// An export that cannot be printed is reported.
func TestExportPrintsNothing(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	var stderr bytes.Buffer
	if status := runCommandLine(t.Context(), []string{"export", writeLongSession(t), "-o", "-"}, full, &stderr); status != statusFailed || !strings.Contains(stderr.String(), "no space left") {
		t.Errorf("exit status %d, %q is said", status, stderr.String())
	}
}
