package session

import (
	"testing"

	"pgregory.net/rapid"
)

// An index maps strings to the numbers of the items that contain them.
func TestIndex(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var texts []string
		x := newStringIndex(rapid.IntRange(0, 20).Draw(t, "room"), func(at int32) string { return texts[at] })
		want := map[string]int32{}
		for range rapid.IntRange(0, 200).Draw(t, "steps") {
			s := rapid.StringMatching(`[a-f]{0,2}`).Draw(t, "text")
			texts = append(texts, s)
			at := int32(len(texts) - 1)
			old, known := want[s]
			if rapid.Bool().Draw(t, "replace") {
				x.setNumber(s, at)
				want[s] = at
				continue
			}
			if !known {
				old, want[s] = at, at
			}
			if got, was := x.addNumber(s, at); got != old || was != known {
				t.Fatalf("put(%q, %d) = %d, %v; want %d, %v", s, at, got, was, old, known)
			}
		}
		for _, s := range append(texts, "none") {
			at, known := want[s]
			if !known {
				at = -1
			}
			if got := x.findNumber(s); got != at {
				t.Fatalf("find(%q) = %d, want %d", s, got, at)
			}
		}
	})
}
