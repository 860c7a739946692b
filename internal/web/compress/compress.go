// Package compress compresses responses. Compression matters for remote clients only, so it
// costs little time, and little memory when many responses are written at the same time.
package compress

import (
	"bufio"
	"io"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"

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

// statefulLevel is the compression of long responses: the page of a session becomes a sixth smaller than
// without state between blocks. That takes twice the time, and four times for a short response.
const statefulLevel = 5

// minStateful is the size of the first block from which a response is long.
const minStateful = 64 << 10

// maxStateful is how many responses are compressed at that level at the same time: as many as
// there are processors, because the state of each takes 1.2 MB.
var maxStateful = int32(runtime.GOMAXPROCS(0))

// stateful is the number of responses that are compressed at that level now.
var stateful atomic.Int32

var statefulWriters, statelessWriters = newGzipPool(statefulLevel), newGzipPool(gzip.StatelessCompression)

func newGzipPool(level int) *sync.Pool {
	return &sync.Pool{New: func() any {
		z, _ := gzip.NewWriterLevel(nil, level) // fails only for an unknown level
		return z
	}}
}

// encoder compresses blocks of a response. The first one decides whether it keeps state between
// them.
type encoder struct {
	w    io.Writer
	gzip *gzip.Writer // nil before the first block
	pool *sync.Pool   // of gzip
}

// Write compresses a block.
func (e *encoder) Write(block []byte) (int, error) {
	if e.gzip == nil {
		e.chooseGzip(len(block))
	}
	return e.gzip.Write(block)
}

func (e *encoder) chooseGzip(size int) {
	e.pool = statelessWriters
	if size >= minStateful {
		if stateful.Add(1) <= maxStateful {
			e.pool = statefulWriters
		} else {
			stateful.Add(-1)
		}
	}
	e.gzip = e.pool.Get().(*gzip.Writer)
	e.gzip.Reset(e.w)
}

// flush writes what was compressed.
func (e *encoder) flush() error {
	if e.gzip == nil {
		return nil
	}
	return e.gzip.Flush()
}

// close ends the response.
func (e *encoder) close() error {
	if e.gzip == nil {
		e.chooseGzip(0)
	}
	err := e.gzip.Close()
	e.gzip.Reset(nil) // the pool must not keep the connection
	e.pool.Put(e.gzip)
	if e.pool == statefulWriters {
		stateful.Add(-1)
	}
	*e = encoder{}
	return err
}

// blockWriter compresses block by block.
type blockWriter struct {
	block   *bufio.Writer
	encoder encoder
}

var blockWriters = sync.Pool{New: func() any { return &blockWriter{block: bufio.NewWriterSize(nil, blockSize)} }}

func newBlockWriter(w io.Writer) *blockWriter {
	b := blockWriters.Get().(*blockWriter)
	b.encoder = encoder{w: w}
	b.block.Reset(&b.encoder)
	return b
}

func (b *blockWriter) Write(p []byte) (int, error) { return b.block.Write(p) }

// Flush writes all that was written so far, compressed.
func (b *blockWriter) Flush() error {
	if err := b.block.Flush(); err != nil {
		return err
	}
	return b.encoder.flush()
}

// Close ends the response. The writer must not be used afterwards.
func (b *blockWriter) Close() error {
	err := b.block.Flush()
	if closed := b.encoder.close(); err == nil {
		err = closed
	}
	blockWriters.Put(b)
	return err
}
