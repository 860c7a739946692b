package spend_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
	"sessiontree/internal/session/spend"
	"sessiontree/internal/session/spill"
)

// Records that were moved to a file are the same ones, also when requests are added, and stay in
// memory if there can be no file.
func TestFile_MoveTo(t *testing.T) {
	f := spend.CollectTree(growthTree(100))
	blocked := filepath.Join(t.TempDir(), "a file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if left, err := f.MoveTo(spill.New(blocked)); err == nil || !left.IsInMemory() || left.LogSize() != f.LogSize() {
		t.Errorf("without a directory: %v, %d bytes in memory", err, len(left.Log))
	}
	s := spill.New(t.TempDir())
	for n := range 3 {
		moved, err := f.MoveTo(s)
		if err != nil || moved.IsInMemory() || moved.LogSize() != f.LogSize() {
			t.Fatalf("%v, %d bytes in memory", err, len(moved.Log))
		}
		back, err := moved.InMemory()
		if diff := cmp.Diff(f, back, cmp.AllowUnexported(spill.Bytes{})); err != nil || diff != "" {
			t.Fatalf("%v (-want +got):\n%s", err, diff)
		}
		added := growthTree(10 + n)
		var entries []session.Entry
		for p := range session.Pos(added.Len()) {
			entries = append(entries, *added.At(p))
		}
		if diff := cmp.Diff(f.Extend(entries), moved.Extend(entries), cmp.AllowUnexported(spill.Bytes{})); diff != "" {
			t.Errorf("extended (-want +got):\n%s", diff)
		}
		f = f.Extend(entries)
	}
}
