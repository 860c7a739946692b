package store

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"sessiontree/internal/session/safefile"
)

// edgeSize is how many bytes are hashed at the start of a file and before the offset
// where reading ended.
const edgeSize = 4 << 10

// mtimeTrustAge is the age from which a modification time is trusted: a second write in
// the same tick of the file system's clock does not change the time.
const mtimeTrustAge = 3 * time.Second

// Checkpoint records how far a file was read and what it looked like then. It tells
// appended lines from a replaced file. It may be stored on disk.
type Checkpoint struct {
	Size  int64 // of the file when it was read
	Mtime int64 // ns
	Off   int64 // after the last accepted line
	Line  int32 // number of lines before Off
	Slot  int32 // size of the start that may be overwritten in place
	Open  bool  // the last accepted line has no newline yet
	Fresh bool  // read so soon after a write that Mtime is not reliable
	// Hashes of the slot, of the rest of the first 4 KiB, and of the 4 KiB before Off.
	// All of them end at Off at the latest.
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

// isFileUnchanged reports whether the file at path is unchanged, without opening it: a
// session may have a thousand files, of which one grows.
func (m *Checkpoint) isFileUnchanged(path string) bool {
	if m.Fresh {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && m.MatchesFileInfo(info)
}

// MatchesFileInfo reports whether info is that of the file as it was read. It returns
// false if that is uncertain or info is nil.
func (m *Checkpoint) MatchesFileInfo(info fs.FileInfo) bool {
	return info != nil && !m.Fresh && info.Size() == m.Size && info.ModTime().UnixNano() == m.Mtime && m.names(info)
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

// fileChange is what happened to a file since its checkpoint.
type fileChange uint8

const (
	fileSame            fileChange = iota
	fileSlotOverwritten            // the slot at the start has other bytes
	fileGrown                      // there are new or other bytes after Off
	fileReplaced                   // anything else: the file must be read again
)

// newCheckpoint returns the checkpoint of a file that r has read and whose info was
// taken when it was opened. The hashes are of the bytes that r read, not of the current
// ones.
func newCheckpoint(r *fileReader, info fs.FileInfo) Checkpoint {
	m := Checkpoint{
		Size: info.Size(), Mtime: info.ModTime().UnixNano(), Off: r.off, Line: r.line, Open: r.open,
		Slot: int32(r.format.TitleSlotSize), Fresh: time.Since(info.ModTime()) < mtimeTrustAge, Identity: identify(info), info: info,
	}
	m.setEdgeHashes(r.head, r.tail)
	return m
}

// setEdgeHashes sets the hashes. head starts at the start of the file; tail ends at
// Off.
func (m *Checkpoint) setEdgeHashes(head, tail []byte) {
	cut := min(int(m.Slot), len(head))
	m.SlotSum, m.HeadSum, m.TailSum = hashEdge(head[:cut]), hashEdge(head[cut:]), 0
	if over := int64(cut) - (m.Off - int64(len(tail))); over > 0 {
		tail = tail[min(int(over), len(tail)):] // the slot may change later
	}
	if len(tail) > 0 {
		m.TailSum = hashEdge(tail)
	}
}

// compareFile returns what happened to the file since the checkpoint.
func (m *Checkpoint) compareFile(f io.ReaderAt, info fs.FileInfo) (fileChange, error) {
	if m.info != nil && !os.SameFile(m.info, info) || info.Size() < m.Off {
		return fileReplaced, nil
	}
	if m.MatchesFileInfo(info) {
		return fileSame, nil
	}
	still := info.Size() == m.Size && info.ModTime().UnixNano() == m.Mtime
	now, err := m.rehashFile(f)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fileReplaced, nil // truncated after it was opened
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

// rehashFile returns the checkpoint with the hashes of the current bytes.
func (m *Checkpoint) rehashFile(f io.ReaderAt) (Checkpoint, error) {
	now := *m
	var head, tail [edgeSize]byte
	n := min(m.Off, edgeSize)
	if err := safefile.ReadFull(f, head[:n], 0); err != nil {
		return now, err
	}
	if err := safefile.ReadFull(f, tail[:n], m.Off-n); err != nil {
		return now, err
	}
	now.setEdgeHashes(head[:n], tail[:n])
	return now, nil
}

func hashEdge(b []byte) uint64 {
	h := sha256.Sum256(b)
	return binary.LittleEndian.Uint64(h[:8])
}

// updateFileInfo sets the size and the time of the file after a write that changed none
// of the accepted lines.
func (m *Checkpoint) updateFileInfo(info fs.FileInfo) {
	m.Size, m.Mtime, m.Identity, m.info = info.Size(), info.ModTime().UnixNano(), identify(info), info
	m.Fresh = time.Since(info.ModTime()) < mtimeTrustAge
}

// lineCheck is the hash that a line must have when its body is read.
type lineCheck struct {
	off  int64
	line int32
	sum  uint32
}

// hashLine hashes the first and the last bytes of a line. All formats record the id
// there.
func hashLine(line []byte) uint32 {
	const most = 256
	if len(line) <= 2*most {
		return hashBytes(line)
	}
	return hashBytes(line[:most]) ^ hashBytes(line[len(line)-most:])*31
}
