package postgres

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrFull is returned by Append while S3 cannot be reached and as many bytes wait for it as
// may.
var ErrFull = errors.New("the hub stores no more until it reaches its object storage again")

// hotBytes is how many bytes of segments are in the database, about: other processes change
// it too.
type hotBytes struct {
	bytes     atomic.Int64
	mu        sync.Mutex
	refreshed time.Time
}

// refresh counts again.
func (h *hotBytes) refresh(ctx context.Context, pool *pgxpool.Pool) error {
	var n int64
	if err := pool.QueryRow(ctx, `SELECT coalesce(sum(stored_len), 0) FROM segment WHERE object IS NULL`).Scan(&n); err != nil {
		return err
	}
	h.bytes.Store(n)
	return nil
}

// hotRefresh is how often the bytes are counted again while there are too many.
const hotRefresh = time.Second

// reserveHot counts n more bytes. The error is ErrFull if they are too many.
func (db *DB) reserveHot(ctx context.Context, n int) error {
	if db.blobs == nil || n == 0 {
		return nil
	}
	quota := db.config.HotQuota
	if now := db.hot.bytes.Add(int64(n)); now > quota/2 {
		db.kickCompaction()
	}
	if db.hot.bytes.Load() <= quota {
		return nil
	}
	db.hot.mu.Lock()
	defer db.hot.mu.Unlock()
	if time.Since(db.hot.refreshed) > hotRefresh {
		if err := db.hot.refresh(ctx, db.pool); err != nil {
			return err
		}
		db.hot.refreshed = time.Now()
		db.hot.bytes.Add(int64(n))
	}
	if db.hot.bytes.Load() > quota {
		db.hot.bytes.Add(-int64(n))
		return ErrFull
	}
	return nil
}
