package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// compactLock is the advisory lock of the process that compacts.
const compactLock = 0x7365737369 // any number

// orphanAge is how old an object without segments is when it is deleted that was not
// completely stored. It is longer than an upload may take.
const orphanAge = time.Hour

// Times between two compactions; the longer ones after failures.
const (
	minPause = 100 * time.Millisecond
	maxPause = 30 * time.Second
)

// kickCompaction asks for a compaction soon.
func (db *DB) kickCompaction() {
	select {
	case db.kick <- struct{}{}:
	default:
	}
}

// compactRegularly compacts until ctx is done.
func (db *DB) compactRegularly(ctx context.Context) {
	if db.config.CompactEvery < 0 || db.blobs == nil {
		return
	}
	timer := time.NewTicker(db.config.CompactEvery)
	defer timer.Stop()
	for wait := minPause; ; {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-db.kick:
		}
		if err := db.Compact(ctx); err == nil {
			wait = minPause
		} else if ctx.Err() == nil {
			db.config.Log.Warn("bytes were not moved to the object storage", "err", err)
			wait = min(2*wait, maxPause)
		}
		pause(ctx, wait)
	}
}

// pause waits unless ctx is done.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// Compact moves segments from the database to S3 and removes the bytes of deleted segments
// from S3. It does nothing if another process is doing so, or without S3.
func (db *DB) Compact(ctx context.Context) error {
	if db.blobs == nil {
		return nil
	}
	conn, err := db.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	// The lock is that of the connection, which is therefore not used again.
	locker := conn.Hijack()
	defer locker.Close(context.WithoutCancel(ctx))
	var locked bool
	if err := locker.QueryRow(ctx, `SELECT pg_try_advisory_lock($1)`, compactLock).Scan(&locked); err != nil || !locked {
		return err
	}
	return errors.Join(db.compactLocked(ctx, locker), db.hot.refresh(ctx, db.pool))
}

// compactLocked makes the steps of a compaction. locker has the lock.
func (db *DB) compactLocked(ctx context.Context, locker *pgx.Conn) error {
	for _, step := range []func(context.Context) (more bool, err error){db.unpackDirty, db.removeUnused, db.mergeIdle, db.packHot} {
		for more := true; more; {
			// Another process compacts when the connection is lost.
			err := locker.Ping(ctx)
			if err == nil {
				more, err = step(ctx)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// unpackDirty moves the segments of an object that has other bytes too back to the database.
// The object is unused then, and they are packed again.
func (db *DB) unpackDirty(ctx context.Context) (more bool, err error) {
	var object int64
	var key string
	err = db.pool.QueryRow(ctx, `SELECT o.id, o.key FROM object o WHERE o.dirty AND EXISTS (SELECT FROM segment s WHERE s.object = o.id) ORDER BY o.id LIMIT 1`).Scan(&object, &key)
	if err != nil {
		return false, ignoreNoRows(err)
	}
	rows, err := db.pool.Query(ctx, `SELECT generation, off, stored_len, object_off FROM segment WHERE object = $1 ORDER BY object_off`, object)
	if err != nil {
		return false, err
	}
	var generations, offs []int64
	segments, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s storedSegment, err error) {
		var g int64
		err = row.Scan(&g, &s.off, &s.storedLen, &s.objectOff)
		s.key, generations, offs = key, append(generations, g), append(offs, s.off)
		return s, err
	})
	if err == nil {
		err = db.blobs.fetch(ctx, segments)
	}
	if err != nil {
		return false, err
	}
	content := make([][]byte, len(segments))
	for i := range segments {
		content[i] = segments[i].bytes
	}
	_, err = db.pool.Exec(ctx, `UPDATE segment s SET bytes = u.bytes, object = NULL, object_off = NULL
		FROM unnest($2::bigint[], $3::bigint[], $4::bytea[]) u (generation, off, bytes)
		WHERE s.generation = u.generation AND s.off = u.off AND s.object = $1`, object, generations, offs, content)
	return true, err
}

// removeUnused deletes objects that no segment needs.
func (db *DB) removeUnused(ctx context.Context) (more bool, err error) {
	var object int64
	var key string
	err = db.pool.QueryRow(ctx, `SELECT o.id, o.key FROM object o
		WHERE (o.written OR o.created < now() - $1::interval) AND NOT EXISTS (SELECT FROM segment s WHERE s.object = o.id)
		ORDER BY o.id LIMIT 1`, orphanAge).Scan(&object, &key)
	if err != nil {
		return false, ignoreNoRows(err)
	}
	if err := db.blobs.remove(ctx, key); err != nil {
		return false, err
	}
	_, err = db.pool.Exec(ctx, `DELETE FROM object WHERE id = $1`, object)
	return true, err
}

// HasDeletedBytes reports whether S3 may have bytes of segments that were deleted: in an object
// that is not rewritten or removed yet, or that is being uploaded.
func (db *DB) HasDeletedBytes(ctx context.Context) (has bool, err error) {
	err = db.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM object o
		WHERE o.dirty OR NOT o.written OR NOT EXISTS (SELECT FROM segment s WHERE s.object = o.id))`).Scan(&has)
	return has, err
}

// mergeIdle merges the small segments at the end of files that are not growing any more.
func (db *DB) mergeIdle(ctx context.Context) (more bool, err error) {
	rows, err := db.pool.Query(ctx, `SELECT g.id, g.tail, g.size FROM generation g
		WHERE g.tail_segments > 1 AND g.appended < now() - $1::interval`, db.config.IdleAfter)
	if err != nil {
		return false, err
	}
	idle, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (g generation, err error) {
		return g, row.Scan(&g.id, &g.tail, &g.size)
	})
	if err != nil {
		return false, err
	}
	for i := range idle {
		if err := db.mergeSegments(ctx, idle[i].id, idle[i].tail, idle[i].size); err != nil {
			return false, err
		}
	}
	return false, nil
}

// newKey returns the name of a new object.
func (b *bucket) newKey() string { return fmt.Sprintf("%s%s.segments", b.prefix, rand.Text()) }

// ignoreNoRows returns nil if a query found nothing.
func ignoreNoRows(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	return err
}
