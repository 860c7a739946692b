// Package archive stores copies of files that other programs may delete or rewrite: as
// segments of their bytes, compressed and with hashes, per file and generation.
//
// A file is known by its path. A generation is what was appended to the file until it was
// rewritten or became shorter; then the next one begins, and earlier ones stay. The hash of
// all bytes of a generation up to some offset, its Chain, says whether a file still begins
// with the stored bytes.
package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// MaxSegment is how many bytes a segment has at most, before they are compressed.
const MaxSegment = 1 << 20

// ErrDamaged is returned if stored bytes are not those that were stored.
var ErrDamaged = errors.New("the stored copy is damaged")

// Head is how far a generation of a file is stored.
type Head struct {
	Generation int
	End        int64     // number of bytes
	Chain      Chain     // of all of them
	ModTime    time.Time // of the file when the last bytes were stored
	Stored     int64     // bytes of the archive that the generation needs
}

// Segment is bytes of a file to be stored.
type Segment struct {
	Path       string
	Generation int
	Off        int64
	Before     Chain // of the bytes before Off
	// Data is up to MaxSegment bytes. Without any, only the time is stored, and the
	// generation if it is new.
	Data    []byte
	ModTime time.Time // of the file
}

// Store stores segments. Its methods may be called by several goroutines, and other
// processes may use the same archive.
type Store interface {
	// Heads returns the heads of all generations of a file, the oldest first; none if
	// nothing is stored.
	Heads(ctx context.Context, path string) ([]Head, error)
	// Append stores a segment and returns the new head. A segment at offset 0 of the
	// generation after the newest one begins that generation. A segment that is stored
	// already is a success. If a segment does not continue what is stored, the error is
	// a *ConflictError. After a success the bytes survive a crash.
	Append(ctx context.Context, s Segment) (Head, error)
	// OpenGeneration opens a generation of a file to read it. The error is fs.ErrNotExist
	// if it is not stored.
	OpenGeneration(ctx context.Context, path string, generation int) (*File, error)
	// ListFiles calls fn for each stored file, in no order.
	ListFiles(ctx context.Context, fn func(path string, heads []Head) error) error
	// DeleteGeneration deletes a generation of a file. It is no error if it is not stored.
	// An open file of it reads the same bytes as before, or returns fs.ErrNotExist.
	DeleteGeneration(ctx context.Context, path string, generation int) error
	// DeleteFile deletes all generations of a file.
	DeleteFile(ctx context.Context, path string) error
}

// ConflictError says that a segment does not continue what is stored.
type ConflictError struct {
	Path string
	Head Head // of the newest generation; zero if nothing is stored
}

// Error implements error.
func (e *ConflictError) Error() string {
	return fmt.Sprintf("%s: the segment does not continue generation %d, which ends at %d", e.Path, e.Head.Generation, e.Head.End)
}

// Check returns what is wrong with a segment, whatever is stored.
func (s *Segment) Check() error {
	switch {
	case s.Path == "" || s.Generation < 1 || s.Off < 0:
		return fmt.Errorf("segment of %q, generation %d, offset %d: invalid", s.Path, s.Generation, s.Off)
	case len(s.Data) > MaxSegment:
		return fmt.Errorf("%s: a segment of %d bytes is longer than %d", s.Path, len(s.Data), MaxSegment)
	}
	return nil
}

// IsStoredIn reports whether f has the bytes of the segment.
func (s *Segment) IsStoredIn(f io.ReaderAt, end int64) (bool, error) {
	if s.Off+int64(len(s.Data)) > end {
		return false, nil
	}
	stored := make([]byte, len(s.Data))
	if n, err := f.ReadAt(stored, s.Off); n < len(stored) {
		return false, err
	}
	return string(stored) == string(s.Data), nil
}
