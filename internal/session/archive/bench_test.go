package archive_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"sessiontree/internal/session/archive"
	"sessiontree/internal/testgen/workload"
)

// storeSession stores a realistic session of about n bytes, in segments that end after a line.
func storeSession(tb testing.TB, d *archive.Dir, path string, entries int) int64 {
	tb.Helper()
	original := filepath.Join(tb.TempDir(), "session.jsonl")
	f, err := os.Create(original)
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := workload.WriteClaudeSession(f, workload.Spec{Seed: 1, Cwd: "/p", Start: time.Unix(1_700_000_000, 0), Entries: entries}); err != nil {
		tb.Fatal(err)
	}
	f.Close()
	text, err := os.ReadFile(original)
	if err != nil {
		tb.Fatal(err)
	}
	h := archive.Head{Generation: 1, Chain: archive.EmptyChain}
	for h.End < int64(len(text)) {
		data := text[h.End:min(h.End+archive.MaxSegment, int64(len(text)))]
		if h, err = d.Append(ctx, archive.Segment{Path: path, Generation: 1, Off: h.End, Before: h.Chain, Data: data, ModTime: time.Unix(1, 0)}); err != nil {
			tb.Fatal(err)
		}
	}
	return h.End
}

// Reading a long session from the archive, opened for each run.
func BenchmarkFile(b *testing.B) {
	d := archive.NewDir(b.TempDir())
	size := storeSession(b, d, "/a", 30_000)
	b.Run("in order", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			f, err := d.OpenFile("/a")
			if err != nil {
				b.Fatal(err)
			}
			if n, err := io.Copy(io.Discard, f); err != nil || n != size {
				b.Fatal(n, err)
			}
			f.Close()
		}
	})
	b.Run("blocks in parallel", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			readBlocks(b, d, size)
		}
	})
}

// readBlocks reads a file in blocks, on two goroutines that take turns.
func readBlocks(b *testing.B, d *archive.Dir, size int64) {
	f, err := d.OpenFile("/a")
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	const block = 256 << 10
	var group sync.WaitGroup
	for worker := range int64(2) {
		group.Go(func() {
			buf := make([]byte, block)
			for off := worker * block; off < size; off += 2 * block {
				if n, err := f.ReadAt(buf, off); int64(n) < min(block, size-off) {
					b.Error(n, err)
				}
			}
		})
	}
	group.Wait()
}

// What a list of 20,000 files needs: the list is read once, and then asked for each file.
func BenchmarkDir_list(b *testing.B) {
	dir := b.TempDir()
	d := archive.NewDir(dir)
	const files = 20_000
	for i := range files {
		putFast(b, d, fmt.Sprintf("/projects/%d/%d.jsonl", i%200, i))
	}
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			if !archive.NewDir(dir).Has("/projects/0/0.jsonl") {
				b.Fatal("not there")
			}
		}
	})
	b.Run("stat", func(b *testing.B) {
		for b.Loop() {
			for i := range files {
				if _, err := d.Stat(fmt.Sprintf("/projects/%d/%d.jsonl", i%200, i)); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("read directories", func(b *testing.B) {
		for b.Loop() {
			for i := range 200 {
				if entries, err := d.ReadDir(fmt.Sprint("/projects/", i)); err != nil || len(entries) != files/200 {
					b.Fatal(len(entries), err)
				}
			}
		}
	})
}

// putFast stores a small file.
func putFast(tb testing.TB, d *archive.Dir, path string) {
	if _, err := d.Append(ctx, archive.Segment{Path: path, Generation: 1, Before: archive.EmptyChain, Data: []byte("{}\n"), ModTime: time.Unix(1, 0)}); err != nil {
		tb.Fatal(err)
	}
}
