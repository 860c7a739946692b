package postgres

import (
	"context"
	"crypto/sha256"

	"github.com/jackc/pgx/v5"

	"sessiontree/internal/session/archive"
)

// mergeSegments makes one segment of those from an offset to another, if they are all in the
// database.
func (db *DB) mergeSegments(ctx context.Context, generation, from, to int64) error {
	return db.retry(ctx, func(tx pgx.Tx) error {
		var tail int64
		// The lock prevents appends, deletions and compactions meanwhile.
		if err := tx.QueryRow(ctx, `SELECT tail FROM generation WHERE id = $1 FOR UPDATE`, generation).Scan(&tail); err != nil {
			return ignoreNoRows(err)
		}
		rows, err := tx.Query(ctx, `SELECT off, len, sum, stored_len, bytes FROM segment
			WHERE generation = $1 AND off >= $2 AND off < $3 AND bytes IS NOT NULL ORDER BY off`, generation, from, to)
		if err != nil {
			return err
		}
		parts, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s storedSegment, err error) {
			return s, row.Scan(&s.off, &s.length, &s.sum, &s.storedLen, &s.bytes)
		})
		if err != nil || len(parts) < 2 {
			return err
		}
		raw, before, err := joinSegments(parts)
		if err != nil || parts[0].off != from || from+int64(len(raw)) != to || len(raw) > archive.MaxSegment {
			return err // other segments than expected: they were merged or moved meanwhile
		}
		return replaceSegments(ctx, tx, generation, from, raw, before, len(parts))
	})
}

// joinSegments returns the bytes of segments, and how many bytes these need.
func joinSegments(parts []storedSegment) (raw []byte, stored int, err error) {
	for i := range parts {
		if i > 0 && parts[i].off != parts[0].off+int64(len(raw)) {
			return nil, 0, nil
		}
		part, err := parts[i].decompress()
		if err != nil {
			return nil, 0, err
		}
		raw, stored = append(raw, part...), stored+rowCost+parts[i].storedLen
	}
	return raw, stored, nil
}

// replaceSegments replaces n segments that need the stored bytes by one.
func replaceSegments(ctx context.Context, tx pgx.Tx, generation, from int64, raw []byte, stored, n int) error {
	merged, sum := archive.Compress(raw), sha256.Sum256(raw)
	changes := &pgx.Batch{}
	changes.Queue(`DELETE FROM segment WHERE generation = $1 AND off >= $2 AND off < $3`, generation, from, from+int64(len(raw)))
	changes.Queue(`INSERT INTO segment (generation, off, len, sum, stored_len, bytes) VALUES ($1, $2, $3, $4, $5, $6)`,
		generation, from, len(raw), sum[:], len(merged), merged)
	changes.Queue(`UPDATE generation SET stored = stored - $2, tail_segments = tail_segments - CASE WHEN tail = $3 THEN $4 ELSE 0 END WHERE id = $1`,
		generation, stored-rowCost-len(merged), from, n-1)
	return tx.SendBatch(ctx, changes).Close()
}
