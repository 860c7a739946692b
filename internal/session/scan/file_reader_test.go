package scan

import (
	"bytes"
	"strings"
	"testing"

	"sessiontree/internal/session/format"
)

const (
	headLine = `{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/x"}` + "\n"
	userLine = `{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"%"}}` + "\n"
)

// TestReadTo_FileShorterThanItWas reads files that shrank after their size was taken,
// serially and in parallel, for the race detector.
func TestReadTo_FileShorterThanItWas(t *testing.T) {
	line := strings.Replace(userLine, "%", strings.Repeat("x", 1000), 1)
	for _, n := range []int{0, 10, 6000} {
		data := headLine + strings.Repeat(line, n)
		for _, more := range []int64{1, 1000, 4 << 20} {
			r := NewReader(format.All[0], "", Options{})
			if err := r.ReadTo(t.Context(), bytes.NewReader([]byte(data)), int64(len(data))+more); err != nil {
				t.Fatal(err)
			}
			if len(r.AllEntries()) != n || r.off != int64(len(data)) || r.line != int32(n+1) {
				t.Errorf("%d lines, %d bytes more: %d entries up to %d, line %d", n, more, len(r.AllEntries()), r.off, r.line)
			}
		}
	}
}

// TestSkipLongLine_Memory reads a line far over the limit, none of which may be kept.
func TestSkipLongLine_Memory(t *testing.T) {
	src := &blockSource{f: endless{}, end: 1 << 30, maxLineSize: 2 * blockSize}
	b := &block{}
	if err := src.nextBlock(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	if b.endOffset() != 1<<30 || len(b.buf) != 2*edgeSize || cap(b.buf) > 2*blockSize || len(src.carry) != 0 {
		t.Errorf("block to %d keeps %d of %d bytes, %d left", b.endOffset(), len(b.buf), cap(b.buf), len(src.carry))
	}
}

// endless is a file of one line.
type endless struct{}

func (endless) ReadAt(b []byte, _ int64) (int, error) {
	clear(b)
	return len(b), nil
}
