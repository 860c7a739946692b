//go:build hub && unix

package postgres_test

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/archive/archivetest"
	"sessiontree/internal/session/archive/postgres"
	"sessiontree/internal/session/archive/postgres/pgtest"
	"sessiontree/internal/session/team"
	"sessiontree/internal/session/team/teamtest"
)

var ctx = context.Background()

var buckets atomic.Int32

// servers is what a hub needs.
type servers struct {
	pg *pgtest.Postgres
	s3 *pgtest.S3
}

func startServers(t *testing.T, settings ...string) *servers {
	return &servers{pgtest.StartPostgres(t, settings...), pgtest.StartS3(t)}
}

// newConfig returns the configuration of an empty hub, without a regular compaction. Objects
// are small, so that a test has several of them.
func (s *servers) newConfig(t *testing.T) postgres.Config {
	bucket := fmt.Sprint("bucket", buckets.Add(1))
	s.s3.NewBucket(t, bucket)
	return postgres.Config{
		URL:          s.pg.NewDatabase(t),
		Blobs:        postgres.Blobs{Bucket: bucket, Prefix: "segments/", Endpoint: s.s3.Endpoint, AccessKey: s.s3.AccessKey, SecretKey: s.s3.SecretKey},
		CompactEvery: -1, MinObject: 1, MaxObject: 1 << 20, IdleAfter: time.Nanosecond,
		Log: slog.New(slog.NewTextHandler(testWriter{t}, nil)),
	}
}

// testWriter writes to the log of a test, if it is verbose.
type testWriter struct{ t *testing.T }

func (w testWriter) Write(p []byte) (int, error) {
	if testing.Verbose() {
		fmt.Fprintf(flag.CommandLine.Output(), "%s: %s", w.t.Name(), p)
	}
	return len(p), nil
}

// openDB opens a hub until the test ends.
func openDB(t *testing.T, c postgres.Config) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// Two processes of a hub have the same archive, one after the other.
func TestArchive(t *testing.T) {
	s := startServers(t)
	for name, compacts := range map[string]bool{"rows": false, "objects": true, "objects and a list": true} {
		t.Run(name, func(t *testing.T) {
			create := func(t *testing.T) archivetest.Opener {
				c := s.newConfig(t)
				dbs := []*postgres.DB{openDB(t, c), openDB(t, c)}
				if compacts {
					compactAlways(t, openDB(t, c))
				}
				stores := []archive.Store{dbs[0].Archive(), dbs[1].Archive()}
				if name == "objects and a list" {
					stores = []archive.Store{listing(t, dbs[0]), listing(t, dbs[1])}
				}
				var n atomic.Int32
				return func() archive.Store { return stores[n.Add(1)%2] }
			}
			archivetest.Run(t, create)
			t.Run("model", func(t *testing.T) {
				t.Parallel()
				archivetest.RunModel(t, create)
			})
		})
	}
}

func listing(t *testing.T, db *postgres.DB) *archive.Listing {
	l, err := db.Listing(ctx, func([]string) {})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// compactAlways compacts until the test ends.
func compactAlways(t *testing.T, db *postgres.DB) {
	running, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for running.Err() == nil {
			if err := db.Compact(running); err != nil && running.Err() == nil {
				t.Error(err)
			}
		}
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
}

func TestRegistry(t *testing.T) {
	pg := pgtest.StartPostgres(t)
	teamtest.Run(t, func(t *testing.T) teamtest.Opener {
		c := postgres.Config{URL: pg.NewDatabase(t)}
		dbs := []*postgres.DB{openDB(t, c), openDB(t, c)}
		var n atomic.Int32
		return func() team.Registry { return dbs[n.Add(1)%2].Registry() }
	})
}
