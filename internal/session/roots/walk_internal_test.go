package roots

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A root that is removed while it is walked is visited, or nothing would report its return.
func TestVisitDirs_RootRemovedMeanwhile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "root")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	set, err := New([]string{dir}, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	var visited []string
	w := set.newWalker(context.Background())
	w.onDir = func(path string) { visited = append(visited, path) }
	if err := w.walkPlace(Place{root: set.configured[0], Dir: dir, Rel: ".", Path: dir}); err != nil {
		t.Fatal(err)
	}
	if want := []string{dir}; !slices.Equal(visited, want) {
		t.Errorf("visited %q, want %q", visited, want)
	}
}
