package finder

import (
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
	"sessiontree/internal/testgen/workload"
	"sessiontree/internal/web/view"
)

// firstWrite notes when hits are first written.
type firstWrite struct {
	lines int
	first time.Time
}

func (w *firstWrite) Write(b []byte) (int, error) {
	if w.lines++; w.lines == 2 { // after the start line
		w.first = time.Now()
	}
	return len(b), nil
}

// BenchmarkWriteHits searches 106 MB. It reports when the first hits are written.
func BenchmarkWriteHits(b *testing.B) {
	path := filepath.Join(b.TempDir(), "large.jsonl")
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := workload.WriteSession(file, workload.Spec{Seed: 1, Cwd: "/src", Start: time.Unix(1_770_000_000, 0), Bytes: 106 << 20, Branches: 200}); err != nil {
		b.Fatal(err)
	}
	if err := file.Close(); err != nil {
		b.Fatal(err)
	}
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{filepath.Dir(path)}})
	if err != nil {
		b.Fatal(err)
	}
	sess, err := lib.Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	for name, query := range map[string]string{"rare": "zebra", "everywhere": "the", "in most": "return"} {
		b.Run(name, func(b *testing.B) {
			var toFirst time.Duration
			for b.Loop() {
				began, w := time.Now(), &firstWrite{}
				if err := NewCache().WriteHits(b.Context(), struct{ io.Writer }{w}, func() {}, Request{Session: sess, Config: view.Config{}, Text: query}); err != nil {
					b.Fatal(err)
				}
				if !w.first.IsZero() {
					toFirst += w.first.Sub(began)
				}
			}
			b.ReportMetric(float64(toFirst.Milliseconds())/float64(b.N), "ms-to-first")
		})
	}
}
