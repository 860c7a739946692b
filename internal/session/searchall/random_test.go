package searchall

import (
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/slowtest"
	"sessiontree/internal/testgen/random"
)

// A search of random sessions, with their sub-agents, finds what a decoder of every entry
// finds, with and without the cache of texts.
func TestSearch_RandomProjects(t *testing.T) {
	slowtest.SkipIfShortOutsideCI(t)
	for _, format := range random.Formats {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			for _, seed := range random.Seeds(4) {
				dir := t.TempDir()
				files := random.Long(format, seed, random.Length{Steps: 40, Sessions: 3}).Files()
				for name, text := range files {
					write(t, filepath.Join(dir, "-p", filepath.FromSlash(name)), text)
				}
				s := newSearcher(t, dir)
				cached := withTexts(t, s, time.Now().Add(time.Hour))
				for _, word := range someWords(files, seed) {
					for _, text := range []string{word, "role:prompt role:answer " + word} {
						want := searchNaively(t, s, parse(t, text))
						for name, searcher := range map[string]*Searcher{"without texts": s, "with texts": cached} {
							if diff := cmp.Diff(want, foundEntries(t, searcher, text)); diff != "" {
								t.Errorf("%s, %s (-naive +got):\n%s", text, name, diff)
							}
						}
					}
				}
				if t.Failed() {
					t.Fatalf("with SEED=%d", seed)
				}
			}
		})
	}
}

// foundEntries returns the entries that a search finds, with the roles of the hits. A copy of
// a hit is an entry too.
func foundEntries(t *testing.T, s *Searcher, text string) map[string]bool {
	found := map[string]bool{}
	for _, r := range runSearch(t, s, text) {
		for _, h := range r.Hits {
			found[h.Entry+" "+string(h.Role)] = true
		}
	}
	return found
}

// someWords returns words of the files, some of each.
func someWords(files map[string]string, seed uint64) []string {
	rng := rand.New(rand.NewPCG(seed, 9))
	words := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		all := strings.FieldsFunc(files[name], func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		for range 2 {
			if len(all) > 0 {
				words[all[rng.IntN(len(all))]] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(words))
}
