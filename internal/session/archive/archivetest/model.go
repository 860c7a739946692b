package archivetest

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"sessiontree/internal/session/archive"
)

// model is what an archive should have: the content of each generation, nil if it was
// deleted.
type model struct {
	t      *testing.T
	open   Opener
	prefix string
	files  map[string][][]byte
}

// step makes one change.
func (m *model) step(r *rapid.T) {
	path := m.prefix + rapid.SampledFrom([]string{"a", "b", "dir/c"}).Draw(r, "path")
	all := m.files[path]
	data := Lines(rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 1)), rapid.SampledFrom([]int{1, 40, 900, 40_000, 300_000}).Draw(r, "size"))
	switch op := rapid.IntRange(0, 9).Draw(r, "op"); {
	case len(all) == 0 || op == 0:
		m.append(path, len(all)+1, nil, data)
	case op == 1 && all[len(all)-1] != nil:
		if err := m.open().DeleteGeneration(ctx, path, len(all)-1); err != nil {
			m.t.Fatal(err)
		}
		if len(all) > 1 {
			all[len(all)-2] = nil
		}
	case op == 2:
		if err := m.open().DeleteFile(ctx, path); err != nil {
			m.t.Fatal(err)
		}
		delete(m.files, path)
	case op == 3:
		m.refuse(path, len(all), all[len(all)-1], data)
	default:
		m.append(path, len(all), all[len(all)-1], data)
	}
}

func (m *model) append(path string, generation int, before, data []byte) {
	head, err := m.open().Append(ctx, Next(path, generation, before, data))
	if err != nil {
		m.t.Fatal(err)
	}
	now := append(bytes.Clone(before), data...)
	wantHead(m.t, head, generation, now)
	if generation > len(m.files[path]) {
		m.files[path] = append(m.files[path], now)
		return
	}
	m.files[path][generation-1] = now
}

// refuse appends something that does not continue the bytes before.
func (m *model) refuse(path string, generation int, before, data []byte) {
	var conflict *archive.ConflictError
	_, err := m.open().Append(ctx, Next(path, generation, append(bytes.Clone(before), 'x'), data))
	if !errors.As(err, &conflict) || conflict.Head.End != int64(len(before)) {
		m.t.Fatalf("%v, want a conflict with %d", err, len(before))
	}
}

// compare fails unless the archive has what the model has.
func (m *model) compare() {
	for path, all := range m.files {
		for i, content := range all {
			if content == nil {
				wantNotStored(m.t, m.open(), path, i+1)
				continue
			}
			wantContent(m.t, m.open(), path, i+1, content)
		}
	}
	listed := 0
	err := m.open().ListFiles(ctx, func(path string, _ []archive.Head) error {
		if strings.HasPrefix(path, m.prefix) {
			listed++
		}
		return nil
	})
	if err != nil || listed != len(m.files) {
		m.t.Fatalf("%d files are listed, want %d; %v", listed, len(m.files), err)
	}
}

// testReaders reads a file while it grows: each time it has some of the appended bytes, and
// at least those that were acknowledged.
func testReaders(t *testing.T, open Opener) {
	data := Lines(rand.New(rand.NewPCG(11, 12)), 3*archive.MaxSegment)
	var mu sync.Mutex
	acknowledged, done := 0, make(chan struct{})
	go func() {
		defer close(done)
		s := open()
		for off := 0; off < len(data); {
			end := min(off+50_000, len(data))
			if _, err := s.Append(ctx, Next("/a", 1, data[:off], data[off:end])); err != nil {
				t.Error(err)
				return
			}
			off = end
			mu.Lock()
			acknowledged = end
			mu.Unlock()
		}
	}()
	s := open()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		mu.Lock()
		least := acknowledged
		mu.Unlock()
		if least > 0 {
			wantPrefix(t, s, data, least)
		}
	}
	wantContent(t, s, "/a", 1, data)
}

// wantPrefix fails unless the file /a has the first bytes of data, at least so many.
func wantPrefix(t *testing.T, s archive.Store, data []byte, least int) {
	t.Helper()
	f, err := s.OpenGeneration(ctx, "/a", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() < int64(least) {
		t.Fatalf("size %d, %v; %d bytes were acknowledged", info.Size(), err, least)
	}
	got := make([]byte, info.Size())
	if n, err := f.ReadAt(got, 0); n < len(got) || !bytes.Equal(got, data[:len(got)]) {
		t.Fatalf("read %d of %d bytes, %v", n, len(got), err)
	}
}

// testWriters appends the same segments from several writers. Each of them succeeds, or has a
// conflict that says where to continue.
func testWriters(t *testing.T, open Opener) {
	data := Lines(rand.New(rand.NewPCG(13, 14)), 200_000)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			s := open()
			for off := 0; off < len(data); {
				end := min(off+5000, len(data))
				head, err := s.Append(ctx, Next("/a", 1, data[:off], data[off:end]))
				var conflict *archive.ConflictError
				switch {
				case err == nil:
					off = max(end, int(head.End))
				case errors.As(err, &conflict) && conflict.Head.End > int64(off):
					off = int(conflict.Head.End)
				default:
					t.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	wantContent(t, open(), "/a", 1, data)
}
