package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"sessiontree/internal/session/safefile"
)

// OpenGeneration implements Store.
func (d *Dir) OpenGeneration(_ context.Context, path string, generation int) (*File, error) {
	f, err := d.openFile(FileID(path), generation)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, notStored("open", path)
	}
	return f, err
}

// dirSegments reads the segments of a generation in a directory.
type dirSegments struct {
	pack    *os.File // nil if there is none
	headers []frameHeader
	at      []int64 // offsets of payloads in the pack
	tail    []frame // the segments after those of the pack
}

// Close implements io.Closer.
func (s *dirSegments) Close() error {
	if s.pack == nil {
		return nil
	}
	return s.pack.Close()
}

// ReadSegment implements SegmentReader.
func (s *dirSegments) ReadSegment(n int) ([]byte, error) {
	if n >= len(s.headers) {
		f := &s.tail[n-len(s.headers)]
		return decompressBytes(&f.frameHeader, f.payload)
	}
	h := &s.headers[n]
	payload := make([]byte, h.payloadLen)
	if err := safefile.ReadFull(s.pack, payload, s.at[n]); err != nil {
		return nil, fmt.Errorf("bytes from %d: %w", h.off, err)
	}
	return decompressBytes(h, payload)
}

// openFile opens a generation. The tail is read first: it says how much of the pack belongs
// to it, and a pack only grows.
func (d *Dir) openFile(id string, generation int) (*File, error) {
	t, err := d.readTail(id, generation)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("copy %s: %w", id, err)
	}
	path := string(t.Path)
	s := &dirSegments{tail: t.frames}
	if t.PackSize > 0 {
		if err := s.openPack(d.generationPath(id, generation)+packSuffix, t); err != nil {
			return nil, fmt.Errorf("copy of %s: %w", path, err)
		}
	}
	var ends []int64
	for i := range s.headers {
		ends = append(ends, s.headers[i].end())
	}
	for i := range t.frames {
		ends = append(ends, t.frames[i].end())
	}
	return NewFile(path, newFileInfo(path, headOf(t)), ends, s), nil
}

// openPack opens the pack and reads the headers of its frames.
func (s *dirSegments) openPack(path string, t *tail) (err error) {
	if s.pack, _, err = safefile.OpenRegular(path); err != nil {
		return err
	}
	b, end := make([]byte, frameHeaderSize), int64(0)
	for at := int64(0); at < t.PackSize; {
		err := safefile.ReadFull(s.pack, b, at)
		h, ok := decodeFrameHeader(b)
		if err != nil || !ok || h.off != end {
			return errors.Join(fmt.Errorf("header of the bytes from %d: %w", end, ErrDamaged), err, s.pack.Close())
		}
		s.headers, s.at = append(s.headers, h), append(s.at, at+frameHeaderSize)
		end, at = h.end(), at+h.size()
	}
	if end != t.Base {
		return errors.Join(fmt.Errorf("pack ends at %d, not %d: %w", end, t.Base, ErrDamaged), s.pack.Close())
	}
	return nil
}
