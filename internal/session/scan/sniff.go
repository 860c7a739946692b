package scan

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"sessiontree/internal/session"
)

// SniffSize is how many bytes decide the format of a file.
const SniffSize = 64 << 10

// SniffLines is how many lines decide it at most: formats look at 16 that they can read.
const SniffLines = 64

// headerSize is how many bytes are read for a header, unless it is longer.
const headerSize = 4 << 10

var headPool = sync.Pool{New: func() any { return new([SniffSize]byte) }}

// SniffFormat returns the format of a file, session.ErrNoSession if it is none of formats.
func SniffFormat(formats []*session.Format, f io.ReaderAt, path string) (*session.Format, error) {
	head := headPool.Get().(*[SniffSize]byte)
	defer headPool.Put(head)
	buf := head[:]
	n, err := f.ReadAt(buf, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if n == 0 {
		return nil, fmt.Errorf("%s: the file is empty: %w", path, session.ErrNoSession)
	}
	for _, format := range formats {
		if format.Sniff(buf[:n]) {
			return format, nil
		}
	}
	return nil, fmt.Errorf("%s: %w: no session header in the first line", path, session.ErrNoSession)
}

// WithHead calls use with the first bytes of a file, at most SniffSize. use must not keep
// them.
func WithHead(f io.ReaderAt, use func(head []byte)) {
	head := headPool.Get().(*[SniffSize]byte)
	defer headPool.Put(head)
	n, _ := f.ReadAt(head[:], 0) // a file that cannot be read is empty
	use(head[:n])
}

// ReadFirstLine reads the first line of a file, or its first SniffSize bytes.
func ReadFirstLine(f io.ReaderAt) []byte {
	for size := headerSize; ; size = SniffSize {
		head := make([]byte, size)
		n, _ := f.ReadAt(head, 0) // a file that cannot be read has no header
		line, _, ended := bytes.Cut(bytes.TrimLeft(bytes.TrimPrefix(head[:n], BOM), " \t\r\n"), newline)
		if ended || n < size || size == SniffSize {
			return line
		}
	}
}
