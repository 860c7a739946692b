package textcache

import (
	"os"
	"slices"

	"sessiontree/internal/session/safefile"
)

// windowSize is how many bytes of heads are read at once.
const windowSize = 64 << 10

// Buffer holds what was read of the texts of a session. It can be used again for another one, which
// is faster if that one was added next to it.
type Buffer struct {
	Filter []byte  // as it was stored; valid until the buffer is used again
	Blocks []Block // of the texts

	window []byte // part of a file
	start  int64  // of the window
	file   *os.File
}

// read returns n bytes of a file, and reads those after them too, as far as they are heads.
func (buf *Buffer) read(f *os.File, start int64, n int, headsEnd int64) ([]byte, error) {
	if at := start - buf.start; f == buf.file && at >= 0 && at+int64(n) <= int64(len(buf.window)) {
		return buf.window[at:][:n], nil
	}
	size := max(n, int(min(windowSize, headsEnd-start)))
	window := slices.Grow(buf.window[:0], size)[:size]
	buf.file = nil // until the window is valid
	if err := safefile.ReadFull(f, window, start); err != nil {
		return nil, err
	}
	buf.window, buf.start, buf.file = window, start, f
	return window[:n], nil
}
