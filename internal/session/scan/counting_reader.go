package scan

import (
	"io"
	"sync/atomic"
)

// CountingReader counts the bytes that are read from a file.
type CountingReader struct {
	File io.ReaderAt
	Size int64 // of the file

	read atomic.Int64
}

// ReadAt implements io.ReaderAt.
func (c *CountingReader) ReadAt(b []byte, off int64) (int, error) {
	n, err := c.File.ReadAt(b, off)
	c.read.Add(int64(n))
	return n, err
}

// BytesRead returns how many bytes were read. Other goroutines may still read.
func (c *CountingReader) BytesRead() int64 { return c.read.Load() }
