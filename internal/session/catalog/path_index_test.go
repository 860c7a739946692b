package catalog

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestPathIndex_RandomPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		paths := rapid.Custom(func(t *rapid.T) string {
			names := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "a-b"}), 0, 4).Draw(t, "names")
			return filepath.FromSlash("/" + strings.Join(names, "/"))
		})
		var x pathIndex
		held := map[string]bool{}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			path := paths.Draw(t, "path")
			if held[path] = path != filepath.Dir(path) && rapid.Bool().Draw(t, "add"); held[path] {
				x.addPath(path)
			} else {
				x.removePath(path)
			}
		}
		top := paths.Draw(t, "top")
		var want []string
		for path, ok := range held {
			if ok && (path == top || strings.HasPrefix(path, strings.TrimSuffix(top, "/")+"/")) {
				want = append(want, path)
			}
		}
		got := x.pathsBelow([]string{top})
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("below %s: %v, want %v of %v", top, got, want, held)
		}
		for path := range held {
			x.removePath(path)
		}
		for dir, names := range x.names {
			if len(names) > 0 {
				t.Fatalf("%s is left with %v", dir, names)
			}
		}
	})
}

func TestOutermost(t *testing.T) {
	dir := func(path string) string { return filepath.FromSlash(path) }
	got := outermostPaths([]string{dir("/a/b/c"), dir("/a/b"), dir("/a/bc"), dir("/d"), dir("/d/e/f/g")})
	if want := []string{dir("/a/b"), dir("/a/bc"), dir("/d")}; !slices.Equal(got, want) {
		t.Errorf("outermost = %v, want %v", got, want)
	}
}
