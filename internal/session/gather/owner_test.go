package gather

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/roots"
)

// TestOwnerFinder_ReadsDirOnce checks that a pass over the files of a directory reads it once,
// and that a later pass sees what changed.
func TestOwnerFinder_ReadsDirOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"s.jsonl", "agent-1.jsonl", "agent-2.jsonl"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	reads, owners := 0, map[string]string{"agent-1.jsonl": "s.jsonl", "agent-2.jsonl": "gone.jsonl"}
	format := &session.Format{Graph: &session.Graph{
		IsMember:   func(path string) bool { return filepath.Base(path) != "s.jsonl" },
		FindOwners: func(fs.FS) map[string]string { reads++; return owners },
	}}
	set, err := roots.New([]string{dir}, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	var cache FileCache
	finder := NewOwnerFinder(set, &cache)
	check := func(name string, exists, lost bool) {
		t.Helper()
		at, err := set.Locate(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if o := finder.FindOwner(at, format, nil); o.Exists() != exists || o.IsLost != lost {
			t.Errorf("owner of %s: %+v", name, o)
		}
	}
	check("s.jsonl", false, false)
	check("agent-1.jsonl", true, false)
	check("agent-2.jsonl", false, true)
	if reads != 1 {
		t.Errorf("the directory was read %d times", reads)
	}
	owners = map[string]string{"agent-2.jsonl": "s.jsonl"}
	finder = NewOwnerFinder(set, &cache)
	check("agent-2.jsonl", true, false)
	check("agent-1.jsonl", true, false)
	if reads != 2 {
		t.Errorf("the directory was read %d times in two passes", reads)
	}
}
