package components

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"testing"
)

// A module missing from the list is fetched late; one that does not exist causes an error
// in the console.
func TestModules(t *testing.T) {
	want := []string{"vendor/idiomorph.esm.js"}
	err := fs.WalkDir(os.DirFS("../static"), "js", func(name string, d fs.DirEntry, err error) error {
		if alone := []string{"js/boot.js", "js/offline.js", "js/worker.js"}; err == nil && path.Ext(name) == ".js" && !slices.Contains(alone, name) {
			want = append(want, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	got := slices.Sorted(slices.Values(slices.Concat(pageModules("page-search"), mapModules, filesModules, nowModules)))
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("all modules = %q, want %q", got, want)
	}
}
