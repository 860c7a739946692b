package scan

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"sessiontree/internal/session/safefile"
)

// edgeSize is how many bytes are hashed at the start of a file and before the offset
// where reading ended.
const edgeSize = 4 << 10

// mtimeTrustAge is the age from which a modification time is trusted: a second write in
// the same tick of the file system's clock does not change the time.
const mtimeTrustAge = 3 * time.Second

// IsRecentlyModified reports whether a later write may leave the same modification time.
// A copy never changes.
func IsRecentlyModified(info fs.FileInfo) bool {
	return !IsCopy(info) && time.Since(info.ModTime()) < mtimeTrustAge
}

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

	inThisRun bool        // made in this run: without Ctime the Identity names the file, as for os.SameFile
	info      fs.FileInfo // only where the system does not tell an Identity
}

// Identity names a file across runs, and changes with every write to it. It is zero
// where the system does not tell.
type Identity struct {
	Dev, Ino uint64
	Ctime    int64 // ns; unlike Mtime nobody sets it
}

// MatchesFileInfo reports whether info is that of the file as it was read. It returns
// false if that is uncertain or info is nil.
func (m *Checkpoint) MatchesFileInfo(info fs.FileInfo) bool {
	return info != nil && !m.Fresh && info.Size() == m.Size && info.ModTime().UnixNano() == m.Mtime && m.names(info)
}

// names reports whether info is of the file that the mark was made of.
func (m *Checkpoint) names(info fs.FileInfo) bool {
	switch now := identifyFile(info); {
	case m.info != nil:
		return os.SameFile(m.info, info)
	case m.inThisRun:
		return now.Dev == m.Identity.Dev && now.Ino == m.Identity.Ino
	default:
		return m.Identity != Identity{} && m.Identity == now
	}
}

// SavedAs reports whether other is this checkpoint as it is read from disk.
func (m Checkpoint) SavedAs(other Checkpoint) bool {
	m.info, m.inThisRun, other.info, other.inThisRun = nil, false, nil, false
	return m == other
}

// FileChange is what happened to a file since its checkpoint.
type FileChange uint8

// The changes, in ascending order of effect.
const (
	FileSame            FileChange = iota
	FileSlotOverwritten            // the slot at the start has other bytes
	FileGrown                      // there are new or other bytes after Off
	FileReplaced                   // anything else: the file must be read again
)

// NewCheckpoint returns the checkpoint of a file that r has read and whose info was
// taken when it was opened. The hashes are of the bytes that r read, not of the current
// ones.
func NewCheckpoint(r *Reader, info fs.FileInfo) Checkpoint {
	m := Checkpoint{Off: r.off, Line: r.line, Open: r.open, Slot: int32(r.Format.TitleSlotSize)}
	m.UpdateFileInfo(info)
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

// CompareFile returns what happened to the file since the checkpoint.
func (m *Checkpoint) CompareFile(f io.ReaderAt, info fs.FileInfo) (FileChange, error) {
	if m.IsOtherFile(info) && m.IsOfCopy() == IsCopy(info) || info.Size() < m.Off {
		return FileReplaced, nil // a file and its copy are compared by their content
	}
	if m.MatchesFileInfo(info) {
		return FileSame, nil
	}
	still := info.Size() == m.Size && info.ModTime().UnixNano() == m.Mtime
	now, err := m.rehashFile(f)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return FileReplaced, nil // truncated after it was opened
	case err != nil:
		return FileSame, err
	case now.HeadSum != m.HeadSum || now.TailSum != m.TailSum:
		return FileReplaced, nil
	case now.SlotSum != m.SlotSum:
		return FileSlotOverwritten, nil
	case info.Size() != m.Size || !still && m.Size > m.Off:
		return FileGrown, nil
	}
	return FileSame, nil
}

// edgeBuffers holds buffers for both edges of a file. Growing files are compared often.
var edgeBuffers = sync.Pool{New: func() any { return new([2][edgeSize]byte) }}

// rehashFile returns the checkpoint with the hashes of the current bytes.
func (m *Checkpoint) rehashFile(f io.ReaderAt) (Checkpoint, error) {
	now := *m
	edges := edgeBuffers.Get().(*[2][edgeSize]byte)
	defer edgeBuffers.Put(edges)
	head, tail := &edges[0], &edges[1]
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

// IsOtherFile reports whether info is certainly not of the file that was read. A copy of a
// deleted file is another file.
func (m *Checkpoint) IsOtherFile(info fs.FileInfo) bool {
	return m.inThisRun && !m.names(info)
}

// IsSlot reports whether head is the slot at the start of the file as it was read.
func (m *Checkpoint) IsSlot(head []byte) bool { return hashEdge(head) == m.SlotSum }

// UpdateFileInfo sets the size and the time of the file after a write that changed none
// of the accepted lines.
func (m *Checkpoint) UpdateFileInfo(info fs.FileInfo) {
	m.Size, m.Mtime, m.Fresh = info.Size(), info.ModTime().UnixNano(), IsRecentlyModified(info)
	m.Identity, m.info = identifyOrKeep(info)
	m.inThisRun = true
}

// IsLastLineContinued reports whether a last line that seemed complete without a newline
// was continued.
func (m *Checkpoint) IsLastLineContinued(f io.ReaderAt) bool {
	return m.Open && !lineEndsAt(f, m.Off)
}

// lineEndsAt reports whether the line before off ends at off.
func lineEndsAt(f io.ReaderAt, off int64) bool {
	var b [1]byte
	n, _ := f.ReadAt(b[:], off)
	return n == 0 || b[0] == '\n' || b[0] == '\r'
}

// IsTornLineGrowing reports whether a torn last line only became longer, so that it
// need not be read again from its start. It reads only the new bytes.
func (m *Checkpoint) IsTornLineGrowing(f io.ReaderAt, size int64) bool {
	from := m.Size
	if from <= m.Off || size <= from {
		return false
	}
	buf := make([]byte, min(size-from, blockSize))
	var last []byte
	for from < size {
		n := int(min(size-from, int64(len(buf))))
		if safefile.ReadFull(f, buf[:n], from) != nil || bytes.IndexByte(buf[:n], '\n') >= 0 {
			return false
		}
		last, from = buf[:n], from+int64(n)
	}
	return !endsLikeRecord(last) && !isBlankLine(last)
}
