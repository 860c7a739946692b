package spend

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sessiontree/internal/session"
)

// eachKey skips exactly what decode reads, of records of every kind.
func TestEachKey(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var f File
		var want []uint64
		w := newLogWriter(&f)
		count := rapid.Int64Range(0, 1<<40)
		for key := range uint64(rapid.IntRange(0, 20).Draw(rt, "records")) {
			u := session.Usage{Input: count.Draw(rt, "input"), CacheWrite1h: count.Draw(rt, "written"), Cost: 1.5}
			recorded, copied := rapid.Bool().Draw(rt, "recorded"), rapid.Bool().Draw(rt, "copied")
			switch rapid.IntRange(0, 2).Draw(rt, "kind") {
			case 0:
				w.putRequest(&Request{Key: key, Time: count.Draw(rt, "time") - 1<<39, Model: "m", Usage: u, HasCost: recorded, Copied: copied, ModelWait: count.Draw(rt, "wait")})
				if copied {
					want = append(want, key)
				}
			case 1:
				w.putToolUse("bash", recorded, count.Draw(rt, "wait"))
			case 2:
				w.putTotals(count.Draw(rt, "time"), 1, []session.Charge{{Model: "m", Usage: u, HasCost: recorded}, {Model: "n"}})
			}
		}
		var got, copies []uint64
		new(decoder).eachKey(&f, 0, func(key uint64, copied bool) {
			got = append(got, key)
			if copied {
				copies = append(copies, key)
			}
		})
		var decoded []uint64
		for _, q := range f.decode().requests {
			decoded = append(decoded, q.Key)
		}
		if !slices.Equal(got, decoded) || !slices.Equal(copies, want) {
			rt.Fatalf("keys %v, decoded %v; copies %v, want %v", got, decoded, copies, want)
		}
	})
}
