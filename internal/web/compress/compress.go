// Package compress compresses responses. Compression matters for remote clients only, and
// many responses are written at the same time, so it costs little time and memory.
package compress

import (
	"bufio"
	"io"
	"net/http"
	"sync"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzhttp/writer"
	"github.com/klauspost/compress/gzip"
)

// minSize is the smallest response worth compressing; less fits into a packet or two.
const minSize = 2 << 10

// blockSize is how much is compressed at a time. With less, the output becomes larger.
const blockSize = 128 << 10

// NewMiddleware returns middleware that compresses responses with gzip if the client
// accepts that.
func NewMiddleware() (func(http.Handler) http.HandlerFunc, error) {
	return gzhttp.NewWrapper(gzhttp.MinSize(minSize), gzhttp.EnableZstd(false), gzhttp.Implementation(writer.GzipWriterFactory{
		Levels: func() (least, most int) { return gzip.StatelessCompression, gzip.BestCompression },
		New:    func(w io.Writer, _ int) writer.GzipWriter { return newBlockWriter(w) },
	}))
}

// blockWriter compresses block by block. It keeps no state between them, which would take
// 1.2 MB for each response; the output is about 3 % larger.
type blockWriter struct {
	block *bufio.Writer
	gzip  *gzip.Writer
}

var blockWriters = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, gzip.StatelessCompression) // fails only for an unknown level
	return &blockWriter{bufio.NewWriterSize(nil, blockSize), z}
}}

func newBlockWriter(w io.Writer) *blockWriter {
	b := blockWriters.Get().(*blockWriter)
	b.gzip.Reset(w)
	b.block.Reset(b.gzip)
	return b
}

func (b *blockWriter) Write(p []byte) (int, error) { return b.block.Write(p) }

// Flush compresses what was written so far.
func (b *blockWriter) Flush() error { return b.block.Flush() }

// Close ends the response. The writer must not be used afterwards.
func (b *blockWriter) Close() error {
	err := b.block.Flush()
	if err == nil {
		err = b.gzip.Close()
	}
	b.gzip.Reset(nil) // the pool must not keep the connection
	b.block.Reset(b.gzip)
	blockWriters.Put(b)
	return err
}
