package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A full disk is told, and no half file stays.
func TestExportDiskFull(t *testing.T) {
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
		var out, said bytes.Buffer
		status := runCommandLine(t.Context(), []string{"export", session, "--as", as, "-o", filepath.Join(dir, "out")}, &out, &said)
		if status != statusFailed || !strings.Contains(said.String(), "no space left") || out.Len() > 0 {
			t.Errorf("%s: exit status %d, %q and %q are said", as, status, out.String(), said.String())
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s: %v is left", as, left)
		}
	}
}

// What cannot be printed is told.
func TestExportPrintsNothing(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	var said bytes.Buffer
	if status := runCommandLine(t.Context(), []string{"export", writeLongSession(t), "-o", "-"}, full, &said); status != statusFailed || !strings.Contains(said.String(), "no space left") {
		t.Errorf("exit status %d, %q is said", status, said.String())
	}
}
