package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// pack is segments that are about to become an object.
type pack struct {
	object      int64
	key         string
	generations []int64
	offs        []int64
	sums        [][]byte
	starts      []int64 // in the object
	content     []byte
}

// maxPackSegments is how many segments an object has at most.
const maxPackSegments = 20_000

// packHot moves segments to a new object, if there are enough of them. Those of a growing
// file stay while they may be merged.
func (db *DB) packHot(ctx context.Context) (more bool, err error) {
	p, err := db.chooseSegments(ctx)
	if err != nil || p == nil {
		return false, err
	}
	if err := p.readContent(ctx, db); err != nil || len(p.content) == 0 {
		return false, err
	}
	p.key = db.blobs.newKey()
	// The row is first, so that an object never is without one.
	if err := db.pool.QueryRow(ctx, `INSERT INTO object (key, size) VALUES ($1, $2) RETURNING id`, p.key, len(p.content)).Scan(&p.object); err != nil {
		return false, err
	}
	if err := db.blobs.put(ctx, p.key, p.content); err != nil {
		return false, err
	}
	return true, db.retry(ctx, func(tx pgx.Tx) error { return p.move(ctx, tx) })
}

// chooseSegments returns the segments of the next object, nil if they are too few. Neighbors
// in a file are neighbors in the object.
func (db *DB) chooseSegments(ctx context.Context) (*pack, error) {
	rows, err := db.pool.Query(ctx, `SELECT s.generation, s.off, s.stored_len FROM segment s JOIN generation g ON g.id = s.generation
		WHERE s.object IS NULL AND (s.off < g.tail OR g.appended < now() - $1::interval)
		ORDER BY s.generation, s.off LIMIT $2`, db.config.IdleAfter, maxPackSegments)
	if err != nil {
		return nil, err
	}
	p, total := &pack{}, 0
	var generation, off int64
	var n int
	_, err = pgx.ForEachRow(rows, []any{&generation, &off, &n}, func() error {
		if total == 0 || total+n <= db.config.MaxObject {
			p.generations, p.offs = append(p.generations, generation), append(p.offs, off)
			total += n
		}
		return nil
	})
	if err != nil || total < db.config.MinObject && len(p.offs) < maxPackSegments {
		return nil, err
	}
	return p, nil
}

// readContent reads the bytes of the chosen segments. Those that were deleted or merged
// meanwhile are left out.
func (p *pack) readContent(ctx context.Context, db *DB) error {
	rows, err := db.pool.Query(ctx, `SELECT s.generation, s.off, s.sum, s.bytes
		FROM unnest($1::bigint[], $2::bigint[]) u (generation, off) JOIN segment s ON s.generation = u.generation AND s.off = u.off
		WHERE s.bytes IS NOT NULL ORDER BY s.generation, s.off`, p.generations, p.offs)
	if err != nil {
		return err
	}
	*p = pack{}
	var generation, off int64
	var sum, content []byte
	_, err = pgx.ForEachRow(rows, []any{&generation, &off, &sum, &content}, func() error {
		p.generations, p.offs, p.sums = append(p.generations, generation), append(p.offs, off), append(p.sums, sum)
		p.starts = append(p.starts, int64(len(p.content)))
		p.content = append(p.content, content...)
		return nil
	})
	return err
}

// move makes the segments those of the object.
func (p *pack) move(ctx context.Context, tx pgx.Tx) error {
	// The locks prevent that segments are merged or deleted meanwhile.
	if _, err := tx.Exec(ctx, `SELECT id FROM generation WHERE id = ANY($1) ORDER BY id FOR UPDATE`, p.generations); err != nil {
		return err
	}
	tag, err := tx.Exec(ctx, `UPDATE segment s SET bytes = NULL, object = $1, object_off = u.start
		FROM unnest($2::bigint[], $3::bigint[], $4::bytea[], $5::bigint[]) u (generation, off, sum, start)
		WHERE s.generation = u.generation AND s.off = u.off AND s.sum = u.sum AND s.object IS NULL`,
		p.object, p.generations, p.offs, p.sums, p.starts)
	if err != nil {
		return err
	}
	written, err := tx.Exec(ctx, `UPDATE object SET written = true, dirty = $2 WHERE id = $1`, p.object, tag.RowsAffected() < int64(len(p.offs)))
	if err != nil {
		return err
	}
	if written.RowsAffected() != 1 {
		return fmt.Errorf("object %s was removed while it was written", p.key)
	}
	// What is in an object is not merged with what follows.
	_, err = tx.Exec(ctx, `UPDATE generation g SET tail = m.tail, tail_segments = (SELECT count(*) FROM segment s WHERE s.generation = g.id AND s.off >= m.tail)
		FROM (SELECT generation, max(off + len) AS tail FROM segment WHERE object = $1 GROUP BY generation) m
		WHERE g.id = m.generation AND g.tail < m.tail`, p.object)
	return err
}
