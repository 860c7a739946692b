package store

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

// TestPart_FileShorterThanItWas reads files that shrank after their size was
// taken, serially and in parallel; the race detector watches.
func TestPart_FileShorterThanItWas(t *testing.T) {
	line := strings.Replace(userLine, "%", strings.Repeat("x", 1000), 1)
	for _, n := range []int{0, 10, 6000} {
		data := headLine + strings.Repeat(line, n)
		for _, more := range []int64{1, 1000, 4 << 20} {
			r := newReading(format.All[0], "")
			if err := r.part(t.Context(), bytes.NewReader([]byte(data)), int64(len(data))+more); err != nil {
				t.Fatal(err)
			}
			if len(r.entries) != n || r.off != int64(len(data)) || r.line != int32(n+1) {
				t.Errorf("%d lines, %d bytes more: %d entries up to %d, line %d", n, more, len(r.entries), r.off, r.line)
			}
		}
	}
}
