package spend

import (
	"testing"

	"pgregory.net/rapid"

	"sessiontree/internal/slowtest"
)

// The table is a map of the merged holders, whatever is added and removed in whatever order.
func TestHolderTable(t *testing.T) {
	t.Parallel()
	slowtest.SkipIfShort(t)
	// No shift of a key of at most 300 gives 1<<50, which is never added.
	rapid.Check(t, func(rt *rapid.T) {
		table, want := newHolderTable(), map[uint64]holder{}
		merge := func(_ uint64, a, b holder) holder { return unpackHolder(a.pack() | b.pack()) }
		keys := rapid.Uint64Range(0, uint64(rapid.IntRange(1, 300).Draw(rt, "keys")))
		for range rapid.IntRange(0, 600).Draw(rt, "steps") {
			key := keys.Draw(rt, "key") << rapid.SampledFrom([]int{0, 0, 32, 60}).Draw(rt, "shift")
			h := holder{rapid.Int32Range(isShared, maxSources).Draw(rt, "number"), rapid.Bool().Draw(rt, "copied")}
			switch rapid.SampledFrom([]string{"add", "add", "add", "replace", "remove", "grow"}).Draw(rt, "step") {
			case "add":
				table.add(key, h)
				if old, known := want[key]; known {
					h = merge(table.id(key), old, h)
				}
				want[key] = h
			case "replace":
				table.sortParts(merge)
				table.replace(key, h)
				if _, known := want[key]; known {
					want[key] = h
				}
			case "remove":
				table.sortParts(merge)
				table.remove(key)
				delete(want, key)
			case "grow":
				table.grow(rapid.IntRange(0, 10_000).Draw(rt, "more"))
			}
		}
		table.sortParts(merge)
		for key, h := range want {
			if got, ok := table.get(key); !ok || got != h {
				rt.Fatalf("%x: %v %v, want %v", key, got, ok, h)
			}
		}
		if _, ok := table.get(1 << 50); ok || table.count() != len(want) {
			rt.Fatalf("%d keys, want %d; one that was not added: %v", table.count(), len(want), ok)
		}
	})
}

func BenchmarkHolderTable(b *testing.B) {
	for b.Loop() {
		t := newHolderTable()
		for i := range uint64(100_000) {
			t.add(i*0x9e3779b97f4a7c15, holder{number: int32(i >> 6)})
		}
		t.sortParts(func(_ uint64, a, _ holder) holder { return a })
	}
}
