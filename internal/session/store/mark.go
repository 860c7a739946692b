package store

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

// edge is how many bytes at the start of a file, and before the place where
// reading ended, are remembered by their hash.
const edge = 4 << 10

// settle is how old a file must be for its time to be trusted: a second write in
// the same tick of the file system's clock does not change it.
const settle = 3 * time.Second

// Mark is how far a file was read and how it looked then. By it, what was added
// since is told from a file that became another. It may be kept on disk.
type Mark struct {
	Size  int64 // of the file when it was read
	Mtime int64 // ns
	Off   int64 // after the last accepted line
	Line  int32 // lines before Off
	Slot  int32 // bytes at the start that may be overwritten in place
	Open  bool  // the last accepted line has no end yet
	Fresh bool  // read so soon after it was written that Mtime proves nothing
	// Hashes of the slot, of the rest of the first 4 KiB, and of the 4 KiB before
	// Off; all end at Off.
	SlotSum, HeadSum, TailSum uint64

	info fs.FileInfo // identity; nil when read from disk
}

// verdict is what became of a file since its mark was made.
type verdict uint8

const (
	same     verdict = iota
	slotted          // the slot at its start was overwritten
	grown            // there are bytes after Off that were not there, or others
	replaced         // anything else: read it again
)

// newMark remembers f as read up to off.
func newMark(f io.ReaderAt, info fs.FileInfo, slot int, off int64, line int32, open bool) (Mark, error) {
	m := Mark{
		Size: info.Size(), Mtime: info.ModTime().UnixNano(), Off: off, Line: line, Slot: int32(slot), Open: open,
		Fresh: time.Since(info.ModTime()) < settle, info: info,
	}
	var err error
	m.SlotSum, m.HeadSum, m.TailSum, err = m.sums(f)
	return m, err
}

// compare tells what became of the file. err is an error of reading.
func (m *Mark) compare(f io.ReaderAt, info fs.FileInfo) (verdict, error) {
	if m.info != nil && !os.SameFile(m.info, info) || info.Size() < m.Off {
		return replaced, nil
	}
	still := info.Size() == m.Size && info.ModTime().UnixNano() == m.Mtime
	if still && m.info != nil && !m.Fresh {
		return same, nil
	}
	slot, head, tail, err := m.sums(f)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return replaced, nil // shrunk since it was opened
	case err != nil:
		return same, err
	case head != m.HeadSum || tail != m.TailSum && m.Off > int64(m.Slot):
		return replaced, nil
	case slot != m.SlotSum:
		return slotted, nil
	case info.Size() != m.Size || !still && m.Size > m.Off:
		return grown, nil
	}
	return same, nil
}

// sums hashes the three stretches of the file that the mark remembers. The one
// before Off leaves the slot out, which may change under it.
func (m *Mark) sums(f io.ReaderAt) (slot, head, tail uint64, err error) {
	var buf [edge]byte
	end := min(m.Off, edge)
	if err = readFull(f, buf[:end], 0); err != nil {
		return 0, 0, 0, err
	}
	cut := min(int64(m.Slot), end)
	slot, head = sum(buf[:cut]), sum(buf[cut:end])
	from := max(m.Off-edge, cut)
	if from >= m.Off {
		return slot, head, 0, nil
	}
	if err = readFull(f, buf[:m.Off-from], from); err != nil {
		return 0, 0, 0, err
	}
	return slot, head, sum(buf[:m.Off-from]), nil
}

func sum(b []byte) uint64 {
	h := sha256.Sum256(b)
	return binary.LittleEndian.Uint64(h[:8])
}

// readFull reads all of b or answers io.ErrUnexpectedEOF.
func readFull(f io.ReaderAt, b []byte, off int64) error {
	n, err := f.ReadAt(b, off)
	if n == len(b) {
		return nil
	}
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// moved takes over what the file looks like now, after nothing in it that counts
// changed.
func (m *Mark) moved(info fs.FileInfo) {
	m.Size, m.Mtime, m.info = info.Size(), info.ModTime().UnixNano(), info
	m.Fresh = time.Since(info.ModTime()) < settle
}

// check is what a line must hash to when its body is read.
type check struct {
	off  int64
	line int32
	sum  uint32
}

// lineSum hashes the ends of a line, where its id stands in all formats.
func lineSum(line []byte) uint32 {
	const most = 256
	if len(line) <= 2*most {
		return hash32(line)
	}
	return hash32(line[:most]) ^ hash32(line[len(line)-most:])*31
}
