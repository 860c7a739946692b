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

// edgeSize is how many bytes at the start of a file, and before the place where
// reading ended, are remembered by their hash.
const edgeSize = 4 << 10

// mtimeTrustAge is how old a file must be for its time to be trusted: a second write in
// the same tick of the file system's clock does not change it.
const mtimeTrustAge = 3 * time.Second

// Checkpoint is how far a file was read and how it looked then. By it, what was added
// since is told from a file that became another. It may be kept on disk.
type Checkpoint struct {
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
	Identity                  Identity

	info fs.FileInfo // nil when read from disk
}

// Identity names a file across runs, and changes with every write to it. It is zero
// where the system does not tell.
type Identity struct {
	Dev, Ino uint64
	Ctime    int64 // ns; unlike Mtime nobody sets it
}

// isFileUnchanged reports whether nothing happened to the file at a path, without opening it:
// a session may have a thousand files, of which one grows.
func (m *Checkpoint) isFileUnchanged(path string) bool {
	if m.Fresh {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && m.matchesFileInfo(info)
}

// matchesFileInfo reports whether the file that looks like info is certainly as it was.
func (m *Checkpoint) matchesFileInfo(info fs.FileInfo) bool {
	return !m.Fresh && info.Size() == m.Size && info.ModTime().UnixNano() == m.Mtime && m.names(info)
}

// names reports whether info is of the file that the mark was made of.
func (m *Checkpoint) names(info fs.FileInfo) bool {
	if m.info != nil {
		return os.SameFile(m.info, info)
	}
	return m.Identity != Identity{} && m.Identity == identify(info)
}

// SavedAs reports whether other is the same mark when it is read from disk.
func (m Checkpoint) SavedAs(other Checkpoint) bool {
	m.info, other.info = nil, nil
	return m == other
}

// fileChange is what became of a file since its mark was made.
type fileChange uint8

const (
	fileSame            fileChange = iota
	fileSlotOverwritten            // the slot at its start was overwritten
	fileGrown                      // there are bytes after Off that were not there, or others
	fileReplaced                   // anything else: read it again
)

// newCheckpoint remembers a file that looked like info when it was opened and was read
// up to where r stands. The hashes are those of the bytes that were read, not of
// what stands there by now.
func newCheckpoint(r *fileReader, info fs.FileInfo) Checkpoint {
	m := Checkpoint{
		Size: info.Size(), Mtime: info.ModTime().UnixNano(), Off: r.off, Line: r.line, Open: r.open,
		Slot: int32(r.format.TitleSlotSize), Fresh: time.Since(info.ModTime()) < mtimeTrustAge, Identity: identify(info), info: info,
	}
	m.setEdgeHashes(r.head, r.tail)
	return m
}

// setEdgeHashes sets the sums. head begins where the file does; tail ends at Off.
func (m *Checkpoint) setEdgeHashes(head, tail []byte) {
	cut := min(int(m.Slot), len(head))
	m.SlotSum, m.HeadSum, m.TailSum = hashEdge(head[:cut]), hashEdge(head[cut:]), 0
	if over := int64(cut) - (m.Off - int64(len(tail))); over > 0 {
		tail = tail[min(int(over), len(tail)):] // the slot may change under it
	}
	if len(tail) > 0 {
		m.TailSum = hashEdge(tail)
	}
}

// compareFile tells what became of the file. err is an error of reading.
func (m *Checkpoint) compareFile(f io.ReaderAt, info fs.FileInfo) (fileChange, error) {
	if m.info != nil && !os.SameFile(m.info, info) || info.Size() < m.Off {
		return fileReplaced, nil
	}
	if m.matchesFileInfo(info) {
		return fileSame, nil
	}
	still := info.Size() == m.Size && info.ModTime().UnixNano() == m.Mtime
	now, err := m.rehashFile(f)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fileReplaced, nil // shrunk since it was opened
	case err != nil:
		return fileSame, err
	case now.HeadSum != m.HeadSum || now.TailSum != m.TailSum:
		return fileReplaced, nil
	case now.SlotSum != m.SlotSum:
		return fileSlotOverwritten, nil
	case info.Size() != m.Size || !still && m.Size > m.Off:
		return fileGrown, nil
	}
	return fileSame, nil
}

// rehashFile is the mark with the hashes of what the file holds now.
func (m *Checkpoint) rehashFile(f io.ReaderAt) (Checkpoint, error) {
	now := *m
	var head, tail [edgeSize]byte
	n := min(m.Off, edgeSize)
	if err := readFull(f, head[:n], 0); err != nil {
		return now, err
	}
	if err := readFull(f, tail[:n], m.Off-n); err != nil {
		return now, err
	}
	now.setEdgeHashes(head[:n], tail[:n])
	return now, nil
}

func hashEdge(b []byte) uint64 {
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

// updateFileInfo takes over what the file looks like now, after nothing in it that counts
// changed.
func (m *Checkpoint) updateFileInfo(info fs.FileInfo) {
	m.Size, m.Mtime, m.Identity, m.info = info.Size(), info.ModTime().UnixNano(), identify(info), info
	m.Fresh = time.Since(info.ModTime()) < mtimeTrustAge
}

// lineCheck is what a line must hash to when its body is read.
type lineCheck struct {
	off  int64
	line int32
	sum  uint32
}

// hashLine hashes the ends of a line, where its id stands in all formats.
func hashLine(line []byte) uint32 {
	const most = 256
	if len(line) <= 2*most {
		return hashBytes(line)
	}
	return hashBytes(line[:most]) ^ hashBytes(line[len(line)-most:])*31
}
