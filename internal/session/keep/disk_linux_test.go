package keep_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// When the disk is full, the state says so, what was copied stays, and copying continues when
// there is room again.
func TestKeeper_diskFull(t *testing.T) {
	f := newFixture(t)
	if err := unix.Mount("tmpfs", f.state, "tmpfs", 0, "size=256k"); err != nil {
		t.Skip("a small file system cannot be mounted here: ", err)
	}
	defer func() { _ = unix.Unmount(f.state, unix.MNT_DETACH) }()
	f.write("p/a.jsonl", claudeLines(0, 100))
	f.keepAll()
	ballast := filepath.Join(f.state, "ballast")
	file, err := os.Create(ballast)
	for err == nil {
		_, err = file.Write(make([]byte, 1024))
	}
	if file.Close(); !errors.Is(err, unix.ENOSPC) {
		t.Fatal(err)
	}
	f.write("p/b.jsonl", claudeLines(0, 20_000))
	if err := f.KeepAll(ctx); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("on a full disk: %v", err)
	}
	f.want("p/a.jsonl", claudeLines(0, 100))
	if s, err := f.State(ctx); err != nil || s.Sessions != 1 || !s.DiskFull || s.Error == "" {
		t.Errorf("%+v, %v", s, err)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	f.write("p/b.jsonl", claudeLines(0, 200))
	f.keepAll()
	f.want("p/b.jsonl", claudeLines(0, 200))
	if s, err := f.State(ctx); err != nil || s.Error != "" {
		t.Errorf("%+v, %v", s, err)
	}
}
