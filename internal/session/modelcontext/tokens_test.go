package modelcontext

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// Scaled numbers sum to the total, and each is less than one token off.
func TestScaleTokens(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		seed := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		rows := make([]*Tokens, rapid.IntRange(0, 40).Draw(t, "rows"))
		before := make([]Tokens, len(rows))
		var sum int64
		for i := range rows {
			for part := range before[i] {
				if seed.IntN(3) == 0 {
					before[i][part] = seed.Int64N(1 << seed.IntN(40))
				}
			}
			copied := before[i]
			rows[i] = &copied
			sum += copied.Sum()
		}
		total := rapid.Int64Range(0, 1<<40).Draw(t, "total")
		scaleTokens(rows, total)
		var got int64
		for i, row := range rows {
			got += row.Sum()
			for part, n := range row {
				exact := float64(before[i][part]) / float64(max(sum, 1)) * float64(total)
				if n < 0 || float64(n) > exact+1.01 || float64(n) < exact-1.01 {
					t.Fatalf("%d of %d scaled to %d is %d", before[i][part], sum, total, n)
				}
			}
		}
		if sum > 0 && got != total {
			t.Fatalf("the sum is %d, want %d", got, total)
		}
	})
}
