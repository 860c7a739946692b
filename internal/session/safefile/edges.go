package safefile

import (
	"crypto/sha256"
	"errors"
	"io"
)

// edgeSize is how many bytes HashEdges reads at the start of a file and before the end.
const edgeSize = 4 << 10

// HashEdges hashes the first bytes of a file and those before end. A file whose edges are the
// same was most likely only appended to. If it is shorter than end, the hash is zero.
func HashEdges(f io.ReaderAt, end int64) (sum [sha256.Size]byte, err error) {
	size := min(edgeSize, end)
	b := make([]byte, 2*size)
	if err := errors.Join(ReadFull(f, b[:size], 0), ReadFull(f, b[size:], end-size)); err != nil {
		return sum, IgnoreError(err, io.ErrUnexpectedEOF)
	}
	return sha256.Sum256(b), nil
}

// HasNewEdges reports whether a file was rewritten since HashEdges returned edges for the same end,
// as far as they tell. It is true if the file was shorter than end.
func HasNewEdges(f io.ReaderAt, end int64, edges [sha256.Size]byte) (bool, error) {
	now, err := HashEdges(f, end)
	return now != edges || now == [sha256.Size]byte{}, err
}
