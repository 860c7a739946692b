// Package postgres is the store of a hub in PostgreSQL and S3: an archive of segments, the
// registry of a team, and the messages between the processes of a hub.
//
// New segments are rows. A periodic job moves them to objects in S3, many into one. Without
// S3 they stay rows.
package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"sessiontree/internal/session/archive"
)

// minVersion is the oldest version of PostgreSQL that is tested, as server_version_num.
const minVersion = 150000

// connectTimeout is how long a connection may take, unless the address of the database says
// another time.
const connectTimeout = 10 * time.Second

//go:embed migrations/*.sql
var migrations embed.FS

// Config is where a hub stores its data. Zero fields have the defaults of the comments.
type Config struct {
	URL   string // of the database: postgres://user@host/name
	Blobs Blobs  // for objects; none if its Bucket is empty
	// HotQuota is how many bytes may wait in the database for S3. More are refused with
	// ErrFull. It counts only if there are Blobs. 4 GiB.
	HotQuota int64
	// CompactEvery is how often bytes are moved to S3. 1 minute; none if negative.
	CompactEvery time.Duration
	// MinObject and MaxObject are how many bytes an object has. 8 and 32 MiB.
	MinObject, MaxObject int
	// IdleAfter is how long after the last bytes also the end of a file is moved. 10 minutes.
	IdleAfter time.Duration
	Log       *slog.Logger // of failures in the background; none if nil
}

// withDefaults returns the configuration with values for zero fields.
func (c Config) withDefaults() Config {
	defaultTo(&c.HotQuota, 4<<30)
	defaultTo(&c.CompactEvery, time.Minute)
	defaultTo(&c.MinObject, 8<<20)
	defaultTo(&c.MaxObject, 32<<20)
	c.MaxObject = max(c.MaxObject, c.MinObject+archive.MaxSegment) // a segment more is always enough
	defaultTo(&c.IdleAfter, 10*time.Minute)
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

func defaultTo[V int | int64 | time.Duration](field *V, value V) {
	if *field == 0 {
		*field = value
	}
}

// DB is an open store. Its methods may be called by several goroutines.
type DB struct {
	config Config
	pool   *pgxpool.Pool
	blobs  *bucket // nil without S3
	bus    *bus
	hot    hotBytes

	pollEvery time.Duration

	kick    chan struct{}   // asks for a compaction
	running context.Context // of the work in the background
	stop    context.CancelFunc
	stopped sync.WaitGroup
}

// Open connects to the database, brings its tables up to date and begins to work in the
// background. S3 need not be reachable.
func Open(ctx context.Context, c Config) (*DB, error) {
	c = c.withDefaults()
	pool, err := newPool(ctx, c.URL)
	if err != nil {
		return nil, err
	}
	db := &DB{config: c, pool: pool, pollEvery: pollEvery, kick: make(chan struct{}, 1)}
	if err = migrate(ctx, pool); err == nil && c.Blobs.Bucket != "" {
		db.blobs, err = openBucket(ctx, c.Blobs, c.Log)
	}
	if err != nil {
		pool.Close()
		return nil, err
	}
	db.bus = newBus(pool, c.Log)
	var conn *pgx.Conn
	if err = db.hot.refresh(ctx, pool); err == nil {
		conn, err = db.bus.connect(ctx)
	}
	if err != nil {
		pool.Close()
		return nil, fmt.Errorf("database: %w", err)
	}
	db.running, db.stop = context.WithCancel(context.Background())
	db.stopped.Go(func() { db.bus.send(db.running) })
	db.stopped.Go(func() { db.bus.listen(db.running, conn) })
	db.stopped.Go(func() { db.compactRegularly(db.running) })
	return db, nil
}

// newPool connects to the database.
func newPool(ctx context.Context, url string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	// What was acknowledged must be on the disk, whatever the default of the server is.
	config.ConnConfig.RuntimeParams["synchronous_commit"] = "on"
	config.ConnConfig.RuntimeParams["default_transaction_isolation"] = "read committed"
	config.ConnConfig.RuntimeParams["application_name"] = "explorer hub"
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	var version int
	if err := pool.QueryRow(ctx, `SELECT current_setting('server_version_num')::int`).Scan(&version); err != nil {
		pool.Close()
		return nil, fmt.Errorf("database: %w", err)
	}
	if version < minVersion {
		pool.Close()
		return nil, fmt.Errorf("database: PostgreSQL %d is too old, a hub needs %d", version/10000, minVersion/10000)
	}
	return pool, nil
}

// migrate brings the tables up to date. Of several processes one does it.
func migrate(ctx context.Context, pool *pgxpool.Pool) error {
	db := stdlib.OpenDBFromPool(pool)
	defer db.Close()
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithSessionLocker(locker), goose.WithTableName("hub_version"))
	if err != nil {
		return err
	}
	switch current, target, err := p.GetVersions(ctx); {
	case err != nil:
		return fmt.Errorf("database: tables: %w", err)
	case current > target:
		return fmt.Errorf("the tables of the database are of a newer explorer (version %d, this one knows %d)", current, target)
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("database: tables: %w", err)
	}
	return nil
}

// Close waits for running work and disconnects.
func (db *DB) Close() error {
	db.stop()
	db.stopped.Wait()
	db.pool.Close()
	return nil
}

// isTransient reports whether a transaction failed only because of concurrent ones.
func isTransient(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && (e.Code == "40001" || e.Code == "40P01")
}

// isDuplicate reports whether a row with the same key exists.
func isDuplicate(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && e.Code == "23505"
}
