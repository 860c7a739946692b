package serve

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

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
	if err := copyDemo(first, time.Now()); err != nil {
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

// One session of the demo has just asked its user, another runs a tool. All others are old.
func TestCopyDemo_FreshSamples(t *testing.T) {
	dir, now := t.TempDir(), time.Date(2027, 5, 6, 7, 8, 9, 0, time.UTC)
	if err := copyDemo(dir, now); err != nil {
		t.Fatal(err)
	}
	for name, age := range freshSamples {
		path := filepath.Join(dir, filepath.FromSlash(name))
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all := timestampField.FindAllSubmatch(data, -1)
		last, ok := parseTimestamp(all[len(all)-1][2])
		if want := now.Add(-age); !ok || last.Sub(want).Abs() > 10*time.Second {
			t.Errorf("%s: the last time is %v, want %v", name, last, want)
		}
		if info, err := os.Stat(path); err != nil || !info.ModTime().Equal(now.Add(-age)) {
			t.Errorf("%s: modified %v, %v", name, info.ModTime(), err)
		}
	}
	const old = "pi/--home-dev-atlas--"
	files, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(old), "*.jsonl"))
	if err != nil || len(files) < 3 {
		t.Fatalf("%s has %d sessions, %v", old, len(files), err)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.ModTime().UnixMilli() != lastTimestamp(data).UnixMilli() {
			t.Errorf("%s: modified %v, %v, not at its last time", path, info.ModTime(), err)
		}
	}
	for path, inDemo := range demoProjects {
		if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(inDemo))); err != nil || !info.IsDir() {
			t.Errorf("%s: %v", path, err)
		}
	}
}
