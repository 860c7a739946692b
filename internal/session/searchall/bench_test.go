package searchall

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sessiontree/internal/testgen/workload"
)

var oldTime = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

var errStop = errors.New("stop")

// BenchmarkSearch searches 546 MB in 1,001 sessions of two agents, and eleven small ones
// that have the rare words. first is the time until the first result.
func BenchmarkSearch(b *testing.B) {
	dir := b.TempDir()
	if _, err := workload.EnsureWorkload(filepath.Join(dir, "pi"), workload.Size{Sessions: 500, Bytes: workload.Standard.Bytes, Entries: workload.Standard.Entries, Branches: workload.Standard.Branches, Chain: 1}); err != nil {
		b.Fatal(err)
	}
	if _, _, err := workload.WriteClaudeLibrary(filepath.Join(dir, "claude"), 500, 128); err != nil {
		b.Fatal(err)
	}
	for i := range 11 {
		writeRareSession(b, filepath.Join(dir, "rare", fmt.Sprintf("s%d.jsonl", i)), i)
	}
	s := newSearcher(b, dir)
	began := time.Now()
	cached := withTexts(b, s, began.Add(time.Hour))
	b.Logf("the texts were cached in %v", time.Since(began))
	for _, bench := range []struct{ name, query string }{
		{"everything", "kumquat"}, {"prompt", "role:prompt kumquat"}, {"output", "persimmon"}, {"phrase", `"kumquat tree"`},
		{"nothing", "zzyzx"}, {"regexp", "re:persim+on"}, {"common", "branch session"}, {"failed", "is:failed role:output kumquat"},
	} {
		q := parse(b, bench.query)
		b.Run("all/"+bench.name, func(b *testing.B) {
			hits := 0
			for b.Loop() {
				hits = 0
				if err := s.Search(ctx, q, func(e Event) error {
					if e.Result != nil {
						hits += len(e.Result.Hits)
					}
					return nil
				}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(hits), "hits")
		})
		b.Run("cached/"+bench.name, func(b *testing.B) {
			for b.Loop() {
				if err := cached.Search(ctx, q, func(Event) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("first/"+bench.name, func(b *testing.B) {
			for b.Loop() {
				if err := s.Search(ctx, q, func(e Event) error {
					if e.Result != nil {
						return errStop
					}
					return nil
				}); err != nil && err != errStop {
					b.Fatal(err)
				}
			}
		})
	}
}

// writeRareSession writes a session with a rare word in a prompt and another in the output
// of a tool.
func writeRareSession(b *testing.B, path string, i int) {
	write(b, path,
		fmt.Sprintf(`{"type":"session","version":3,"id":"rare-%d","timestamp":"2026-05-01T08:00:00.000Z","cwd":"/w"}`, i),
		fmt.Sprintf(`{"type":"message","id":"a%d","parentId":null,"timestamp":"2026-05-01T08:00:00.000Z","message":{"role":"user","content":"plant a Kumquat tree"}}`, i),
		fmt.Sprintf(`{"type":"message","id":"b%d","parentId":"a%d","timestamp":"2026-05-01T08:00:00.000Z","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"bash","arguments":{"command":"ls"}}]}}`, i, i),
		fmt.Sprintf(`{"type":"message","id":"d%d","parentId":"b%d","timestamp":"2026-05-01T08:00:00.000Z","message":{"role":"toolResult","toolCallId":"c","toolName":"bash","content":[{"type":"text","text":"persimmon.txt"}],"isError":false}}`, i, i))
	if i > 0 {
		return
	}
	if err := os.Chtimes(path, oldTime, oldTime); err != nil {
		b.Fatal(err)
	}
}
