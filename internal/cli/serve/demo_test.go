package serve

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"sessiontree/internal/session/safefile"
)

// The demo is in the same directory at each start, so that links to its sessions stay valid. A
// second explorer has its own, and nothing of it is left.
func TestMakeCachedDemoDir(t *testing.T) {
	if !safefile.IsSupported {
		t.Skip("files cannot be locked on this system")
	}
	cache := filepath.Join(t.TempDir(), "cache")
	first, cleanup, err := makeCachedDemoDir(cache)
	if err != nil {
		t.Fatal(err)
	}
	if err := copyDemo(first); err != nil {
		t.Fatal(err)
	}
	if dir, _, err := makeCachedDemoDir(cache); err == nil {
		t.Errorf("a second explorer has %s too", dir)
	}
	cleanup()
	if _, err := os.Stat(first); !os.IsNotExist(err) {
		t.Errorf("the demo is left: %v", err)
	}
	left := filepath.Join(cache, "demo", "old.jsonl") // of an explorer that was killed
	if err := errors.Join(os.Mkdir(filepath.Dir(left), 0o700), os.WriteFile(left, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	second, cleanup, err := makeCachedDemoDir(cache)
	if err != nil || second != first {
		t.Fatalf("the second start has %s, %v, not %s", second, err, first)
	}
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("a file is left: %v", err)
	}
	cleanup()
}
