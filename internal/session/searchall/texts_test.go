package searchall

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session/textcache"
)

// withTexts gives a searcher a cache that has the texts of all sessions at rest.
func withTexts(t testing.TB, s *Searcher, now time.Time) *Searcher {
	t.Helper()
	cache, err := textcache.Open(filepath.Join(t.TempDir(), "cache"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cache.Close() })
	cached := *s
	cached.Texts, cached.Now = cache, now
	updater := cached
	updater.TitleOfFormat = nil // as in the server, which searches for nothing
	if err := updater.CacheTexts(ctx); err != nil {
		t.Fatal(err)
	}
	return &cached
}

// A search with the cache of texts has the hits of one without, in every format.
func TestCacheTexts_SameHits(t *testing.T) {
	t.Parallel()
	s := newSearcher(t, filepath.Join("..", "..", "..", "testdata"))
	cached := withTexts(t, s, time.Now().Add(time.Hour))
	stored := 0
	for _, sum := range s.Catalog.Sessions() {
		states, err := readFileStates(append([]string{sum.Path}, s.Catalog.AgentFiles()[sum.Path]...))
		if err == nil && cached.Texts.Has(sum.Path, states) {
			stored++
		}
	}
	if stored < len(s.Catalog.Sessions())*9/10 {
		t.Errorf("the cache has %d of %d sessions", stored, len(s.Catalog.Sessions()))
	}
	for _, text := range []string{"role:prompt the", "role:answer role:prompt read file", `role:answer "the file"`, "role:summary the", "role:label a", "role:prompt é", "role:name test", "role:answer zzz", "role:prompt role:answer STRASSE", "role:output the", "the"} {
		if diff := cmp.Diff(describe(runSearch(t, s, text)), describe(runSearch(t, cached, text))); diff != "" {
			t.Errorf("%s (-without cache +with):\n%s", text, diff)
		}
	}
}

// A session that has changed since it was cached is read again, and so is one that changed
// too recently to be cached.
func TestCacheTexts_ChangedSession(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "s1.jsonl")
	lines := []string{header("s1"), entry("u1", "", 1, `{"role":"user","content":"plant a tree"}`)}
	write(t, path, lines...)
	if s := withTexts(t, newSearcher(t, dir), time.Now()); hasTexts(t, s, path) {
		t.Error("a session that was just written is in the cache")
	}
	s := withTexts(t, newSearcher(t, dir), time.Now().Add(time.Hour))
	if !hasTexts(t, s, path) {
		t.Error("a session at rest is not in the cache")
	}
	write(t, path, append(lines, entry("u2", "u1", 2, `{"role":"user","content":"water the shrub"}`))...)
	if got, want := describe(runSearch(t, s, "role:prompt shrub")), []string{"s1 path prompt u2: water the [shrub]"}; !slices.Equal(got, want) {
		t.Errorf("hits %q, want %q", got, want)
	}
	if err := s.CacheTexts(ctx); err != nil || !hasTexts(t, s, path) {
		t.Errorf("the changed session is not cached again: %v", err)
	}
	states, err := readFileStates([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := s.CacheTexts(ctx); err != nil || s.Texts.Has(path, states) {
		t.Errorf("the texts of a deleted session are kept: %v", err)
	}
}

// hasTexts reports whether the session of one file is in the cache.
func hasTexts(t *testing.T, s *Searcher, path string) bool {
	t.Helper()
	states, err := readFileStates([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	return s.Texts.Has(path, states)
}

// The separator of entries in a text does not split the text.
func TestAppendTexts_Separator(t *testing.T) {
	t.Parallel()
	texts := appendTexts(nil, []field{{role: "prompt", text: "one\x1etwo"}, {role: "output", text: "three"}})
	texts = appendTexts(texts, []field{{role: "output", text: "four"}})
	texts = appendTexts(texts, []field{{role: "answer", text: "five"}})
	if got, want := strings.Split(string(texts), "\x1e"), []string{"one two\n", "five\n", ""}; !slices.Equal(got, want) {
		t.Errorf("texts %q, want %q", got, want)
	}
}
