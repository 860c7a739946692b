package compress_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"sessiontree/internal/web/compress"
)

func compressed(t testing.TB, h http.HandlerFunc) http.Handler {
	t.Helper()
	zip, err := compress.NewMiddleware()
	if err != nil {
		t.Fatal(err)
	}
	return zip(h)
}

func request() *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("Accept-Encoding", "gzip")
	return r
}

// Whatever the sizes of the writes, a client reads what was written.
func TestMiddleware_RandomWrites(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(0, 100_000), 0, 5).Draw(rt, "sizes")
		flush := rapid.Bool().Draw(rt, "flush")
		rng := rand.New(rand.NewPCG(1, uint64(len(sizes))))
		var want bytes.Buffer
		h := compressed(t, func(w http.ResponseWriter, _ *http.Request) {
			for _, n := range sizes {
				part := make([]byte, n)
				for i := range part {
					part[i] = "abcdefgh \n"[rng.IntN(10)]
				}
				want.Write(part)
				if _, err := w.Write(part); err != nil {
					rt.Error(err)
				}
				if flush {
					_ = http.NewResponseController(w).Flush()
				}
			}
		})
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, request())
		var body io.Reader = rec.Body
		if rec.Header().Get("Content-Encoding") == "gzip" {
			var err error
			if body, err = gzip.NewReader(rec.Body); err != nil {
				rt.Fatal(err)
			}
		} else if want.Len() > 4096 && !flush {
			rt.Errorf("%d bytes are not compressed", want.Len())
		}
		if got, err := io.ReadAll(body); err != nil || !bytes.Equal(got, want.Bytes()) {
			rt.Errorf("read %d bytes, want %d; %v", len(got), want.Len(), err)
		}
	})
}

// A flushed line reaches the client before the response ends.
func TestMiddleware_Flush(t *testing.T) {
	first := strings.Repeat("first ", 1000) + "\n"
	end := make(chan struct{})
	srv := httptest.NewServer(compressed(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, first)
		_ = http.NewResponseController(w).Flush()
		<-end
	}))
	defer srv.Close()
	defer close(end) // before Close, which waits for the handler
	r, err := http.NewRequest(http.MethodGet, srv.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept-Encoding", "gzip")
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	z, err := gzip.NewReader(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(z).ReadString('\n'); err != nil || line != first {
		t.Errorf("read %d bytes, %v; want %d", len(line), err, len(first))
	}
}

// Of many responses at the same time, a few are compressed with state, which makes them smaller.
// Each is whole, and when they have ended, the next one is compressed with state again.
func TestMiddleware_ManyAtOnce(t *testing.T) {
	page := testPage()
	alone := compressedSize(t, page, func() {})
	var started, all sync.WaitGroup
	sizes := make([]int, runtime.GOMAXPROCS(0)+5)
	started.Add(len(sizes))
	for i := range sizes {
		all.Go(func() {
			sizes[i] = compressedSize(t, page, func() { started.Done(); started.Wait() })
		})
	}
	all.Wait()
	slices.Sort(sizes)
	if limit := len(sizes) - 5; sizes[limit-1] != alone || sizes[limit] <= alone {
		t.Errorf("compressed to %v bytes, want %d times %d, as alone, and 5 times more", sizes, limit, alone)
	}
	if again := compressedSize(t, page, func() {}); again != alone {
		t.Errorf("compressed to %d bytes after that, want %d", again, alone)
	}
}

// compressedSize returns the size of page when it is compressed. It calls wait within the response.
func compressedSize(t *testing.T, page []byte, wait func()) int {
	t.Helper()
	rec := httptest.NewRecorder()
	compressed(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(page)
		wait()
	}).ServeHTTP(rec, request())
	size := rec.Body.Len()
	z, err := gzip.NewReader(rec.Body)
	if err != nil {
		t.Error(err)
		return 0
	}
	if got, err := io.ReadAll(z); err != nil || !bytes.Equal(got, page) {
		t.Errorf("read %d bytes, want %d; %v", len(got), len(page), err)
	}
	return size
}

// testPage returns a page of 3,000 rows with words of different lengths.
func testPage() []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	for i := range 3000 {
		fmt.Fprintf(&b, "<div class=\"row\" data-id=\"c%07x\"><span>entry %d of %x</span></div>\n", rng.Uint32(), i, rng.Uint64N(1<<(i%60)))
	}
	return b.Bytes()
}

// BenchmarkMiddleware writes a page to 32 clients at a time.
func BenchmarkMiddleware(b *testing.B) {
	page := testPage()
	h := compressed(b, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(page) })
	b.ReportAllocs()
	for b.Loop() {
		var all sync.WaitGroup
		for range 32 {
			all.Go(func() { h.ServeHTTP(discard{http.Header{}}, request()) })
		}
		all.Wait()
	}
}

// discard is a response that nobody reads.
type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(p []byte) (int, error) { return len(p), nil }
func (d discard) WriteHeader(int)             {}
