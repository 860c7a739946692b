package gather

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Values are cached while a file looks the same, but not for a file that was just
// written.
func TestFileCache(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	old, reads := time.Now().Add(-time.Hour), 0
	var l FileCache
	learn := func(what string) int {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return l.ReadCachedFile(path, what, info, func(any) any { reads++; return reads }).(int)
	}
	put := func(text string, at time.Time) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	put("a", old)
	got := []int{learn("x"), learn("x"), learn("y"), learn("x")}
	put("ab", old)
	got = append(got, learn("x"))
	put("cd", old.Add(time.Second))
	got = append(got, learn("x"), learn("x"))
	put("ef", time.Now())
	got = append(got, learn("x"), learn("x"))
	for i, want := range []int{1, 1, 2, 1, 3, 4, 4, 5, 6} {
		if got[i] != want {
			t.Fatalf("reads %v", got)
		}
	}
}
