package scan

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"sessiontree/internal/session"
)

// LineCheck is the hash that a line must have when its body is read.
type LineCheck struct {
	Off  int64
	Line int32
	Sum  uint32
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

// Location is where the line of an entry is, and its hash.
type Location struct {
	ID      string
	Span    session.Span
	Sum     uint32
	InValue bool // part of the one JSON value of the file, not a line
}

// HashAt returns the hash of the line at off.
func HashAt(checks []LineCheck, off int64) uint32 {
	i, ok := slices.BinarySearchFunc(checks, off, func(c LineCheck, off int64) int { return cmp.Compare(c.Off, off) })
	if !ok {
		return 0
	}
	return checks[i].Sum
}

// ReadLine reads the line and verifies it: it must start and end where a line
// does, and its edges, which hold the id, must have the same hash as when it was
// scanned.
func (s *Location) ReadLine(f io.ReaderAt) ([]byte, error) {
	buf := make([]byte, int(s.Span.Len)+2)
	from := s.Span.Off - 1
	if from < 0 {
		from, buf = 0, buf[1:]
	}
	n, err := f.ReadAt(buf, from)
	if err != nil && err != io.EOF {
		return nil, err
	}
	return s.VerifyLine(buf[:n], int(s.Span.Off-from))
}

// VerifyLine returns the line without the bytes around it.
func (s *Location) VerifyLine(around []byte, start int) ([]byte, error) {
	end := start + int(s.Span.Len)
	if len(around) < end || !s.InValue && start > 0 && around[start-1] != '\n' && s.Span.Off != int64(len(BOM)) {
		return nil, session.ErrStale
	}
	if len(around) > end && !s.InValue && around[end] != '\n' && around[end] != '\r' {
		return nil, session.ErrStale
	}
	line := around[start:end:end]
	if hashLine(line) != s.Sum {
		return nil, session.ErrStale
	}
	return line, nil
}

// ReadLineAfter skips n lines and reads the next one, up to the maximum length.
func ReadLineAfter(ctx context.Context, r io.Reader, n, longest int) ([]byte, error) {
	buf := make([]byte, 64<<10)
	var line []byte
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		got, err := r.Read(buf)
		rest := buf[:got]
		for n > 0 && len(rest) > 0 {
			_, after, ended := bytes.Cut(rest, newline)
			if ended {
				n--
			}
			rest = after
		}
		if n == 0 {
			head, _, ended := bytes.Cut(rest, newline)
			line = append(line, head...)
			if len(line) > longest {
				return nil, fmt.Errorf("%w: %w", session.ErrInvalid, ErrTooLong)
			}
			if ended || err == io.EOF && len(line) > 0 {
				return bytes.TrimSuffix(line, carriage), nil
			}
		}
		if err == io.EOF {
			return nil, session.ErrNotFound
		}
		if err != nil {
			return nil, err
		}
	}
}
