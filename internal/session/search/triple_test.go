package search

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// The places found are those where all three bytes are, in either case, whatever is around the blocks.
func TestFindTriple(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := []byte(rapid.StringMatching(`[es=]{1,4}`).Draw(t, "word"))
		offset := rapid.IntRange(0, len(word)-1)
		found := newTriple(word, [3]int{offset.Draw(t, "a"), offset.Draw(t, "b"), offset.Draw(t, "c")})
		blocks := rapid.IntRange(1, 3).Draw(t, "blocks")
		line := bytes.Repeat([]byte{'x'}, blocks*blockPlaces+len(word)-1)
		for range rapid.IntRange(0, 6).Draw(t, "changes") {
			at := rapid.IntRange(0, len(line)-1).Draw(t, "at")
			copy(line[at:], bytes.ToUpper(word))
		}
		hasTriple := func(at int) bool {
			for _, o := range found.offset {
				if bytes.ToLower(line[at+o : at+o+1])[0] != word[o] {
					return false
				}
			}
			return true
		}
		first := 0
		for first < blocks*blockPlaces-1 && !hasTriple(first) {
			first++
		}
		at, places := findTriple(line, blocks, &found)
		if at != first/blockPlaces*blockPlaces {
			t.Fatalf("block at %d, want the one with %d", at, first)
		}
		for i := range blockPlaces {
			if has := places>>i&1 == 1; has != hasTriple(at+i) && (!has || places&(1<<i-1) == 0) {
				t.Errorf("place %d: %t", at+i, has)
			}
		}
	})
}
