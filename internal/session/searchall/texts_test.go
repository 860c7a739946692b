package searchall

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sessiontree/internal/sampletest"
	"sessiontree/internal/session"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/search"
	"sessiontree/internal/session/store"
	"sessiontree/internal/session/textcache"
	"sessiontree/internal/slowtest"
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
	if err := updater.CacheTexts(ctx, func(time.Duration) {}); err != nil {
		t.Fatal(err)
	}
	return &cached
}

// A search with the cache of texts has the hits of one without, in every format.
func TestCacheTexts_SameHits(t *testing.T) {
	slowtest.SkipIfShortOutsideCI(t)
	t.Parallel()
	s := newSearcher(t, filepath.Join("..", "..", "..", "testdata"))
	cached := withTexts(t, s, time.Now().Add(time.Hour))
	stored := 0
	for _, sum := range s.Catalog.Sessions() {
		states, err := s.readFileStates(append([]string{sum.Path}, s.Catalog.AgentFiles()[sum.Path]...))
		if err == nil && cached.Texts.Has(sum.Path, states) {
			stored++
		}
	}
	if stored < len(s.Catalog.Sessions())*9/10 {
		t.Errorf("the cache has %d of %d sessions", stored, len(s.Catalog.Sessions()))
	}
	for _, text := range sampletest.Cases([]string{"role:prompt the", "role:answer role:prompt read file", `role:answer "the file"`, "role:summary the", "role:label a", "role:prompt é", "role:name test", "role:label", "role:prompt is:abandoned", "role:answer role:prompt role:summary", "role:prompt label:x", "label:e", "label:x is:abandoned", "role:prompt after:2026-01-02 the", "role:prompt re:[tf]h?e is:sub-agent", "role:prompt tool:bash the", "role:answer is:failed", "role:answer zzz", "role:prompt role:answer STRASSE", "role:output the", "the"}) {
		without, with := runSearch(t, s, text), runSearch(t, cached, text)
		if diff := cmp.Diff(describe(without), describe(with)); diff != "" {
			t.Errorf("%s (-without cache +with):\n%s", text, diff)
		}
		if diff := cmp.Diff(without, with, cmpopts.IgnoreUnexported(Hit{})); diff != "" {
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
	rests := 0
	for range 2 { // the second time there is nothing to read
		if err := s.CacheTexts(ctx, func(time.Duration) { rests++ }); err != nil || !hasTexts(t, s, path) {
			t.Errorf("the changed session is not cached again: %v", err)
		}
	}
	if rests != 1 {
		t.Errorf("it rested %d times after one session", rests)
	}
	states, err := s.readFileStates([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := s.RemoveDeletedTexts(); err != nil || s.Texts.Has(path, states) {
		t.Errorf("the texts of a deleted session are kept: %v", err)
	}
}

// The texts of a session whose filter excludes a word are not read.
func TestCacheTexts_Filter(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "s1.jsonl")
	write(t, path, header("s1"), entry("u1", "", 1, fmt.Sprintf(`{"role":"user","content":"plant a tree%s"}`, strings.Repeat(" and water it", 1000))))
	s := withTexts(t, newSearcher(t, dir), time.Now().Add(time.Hour))
	states, err := s.readFileStates([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	var buf textcache.Buffer
	if ok := s.Texts.ReadFilter(path, states, &buf); !ok || len(buf.Filter) == 0 {
		t.Fatalf("the filter has %d bytes, %t", len(buf.Filter), ok)
	}
	damaged := make([][]byte, len(buf.Blocks)) // no index: the session is searched instead
	for i := range damaged[1:] {
		damaged[i] = bytes.Repeat([]byte("tree "), buf.Blocks[i].Len()/5)
	}
	if err := s.Texts.Add(textcache.Texts{Path: path, Files: states, Filter: buf.Filter, Blocks: damaged}); err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]cacheResult{"kumquat": hasAllHits, "tree": mayHaveHits} {
		run, err := s.newRun(parse(t, "role:prompt "+word))
		if err != nil {
			t.Fatal(err)
		}
		jobs, _ := run.listJobs()
		if result, got := run.searchTexts(&jobs[0]); result != nil || got != want {
			t.Errorf("%s: %v, %d; want %d", word, result, got, want)
		}
	}
}

// A label in a sidecar is found although the texts of its session were cached before.
func TestCacheTexts_Sidecar(t *testing.T) {
	t.Parallel()
	dir, state := t.TempDir(), t.TempDir()
	path := filepath.Join(dir, "s1.jsonl")
	write(t, path, `{"type":"session","id":"s1","timestamp":"2026-05-01T08:00:00.000Z","cwd":"/w"}`, // version 1 has no ids, so that labels are in sidecars
		`{"type":"message","timestamp":"2026-05-01T08:00:01.000Z","message":{"role":"user","content":"plant a tree"}}`)
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{dir}, StateDir: state})
	if err != nil {
		t.Fatal(err)
	}
	c := catalog.New(catalog.Config{Library: lib})
	if err := c.Fill(ctx); err != nil {
		t.Fatal(err)
	}
	s := withTexts(t, &Searcher{Library: lib, Catalog: c}, time.Now().Add(time.Hour))
	if !hasTexts(t, s, path) {
		t.Fatal("the session is not in the cache")
	}
	if found := runSearch(t, s, "role:label shrub"); len(found) != 0 {
		t.Fatalf("found %q before the label was set", describe(found))
	}
	labeled, err := lib.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	if w, err := labeled.ApplyChange(ctx, session.Change{Op: session.OpLabel, Entry: "L2", Text: "the shrub"}, store.Precondition{}); err != nil || !w.InSidecar {
		t.Fatalf("the label is not in a sidecar: %+v, %v", w, err)
	}
	if found := runSearch(t, s, "role:label shrub"); len(found) != 1 {
		t.Errorf("found %q", describe(found))
	}
}

// Hits in the texts of a session at rest are found without reading it.
func TestCacheTexts_NotRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "s1.jsonl")
	write(t, path, branchedSession()...)
	s := withTexts(t, newSearcher(t, dir), time.Now().Add(time.Hour))
	want := describe(runSearch(t, s, "role:prompt role:answer watcher"))
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, make([]byte, info.Size()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if got := describe(runSearch(t, s, "role:prompt role:answer watcher")); len(got) < 2 || !slices.Equal(got, want) {
		t.Errorf("hits %q, want %q", got, want)
	}
}

// A session that another one may change is searched as a whole.
func TestCacheTexts_RelatedSession(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	line := func(session, id, parent, text string) string {
		return fmt.Sprintf(`{"type":"user","uuid":%q,"parentUuid":%s,"sessionId":%q,"timestamp":"2026-01-01T10:00:0%s.000Z","cwd":"/w","version":"2.1.0","message":{"role":"user","content":%q}}`, id, parent, session, id[1:], text) + "\n"
	}
	one, two := filepath.Join(dir, "s1.jsonl"), filepath.Join(dir, "s2.jsonl")
	write(t, one, line("s1", "u1", "null", "plant a tree"), line("s1", "u2", `"u1"`, "water the tree"))
	s := withTexts(t, newSearcher(t, dir), time.Now().Add(time.Hour))
	before := describe(runSearch(t, s, "role:prompt tree"))
	write(t, two, line("s2", "u3", `"u1"`, "fell the tree"))
	if err := s.Catalog.Fill(ctx); err != nil {
		t.Fatal(err)
	}
	without := *s
	without.Texts = nil
	if diff := cmp.Diff(runSearch(t, &without, "role:prompt tree"), runSearch(t, s, "role:prompt tree"), cmpopts.IgnoreUnexported(Hit{})); diff != "" {
		t.Errorf("-without cache +with:\n%s", diff)
	}
	if got := describe(runSearch(t, s, "role:prompt tree")); len(got) <= len(before) {
		t.Errorf("hits %q after %q", got, before)
	}
	if !s.Library.Related().IsRelated(one) {
		t.Error("the sessions are not related")
	}
}

// hasTexts reports whether the session of one file is in the cache.
func hasTexts(t *testing.T, s *Searcher, path string) bool {
	t.Helper()
	states, err := s.readFileStates([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	return s.Texts.Has(path, states)
}

// The separator of entries in a text does not split the text. The session then has no index.
func TestTextWriter_Separator(t *testing.T) {
	t.Parallel()
	write := func(first string) (fields []string, hasIndex bool) {
		w := newTextWriter(map[session.Pos]Branch{session.NoPos: {}})
		facts := &entryFacts{head: session.NoPos}
		w.addEntry(0, facts, []field{{role: "prompt", text: first}, {role: "output", text: "three"}})
		w.addEntry(1, facts, []field{{role: "output", text: "four"}})
		w.addEntry(2, facts, []field{{role: "prompt", text: "five"}})
		_, blocks := w.encode()
		if len(blocks) != 2 {
			t.Fatalf("%d blocks", len(blocks))
		}
		return strings.Split(string(blocks[0]), "\x1e"), len(blocks[1]) > 0
	}
	if got, hasIndex := write("one\x1etwo"); !slices.Equal(got, []string{"one two\n", "five\n", ""}) || hasIndex {
		t.Errorf("texts %q, index %t", got, hasIndex)
	}
	if got, hasIndex := write("one"); !slices.Equal(got, []string{"one\n", "five\n", ""}) || !hasIndex {
		t.Errorf("texts %q, index %t", got, hasIndex)
	}
}

// Damaged texts are an error, whatever is wrong with them.
func TestEachIndexedEntry_Damaged(t *testing.T) {
	t.Parallel()
	w := newTextWriter(map[session.Pos]Branch{session.NoPos: {}})
	w.addEntry(0, &entryFacts{head: session.NoPos}, []field{{role: "prompt", text: "plant a tree"}})
	w.addEntry(1, &entryFacts{head: session.NoPos, entry: session.Entry{ID: "u2", Time: 1<<41 + 5}, label: "oak", tool: "bash", failed: true, prompt: 2, prompts: 3}, []field{{role: "prompt", text: "an oak"}})
	_, blocks := w.encode()
	text, index := blocks[0], blocks[1]
	all := func([]byte) bool { return true }
	read := func(text, index []byte) error {
		return eachIndexedEntry([]textPart{{0, text}}, index, all, func(e *indexedEntry, _ Branch, text []byte) { e.splitFields(text) })
	}
	var last indexedEntry
	err := eachIndexedEntry([]textPart{{0, text}}, index, all, func(e *indexedEntry, _ Branch, text []byte) { last = *e })
	want := w.index.Entries[1]
	if err != nil || !cmp.Equal(last, want) {
		t.Fatalf("%v, %s", err, cmp.Diff(last, want))
	}
	for n := range index {
		if read(text, index[:n]) == nil {
			t.Errorf("no error with %d of %d bytes of the index", n, len(index))
		}
	}
	for n := 1; n < len(text); n++ {
		if read(text[:n], index) == nil && text[n-1] != search.EntrySeparator { // the next entry may be in another block
			t.Errorf("no error with %d of %d bytes of the texts", n, len(text))
		}
	}
}

// Of long texts, the blocks whose filters may match are read, for prompts only those of prompts. Each
// hit is of its own entry.
func TestSearchTexts_Blocks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "s1.jsonl")
	lines, parent := []string{header("s1")}, ""
	for i := range 60 {
		id := fmt.Sprintf("u%d", i)
		word := "tree"
		if i%20 == 7 || i == 59 {
			word = "kumquat"
		}
		lines = append(lines, entry(id, parent, i, fmt.Sprintf(`{"role":"user","content":"plant %s %d%s"}`, word, i, strings.Repeat(" and water it", 100*(i%7)))))
		parent = fmt.Sprintf("a%d", i)
		answer := "no"
		if i%20 == 3 {
			answer = "kumquats" + strings.Repeat(" grow", 3000)
		}
		lines = append(lines, entry(parent, id, i, fmt.Sprintf(`{"role":"assistant","model":"m","content":[{"type":"text","text":%q}]}`, answer)))
	}
	write(t, path, lines...)
	s := withTexts(t, newSearcher(t, dir), time.Now().Add(time.Hour))
	var buf textBuffer
	var err error
	if buf.states, err = s.readFileStates([]string{path}); err != nil {
		t.Fatal(err)
	}
	if !s.Texts.ReadFilter(path, buf.states, &buf.Buffer) || len(buf.Blocks) < 5 {
		t.Fatalf("the texts have %d blocks", len(buf.Blocks))
	}
	run, err := s.newRun(parse(t, "role:prompt kumquat"))
	if err != nil {
		t.Fatal(err)
	}
	jobs, _ := run.listJobs()
	parts, ok := run.findTextParts(&jobs[0], &buf)
	read := 0
	for _, p := range parts {
		read += len(p.text)
	}
	if all := buf.Blocks[len(buf.Blocks)-1].Start(); !ok || len(parts) != 4 || read >= all {
		t.Errorf("%d parts with %d of %d bytes were read, %t", len(parts), read, all, ok)
	}
	for roles, want := range map[string]string{"role:prompt": "u27 u47 u59 u7", "role:answer": "a23 a3 a43", "role:answer role:prompt": "a23 a3 a43 u27 u47 u59 u7", "role:label": ""} {
		if run, err = s.newRun(parse(t, roles+" kumquat")); err != nil {
			t.Fatal(err)
		}
		result, got := run.searchTexts(&jobs[0])
		if got != hasAllHits {
			t.Fatalf("%s: %v, %d", roles, result, got)
		}
		var found []string
		if result != nil {
			for _, h := range result.Hits {
				found = append(found, h.Entry)
			}
		}
		slices.Sort(found)
		if got := strings.Join(found, " "); got != want {
			t.Errorf("%s: hits %q, want %q", roles, got, want)
		}
	}
}
