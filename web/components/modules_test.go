package components

import (
	"path/filepath"
	"slices"
	"testing"
)

// A module missing from the list is fetched late; one that does not exist causes an error
// in the console.
func TestModules(t *testing.T) {
	files, err := filepath.Glob("../static/js/*.js")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"vendor/idiomorph.esm.js"}
	for _, file := range files {
		if name := filepath.Base(file); name != "boot.js" {
			want = append(want, "js/"+name)
		}
	}
	got := slices.Sorted(slices.Values(modules))
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("modules = %q, want %q", got, want)
	}
}
