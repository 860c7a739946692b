package spend

import (
	"testing"

	"pgregory.net/rapid"

	"sessiontree/internal/slowtest"
)

// The table is a map, whatever is put and removed in whatever order.
func TestHolderTable(t *testing.T) {
	t.Parallel()
	slowtest.SkipIfShort(t)
	// No shift of a key of at most 300 gives 1<<50, which is never put.
	rapid.Check(t, func(rt *rapid.T) {
		table, want := newHolderTable(), map[uint64]holder{}
		keys := rapid.Uint64Range(0, uint64(rapid.IntRange(1, 300).Draw(rt, "keys")))
		for range rapid.IntRange(0, 600).Draw(rt, "steps") {
			key := keys.Draw(rt, "key") << rapid.SampledFrom([]int{0, 0, 32, 60}).Draw(rt, "shift")
			h := holder{rapid.Int32Range(isShared, maxSources).Draw(rt, "number"), rapid.Bool().Draw(rt, "copied")}
			switch rapid.SampledFrom([]string{"remove", "put", "put new", "grow"}).Draw(rt, "step") {
			case "remove":
				table.remove(key)
				delete(want, key)
			case "put":
				table.put(key, h)
				want[key] = h
			case "put new":
				old, known := want[key]
				if got, ok := table.putNew(key, h); ok != known || got != old {
					rt.Fatalf("putNew(%x) = %v %v, want %v %v", key, got, ok, old, known)
				}
				if !known {
					want[key] = h
				}
			case "grow":
				table.grow(rapid.IntRange(0, 10_000).Draw(rt, "more"))
			}
		}
		for key, h := range want {
			if got, ok := table.get(key); !ok || got != h {
				rt.Fatalf("%x: %v %v, want %v", key, got, ok, h)
			}
		}
		if _, ok := table.get(1 << 50); ok || table.count() != len(want) {
			rt.Fatalf("%d keys, want %d; one that was not put: %v", table.count(), len(want), ok)
		}
	})
}

func BenchmarkHolderTable(b *testing.B) {
	for b.Loop() {
		t := newHolderTable()
		t.grow(100_000)
		for i := range uint64(100_000) {
			t.putNew(i*0x9e3779b97f4a7c15, holder{number: int32(i >> 6)})
		}
	}
}
