package related_test

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/related"
)

// A file is related if AreRelated is true for it and another one, also after files changed.
func TestIndex_IsRelated(t *testing.T) {
	t.Parallel()
	for range 500 {
		var index related.Index
		files := map[string]session.Related{}
		ids := func() []uint64 {
			list := make([]uint64, rand.IntN(4))
			for i := range list {
				list[i] = rand.Uint64N(40)
			}
			slices.Sort(list)
			return slices.Compact(list)
		}
		for range 8 {
			name := string(rune('a' + rand.IntN(6)))
			files[name] = session.Related{Held: ids(), Refs: ids()}
			index.StoreFile(filepath.Join("/p", name), related.File{Related: files[name]})
			for name, own := range files {
				want := false
				for other, r := range files {
					want = want || other != name && related.AreRelated(&own, &r)
				}
				if got := index.IsRelated(filepath.Join("/p", name)); got != want {
					t.Fatalf("%s is related: %t, want %t, of %v", name, got, want, files)
				}
			}
		}
	}
	if (&related.Index{}).IsRelated("/p/a") {
		t.Error("an unknown file is related")
	}
}
