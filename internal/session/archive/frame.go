package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"time"
)

// frameMagic begins each frame.
var frameMagic = [4]byte{'s', 'x', 'f', '1'}

// frameHeaderSize is the size of an encoded frameHeader.
const frameHeaderSize = 4 + 3*4 + 2*8 + 2*sha256.Size + ChainStateSize + 4

// frameHeader describes a stored segment. Its compressed bytes, the payload, follow it.
type frameHeader struct {
	off        int64 // of the bytes in the file
	rawLen     uint32
	payloadLen uint32
	payloadCRC uint32
	modTime    int64 // of the file, in ns
	sum        [sha256.Size]byte
	chain      Chain // after the segment
	state      ChainState
}

// frame is a stored segment.
type frame struct {
	frameHeader
	payload []byte
}

// newFrame makes a frame of bytes that follow those of state.
func newFrame(off int64, state ChainState, data []byte, modTime time.Time) (frame, error) {
	next, chain, err := state.Extend(data)
	if err != nil {
		return frame{}, err
	}
	return sealFrame(frameHeader{off: off, modTime: modTime.UnixNano(), chain: chain, state: next}, data), nil
}

// sealFrame completes a header with what depends on its bytes.
func sealFrame(h frameHeader, data []byte) frame {
	payload := Compress(data)
	h.rawLen, h.payloadLen, h.payloadCRC, h.sum = uint32(len(data)), uint32(len(payload)), crcOf(payload), sha256.Sum256(data)
	return frame{h, payload}
}

// end returns the offset after the bytes.
func (h *frameHeader) end() int64 { return h.off + int64(h.rawLen) }

// size returns how many bytes the frame takes.
func (h *frameHeader) size() int64 { return frameHeaderSize + int64(h.payloadLen) }

var crcTable = crc32.MakeTable(crc32.Castagnoli)

func crcOf(b []byte) uint32 { return crc32.Checksum(b, crcTable) }

// appendTo appends the encoded frame.
func (f *frame) appendTo(b []byte) []byte {
	start := len(b)
	b = append(b, frameMagic[:]...)
	b = binary.LittleEndian.AppendUint64(b, uint64(f.off))
	b = binary.LittleEndian.AppendUint32(b, f.rawLen)
	b = binary.LittleEndian.AppendUint32(b, f.payloadLen)
	b = binary.LittleEndian.AppendUint32(b, f.payloadCRC)
	b = binary.LittleEndian.AppendUint64(b, uint64(f.modTime))
	b = append(b, f.sum[:]...)
	b = append(b, f.chain[:]...)
	b = append(b, f.state[:]...)
	b = binary.LittleEndian.AppendUint32(b, crcOf(b[start:]))
	return append(b, f.payload...)
}

// decodeFrameHeader decodes the header at the start of b. ok is false if there is no whole
// and intact one.
func decodeFrameHeader(b []byte) (h frameHeader, ok bool) {
	if len(b) < frameHeaderSize || !bytes.Equal(b[:4], frameMagic[:]) {
		return h, false
	}
	b = b[:frameHeaderSize]
	if binary.LittleEndian.Uint32(b[frameHeaderSize-4:]) != crcOf(b[:frameHeaderSize-4]) {
		return h, false
	}
	h.off = int64(binary.LittleEndian.Uint64(b[4:]))
	h.rawLen = binary.LittleEndian.Uint32(b[12:])
	h.payloadLen = binary.LittleEndian.Uint32(b[16:])
	h.payloadCRC = binary.LittleEndian.Uint32(b[20:])
	h.modTime = int64(binary.LittleEndian.Uint64(b[24:]))
	rest := b[32:]
	rest = rest[copy(h.sum[:], rest):]
	rest = rest[copy(h.chain[:], rest):]
	copy(h.state[:], rest)
	return h, h.rawLen <= MaxSegment && h.off >= 0
}

// decodeFrame decodes the frame at the start of b, whose payload it shares. ok is false if
// there is no whole and intact one.
func decodeFrame(b []byte) (f frame, ok bool) {
	h, ok := decodeFrameHeader(b)
	if !ok || int64(len(b)) < h.size() {
		return f, false
	}
	f = frame{h, b[frameHeaderSize:h.size()]}
	return f, crcOf(f.payload) == h.payloadCRC
}

// verifyBytes returns an error unless raw are the bytes of the frame.
func (h *frameHeader) verifyBytes(raw []byte) error {
	if uint32(len(raw)) != h.rawLen || sha256.Sum256(raw) != h.sum {
		return fmt.Errorf("bytes from %d to %d: %w", h.off, h.end(), ErrDamaged)
	}
	return nil
}

// mergeFrames makes one frame of several that follow each other.
func mergeFrames(frames []frame) (frame, error) {
	if len(frames) == 1 {
		return frames[0], nil
	}
	var raw []byte
	for i := range frames {
		part, err := decompressBytes(&frames[i].frameHeader, frames[i].payload)
		if err != nil {
			return frame{}, err
		}
		raw = append(raw, part...)
	}
	h := frames[len(frames)-1].frameHeader
	h.off = frames[0].off
	return sealFrame(h, raw), nil
}
