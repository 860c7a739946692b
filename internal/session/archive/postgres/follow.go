package postgres

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"sessiontree/internal/session/archive"
)

// Listing returns the list of all stored files. It follows the changes by all processes of
// the hub until the DB is closed, and calls changed after it knows them, as Subscribe does.
func (db *DB) Listing(ctx context.Context, changed func(paths []string)) (*archive.Listing, error) {
	q := &changeQueue{wake: make(chan struct{}, 1)}
	unsubscribe := db.Subscribe(q.add) // before the list is read
	l, err := archive.NewListing(ctx, db.Archive())
	if err != nil {
		unsubscribe()
		return nil, fmt.Errorf("database: files: %w", err)
	}
	db.stopped.Go(func() {
		defer unsubscribe()
		db.follow(l, q, changed)
	})
	return l, nil
}

// follow refreshes a list with the changes of a queue.
func (db *DB) follow(l *archive.Listing, q *changeQueue, changed func([]string)) {
	poll := time.NewTicker(db.pollEvery)
	defer poll.Stop()
	for wait := minReconnect; db.running.Err() == nil; {
		select {
		case <-db.running.Done():
			return
		case <-poll.C:
			db.findMissed(l, q)
			continue
		case <-q.wake:
		}
		paths := q.take()
		if err := l.Refresh(db.running, paths...); err != nil {
			if db.running.Err() == nil {
				db.config.Log.Warn("the list of files is not up to date, it is read again", "err", err)
			}
			q.add(paths)
			pause(db.running, wait)
			wait = min(2*wait, maxReconnect)
			continue
		}
		wait = minReconnect
		changed(paths)
	}
}

// Times of the search for appends whose messages were never sent.
const (
	pollEvery = 30 * time.Second
	pollAge   = 5 * time.Minute
)

// findMissed adds the files that were appended to by a process that was killed before it told
// the others.
func (db *DB) findMissed(l *archive.Listing, q *changeQueue) {
	rows, _ := db.pool.Query(db.running, `SELECT f.path, g.size FROM generation g JOIN stored_file f ON f.id = g.file
		WHERE NOT g.closed AND g.appended > now() - $1::interval`, pollAge) // rows have the error
	var path []byte
	var size int64
	_, err := pgx.ForEachRow(rows, []any{&path, &size}, func() error {
		if info, err := l.Stat(string(path)); err != nil || info.IsDir() || info.Size() != size {
			q.add([]string{string(path)})
		}
		return nil
	})
	if err != nil && db.running.Err() == nil {
		db.config.Log.Warn("changed files were not looked for", "err", err)
	}
}

// changeQueue is paths that changed since the last take.
type changeQueue struct {
	mu    sync.Mutex
	paths []string
	all   bool
	wake  chan struct{}
}

// add adds paths; all may have changed without any.
func (q *changeQueue) add(paths []string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.paths = append(q.paths, paths...)
	if q.all = q.all || len(paths) == 0; q.all || len(q.paths) > maxWaiting {
		q.all, q.paths = true, nil
	}
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// take returns the paths, none if all may have changed.
func (q *changeQueue) take() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	paths := q.paths
	q.paths, q.all = nil, false
	return paths
}
