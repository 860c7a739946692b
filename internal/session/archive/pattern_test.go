package archive_test

import (
	"context"
	"math/rand/v2"

	"sessiontree/internal/session/archive/archivetest"
)

var ctx = context.Background()

// pattern is repeated in the files of a writer. Its length is not that of a segment.
var pattern = archivetest.Lines(rand.New(rand.NewPCG(1, 1)), 1_000_003)

// patternAt returns n bytes of a file from an offset.
func patternAt(off, n int64) []byte {
	b := make([]byte, 0, n)
	for int64(len(b)) < n {
		b = append(b, pattern[(off+int64(len(b)))%int64(len(pattern)):]...)
	}
	return b[:n]
}
