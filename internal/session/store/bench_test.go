package store_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// large writes a session of n entries with lines as long as in real transcripts:
// prompts, answers with calls, results of two to four thousand bytes.
func large(b *testing.B, n int) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "large.jsonl")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriter(f)
	code := strings.Repeat(`if err != nil {\n\t\treturn fmt.Errorf(\"open %s: %w\", path, err)\n\t}\n`, 60)
	fmt.Fprint(w, header)
	for i := range n {
		parent := "null"
		if i > 0 {
			parent = fmt.Sprintf(`"%08x"`, i-1-i%101/100*min(i-1, 40)) // every hundredth continues an earlier entry
		}
		fmt.Fprintf(w, `{"type":"message","id":"%08x","parentId":%s,"timestamp":"2026-01-02T03:04:%02d.%03dZ","message":`, i, parent, i/1000%60, i%1000)
		switch i % 10 {
		case 0:
			fmt.Fprintf(w, `{"role":"user","content":[{"type":"text","text":"prompt %d: %s"}],"timestamp":1767323046000}}`, i, code[:300])
		case 1, 3, 5, 7, 9:
			fmt.Fprintf(w, `{"role":"assistant","content":[{"type":"text","text":"%s"},{"type":"toolCall","id":"toolu_%d","name":"read","arguments":{"path":"/home/dev/p/main.go","offset":%d}}],"provider":"p","model":"m-1","usage":{"input":1,"output":2,"cacheRead":3,"cacheWrite":4,"totalTokens":10,"cost":{"input":0.1,"output":0.1,"cacheRead":0.1,"cacheWrite":0.1,"total":0.4}},"stopReason":"toolUse","timestamp":1767323046000}}`, code[:900], i, i)
		default:
			fmt.Fprintf(w, `{"role":"toolResult","toolCallId":"toolu_%d","toolName":"read","content":[{"type":"text","text":"%s"}],"isError":false,"timestamp":1767323046000}}`, i-1, code[:2000+i%13*170])
		}
		fmt.Fprintln(w)
	}
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		b.Fatal(err)
	}
	return path
}

// BenchmarkOpen reads 50,000 entries in some 106 MB to the finished tree, with a warm
// page cache. It reports the memory of the session.
func BenchmarkOpen(b *testing.B) {
	path := large(b, 50_000)
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	before := live()
	var s *store.Session
	for b.Loop() {
		if s, err = library(b, filepath.Dir(path)).Open(ctx, path); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(live()-before)/(1<<20), "MB-kept")
	runtime.KeepAlive(s)
}

func live() uint64 {
	runtime.GC()
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// BenchmarkRefresh appends a line and refreshes: the cost must not depend on the size
// of the file.
func BenchmarkRefresh(b *testing.B) {
	for _, entries := range []int{200, 50_000} {
		b.Run(fmt.Sprintf("entries=%d", entries), func(b *testing.B) {
			path := large(b, entries)
			s := open(b, path)
			last, n := fmt.Sprintf("%08x", entries-1), 0
			for b.Loop() {
				n++
				id := fmt.Sprintf("n%d", n)
				add(b, path, user(id, last, "one more"))
				c, err := s.Refresh(ctx)
				if err != nil || c.Entries != 1 {
					b.Fatal(c, err)
				}
				last = id
			}
		})
	}
}

// BenchmarkSearch searches 106 MB for two words, one of them frequent.
func BenchmarkSearch(b *testing.B) {
	path := large(b, 50_000)
	s := open(b, path)
	for name, query := range map[string]string{"rare": "prompt 4711:", "everywhere": "return", "nowhere": "xylophone"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Search(ctx, query); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkBodies reads a page of fifty bodies.
func BenchmarkBodies(b *testing.B) {
	s := open(b, large(b, 50_000))
	page := make([]session.Pos, 50)
	for i := range page {
		page[i] = session.Pos(40_000 + i)
	}
	for b.Loop() {
		if _, err := s.ReadBodies(ctx, page); err != nil {
			b.Fatal(err)
		}
	}
}
