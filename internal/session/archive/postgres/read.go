package postgres

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"

	"sessiontree/internal/session/archive"
)

// readTimeout is how long the bytes of a segment may take. Readers of files have no context.
const readTimeout = time.Minute

// OpenGeneration implements archive.Store.
func (a *Archive) OpenGeneration(ctx context.Context, path string, number int) (*archive.File, error) {
	rows, err := a.db.pool.Query(ctx, `SELECT `+generationColumns+`,
		ARRAY(SELECT s.off + s.len FROM segment s WHERE s.generation = g.id ORDER BY s.off)
		FROM generation g JOIN stored_file f ON f.id = g.file WHERE f.name = $1 AND g.number = $2`, archive.FileID(path), number)
	if err != nil {
		return nil, fmt.Errorf("copy of %s: %w", path, err)
	}
	r := &reader{db: a.db}
	g, err := pgx.CollectExactlyOneRow(rows, func(row pgx.CollectableRow) (generation, error) {
		return scanGeneration(rowWith{row, &r.ends})
	})
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, notStored(path)
	case err != nil:
		return nil, fmt.Errorf("copy of %s: %w", path, err)
	}
	r.generation = g.id
	r.ends = joinBlocks(r.ends)
	if end := r.start(len(r.ends)); end != g.size {
		return nil, fmt.Errorf("copy of %s: it ends at %d, not at %d: %w", path, end, g.size, archive.ErrDamaged)
	}
	return archive.NewFile(path, archive.NewInfo(path, g.head()), r.ends, r), nil
}

// rowWith reads a further column of a row.
type rowWith struct {
	pgx.CollectableRow
	last any
}

// Scan implements pgx.CollectableRow.
func (r rowWith) Scan(dest ...any) error { return r.CollectableRow.Scan(append(dest, r.last)...) }

// joinBlocks returns the ends of blocks of whole segments that have up to MaxSegment bytes.
func joinBlocks(ends []int64) (blocks []int64) {
	start := int64(0)
	for i, end := range ends {
		if i+1 == len(ends) || ends[i+1]-start > archive.MaxSegment {
			blocks = append(blocks, end)
			start = end
		}
	}
	return blocks
}

// reader reads blocks of a generation. Segments may be merged and moved meanwhile, but the
// bytes at an offset do not change.
type reader struct {
	db         *DB
	generation int64
	ends       []int64 // of the blocks
}

// Close implements io.Closer.
func (r *reader) Close() error { return nil }

// start returns the offset of a block.
func (r *reader) start(n int) int64 {
	if n == 0 {
		return 0
	}
	return r.ends[n-1]
}

// ReadSegment implements archive.SegmentReader. It reads a block.
func (r *reader) ReadSegment(n int) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), readTimeout)
	defer cancel()
	for tries := 0; ; tries++ {
		data, err := r.readBlock(ctx, r.start(n), r.ends[n])
		if !errors.Is(err, errNoObject) || tries >= maxTries {
			return data, err
		}
	}
}

// storedSegment is a row of that table.
type storedSegment struct {
	off       int64
	length    int
	sum       []byte
	storedLen int
	bytes     []byte // nil if they are in an object
	key       string // of the object
	objectOff int64
}

// readBlock returns the bytes from start to end.
func (r *reader) readBlock(ctx context.Context, start, end int64) ([]byte, error) {
	segments, err := r.findSegments(ctx, start, end)
	if err != nil {
		return nil, err
	}
	if len(segments) == 0 {
		return nil, fs.ErrNotExist // was deleted
	}
	if err := r.db.blobs.fetch(ctx, segments); err != nil {
		return nil, err
	}
	first := segments[0].off
	data := make([]byte, 0, end-first)
	for i := range segments {
		s := &segments[i]
		if s.off != first+int64(len(data)) {
			return nil, fmt.Errorf("no bytes from %d to %d: %w", first+int64(len(data)), s.off, archive.ErrDamaged)
		}
		raw, err := s.decompress()
		if err != nil {
			return nil, err
		}
		data = append(data, raw...)
	}
	if first > start || first+int64(len(data)) < end {
		return nil, fmt.Errorf("no bytes from %d to %d: %w", start, end, archive.ErrDamaged)
	}
	return data[start-first : end-first], nil
}

func (s *storedSegment) decompress() ([]byte, error) {
	if len(s.sum) != sha256.Size {
		return nil, fmt.Errorf("hash of the bytes from %d: %w", s.off, archive.ErrDamaged)
	}
	return archive.Decompress(s.bytes, s.off, s.length, [sha256.Size]byte(s.sum))
}

// findSegments returns the segments that have bytes from start to end.
func (r *reader) findSegments(ctx context.Context, start, end int64) ([]storedSegment, error) {
	rows, err := r.db.pool.Query(ctx, `SELECT s.off, s.len, s.sum, s.stored_len, s.bytes, coalesce(o.key, ''), coalesce(s.object_off, 0)
		FROM segment s LEFT JOIN object o ON o.id = s.object
		WHERE s.generation = $1 AND s.off > $2::bigint - $4::bigint AND s.off < $3 AND s.off + s.len > $2 ORDER BY s.off`,
		r.generation, start, end, int64(archive.MaxSegment))
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (s storedSegment, err error) {
		return s, row.Scan(&s.off, &s.length, &s.sum, &s.storedLen, &s.bytes, &s.key, &s.objectOff)
	})
}
