package archivetest

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"sessiontree/internal/session/archive"
)

// Lines returns about n bytes of lines that look like those of a session.
func Lines(r *rand.Rand, n int) []byte {
	var b bytes.Buffer
	for b.Len() < n {
		fmt.Fprintf(&b, `{"id":"%08x","type":"message","text":"`, r.Uint32())
		for range r.IntN(60) {
			fmt.Fprintf(&b, "word%d ", r.IntN(500))
		}
		b.WriteString("\"}\n")
	}
	return b.Bytes()[:n]
}

// modTime is a time of a file that every implementation can store.
func modTime(n int) time.Time { return time.Unix(1_700_000_000+int64(n), 123_456_789) }

// chainOf returns the chain of bytes.
func chainOf(b []byte) archive.Chain { return archive.Chain(sha256.Sum256(b)) }

// Next returns the segment that appends data to a generation that has the bytes before.
func Next(path string, generation int, before, data []byte) archive.Segment {
	return archive.Segment{Path: path, Generation: generation, Off: int64(len(before)), Before: chainOf(before), Data: data, ModTime: modTime(len(before) + len(data))}
}

// appendAll stores data in segments of at most size bytes.
func appendAll(t testing.TB, s archive.Store, path string, generation int, data []byte, size int) (head archive.Head) {
	t.Helper()
	for off := 0; off < len(data) || off == 0; {
		end := min(off+size, len(data))
		var err error
		if head, err = s.Append(ctx, Next(path, generation, data[:off], data[off:end])); err != nil {
			t.Fatal(err)
		}
		if off = end; end == 0 {
			break
		}
	}
	return head
}

// wantContent fails unless a generation has these bytes, however they are read.
func wantContent(t testing.TB, s archive.Store, path string, generation int, want []byte) {
	t.Helper()
	f, err := s.OpenGeneration(ctx, path, generation)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() != int64(len(want)) || info.Mode() != 0o600 {
		t.Fatalf("%s: size %d, mode %v, %v; want %d bytes", path, info.Size(), info.Mode(), err, len(want))
	}
	got, err := io.ReadAll(f)
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("%s generation %d: %d bytes, want %d; %v", path, generation, len(got), len(want), err)
	}
}

func wantHead(t testing.TB, got archive.Head, generation int, content []byte) {
	t.Helper()
	if got.Generation != generation || got.End != int64(len(content)) || got.Chain != chainOf(content) || got.Stored <= 0 {
		t.Fatalf("head %+v, want generation %d with %d bytes", got, generation, len(content))
	}
}

func wantNotStored(t testing.TB, s archive.Store, path string, generation int) {
	t.Helper()
	if f, err := s.OpenGeneration(ctx, path, generation); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("generation %d of %s: %v, %v", generation, path, f, err)
	}
	heads, err := s.Heads(ctx, path)
	if err != nil || slices.ContainsFunc(heads, func(h archive.Head) bool { return h.Generation == generation }) {
		t.Errorf("heads of %s: %v, %v", path, heads, err)
	}
}

func testSmallSegments(t *testing.T, open Opener) {
	data := Lines(rand.New(rand.NewPCG(7, 8)), 400_000)
	head := appendAll(t, open(), "/a", 1, data, 997)
	wantHead(t, head, 1, data)
	wantContent(t, open(), "/a", 1, data)
	if limit := int64(len(data)) / 2; head.Stored > limit {
		t.Errorf("%d bytes take %d, want at most %d", len(data), head.Stored, limit)
	}
}

func testLongFile(t *testing.T, open Opener) {
	r := rand.New(rand.NewPCG(9, 10))
	data := Lines(r, 7*archive.MaxSegment+12345)
	appendAll(t, open(), "/a", 1, data, 700_001)
	wantContent(t, open(), "/a", 1, data)
	f, err := open().OpenGeneration(ctx, "/a", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := iotest.TestReader(io.NewSectionReader(f, 900_000, 300_000), data[900_000:1_200_000]); err != nil {
		t.Error(err)
	}
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			r := rand.New(rand.NewPCG(uint64(worker), 1))
			for range 60 {
				off, buf := r.Int64N(int64(len(data))), make([]byte, r.IntN(1<<17))
				n, err := f.ReadAt(buf, off)
				if want := data[off:min(int(off)+len(buf), len(data))]; !bytes.Equal(buf[:n], want) || n < len(buf) && err != io.EOF {
					t.Errorf("ReadAt(%d, %d) = %d, %v", len(buf), off, n, err)
				}
			}
		})
	}
	group.Wait()
}
