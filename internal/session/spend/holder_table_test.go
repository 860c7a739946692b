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
			if rapid.IntRange(0, 2).Draw(rt, "step") == 0 {
				table.remove(key)
				delete(want, key)
				continue
			}
			h := holder{rapid.Int32Range(isShared, maxSources).Draw(rt, "number"), rapid.Bool().Draw(rt, "copied")}
			table.put(key, h)
			want[key] = h
		}
		for key, h := range want {
			if got, ok := table.get(key); !ok || got != h {
				rt.Fatalf("%x: %v %v, want %v", key, got, ok, h)
			}
		}
		count := 0
		for _, part := range table.parts {
			count += len(part)
		}
		if _, ok := table.get(1 << 50); ok || count != len(want) {
			rt.Fatalf("%d keys, want %d; one that was not put: %v", count, len(want), ok)
		}
	})
}

func BenchmarkHolderTable(b *testing.B) {
	for b.Loop() {
		t := newHolderTable()
		for i := range uint64(100_000) {
			t.put(i*0x9e3779b97f4a7c15, holder{number: int32(i >> 6)})
		}
	}
}
