package store_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/internal/testgen/workload"
)

// BenchmarkClaude measures the waits of a viewer of a project with 40 sessions: the
// first session; the sessions related to it, without an index; all of them at once; and
// an appended line.
func BenchmarkClaude(b *testing.B) {
	dir := b.TempDir()
	paths, bytes, err := workload.WriteClaudeLibrary(dir, 1000, 200)
	if err != nil {
		b.Fatal(err)
	}
	path := paths[0]
	first := func(b *testing.B, lib *store.Library) *store.Session {
		s, err := lib.Open(ctx, path)
		if err != nil {
			b.Fatal(err)
		}
		return s
	}
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			first(b, library(b, dir))
		}
	})
	b.Run("read all", func(b *testing.B) {
		b.SetBytes(bytes)
		for b.Loop() {
			lib := library(b, dir)
			for _, path := range paths {
				if _, err := lib.SummarizeFile(ctx, path, lib.NewOwnerFinder()); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("append", func(b *testing.B) {
		s := first(b, library(b, dir))
		var leaf, id string
		s.ReadTree(func(t *session.Tree, _ store.Revision) { leaf, id = t.At(t.Leaf()).ID, t.Header().ID })
		n := 0
		for b.Loop() {
			b.StopTimer()
			n++
			next := fmt.Sprintf("a%02d-%d", n%60, n)
			add(b, path, fmt.Sprintf(`{"parentUuid":%q,"isSidechain":false,"uuid":%q,"sessionId":%q,"timestamp":"2027-01-01T00:00:00Z","type":"user","message":{"role":"user","content":"x"}}`+"\n", leaf, next, id))
			leaf = next
			b.StartTimer()
			if c, err := s.Refresh(ctx); err != nil || c.Entries != 1 {
				b.Fatal(c, err)
			}
		}
	})
}

// BenchmarkOpenClaude reads one session of some 105 MB to the finished tree, with a
// warm page cache.
func BenchmarkOpenClaude(b *testing.B) {
	dir := b.TempDir()
	paths, bytes, err := workload.WriteClaudeLibrary(dir, 1, 31_000)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(bytes)
	b.ReportAllocs()
	before := live()
	var s *store.Session
	for b.Loop() {
		if s, err = library(b, filepath.Dir(paths[0])).Open(ctx, paths[0]); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(live()-before)/(1<<20), "MB-kept")
	s.ReadTree(func(t *session.Tree, _ store.Revision) { b.ReportMetric(float64(t.Len()), "entries") })
}
