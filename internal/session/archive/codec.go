package archive

import (
	"crypto/sha256"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// encoder compresses segments. Several goroutines may use it.
var encoder = sync.OnceValue(func() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(MaxSegment), zstd.WithLowerEncoderMem(true), zstd.WithEncoderCRC(false))
	if err != nil {
		panic(err) // the options are valid
	}
	return e
})

// decoder decompresses segments. Several goroutines may use it.
var decoder = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(2*MaxSegment))
	if err != nil {
		panic(err) // the options are valid
	}
	return d
})

// Compress compresses the bytes of a segment.
func Compress(raw []byte) []byte { return encoder().EncodeAll(raw, nil) }

// Decompress returns the bytes of a segment at off that has n of them with that SHA-256. The
// error is ErrDamaged if the compressed bytes are others.
func Decompress(compressed []byte, off int64, n int, sum [sha256.Size]byte) ([]byte, error) {
	if n < 0 || n > MaxSegment {
		return nil, fmt.Errorf("%d bytes from %d: %w", n, off, ErrDamaged)
	}
	return decompressBytes(&frameHeader{off: off, rawLen: uint32(n), sum: sum}, compressed)
}

// decompressBytes returns the bytes of a frame's payload and verifies them.
func decompressBytes(f *frameHeader, payload []byte) ([]byte, error) {
	raw, err := decoder().DecodeAll(payload, make([]byte, 0, f.rawLen))
	if err != nil {
		return nil, fmt.Errorf("bytes from %d: %w: %w", f.off, err, ErrDamaged)
	}
	return raw, f.verifyBytes(raw)
}
