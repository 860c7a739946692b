//go:build hub && unix

package postgres_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"sessiontree/internal/session/archive/archivetest"
	"sessiontree/internal/session/archive/postgres"
	"sessiontree/internal/session/archive/postgres/pgtest"
	"sessiontree/internal/session/team"
)

// heard is what a subscriber was told.
type heard struct {
	mu    sync.Mutex
	calls int
	paths map[string]bool
	all   int // calls that mean all files
}

func subscribe(t *testing.T, db *postgres.DB) *heard {
	h := &heard{paths: map[string]bool{}}
	t.Cleanup(db.Subscribe(func(paths []string) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.calls++
		if len(paths) == 0 {
			h.all++
		}
		for _, path := range paths {
			h.paths[path] = true
		}
	}))
	return h
}

// wait fails unless a condition becomes true.
func (h *heard) wait(t *testing.T, what string, is func(h *heard) bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		h.mu.Lock()
		ok, got := is(h), fmt.Sprintf("%d calls, %d paths, %d times all", h.calls, len(h.paths), h.all)
		h.mu.Unlock()
		if ok {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s: %s", what, got)
		}
	}
}

func (h *heard) waitPath(t *testing.T, path string) {
	t.Helper()
	h.wait(t, path, func(h *heard) bool { return h.paths[path] })
}

func TestBus(t *testing.T) {
	pg := pgtest.StartPostgres(t)
	c := postgres.Config{URL: pg.NewDatabase(t)}
	a, b := openDB(t, c), openDB(t, c)
	own, other := subscribe(t, a), subscribe(t, b)
	start, n := time.Now(), 300
	for i := range n {
		if _, err := a.Archive().Append(ctx, archivetest.Next(fmt.Sprintf("/\xff long name %d%s", i, strings.Repeat("x", 100)), 1, nil, []byte("x"))); err != nil {
			t.Fatal(err)
		}
	}
	for _, h := range []*heard{own, other} {
		h.wait(t, "appended files", func(h *heard) bool { return len(h.paths) == n })
	}
	most := int(time.Since(start)/(50*time.Millisecond)) + 2
	if other.calls > most || other.all > 0 {
		t.Errorf("%d notifications in %v, want at most %d", other.calls, time.Since(start), most)
	}

	// Messages that were due while another one was sent do not become empty ones.
	for i := range 30 {
		path := fmt.Sprint("/slow/", i)
		if _, err := a.Archive().Append(ctx, archivetest.Next(path, 1, nil, []byte("x"))); err != nil {
			t.Fatal(err)
		}
		if i%3 == 0 {
			other.waitPath(t, path)
		}
	}
	for _, h := range []*heard{own, other} {
		h.wait(t, "slow appends", func(h *heard) bool { return len(h.paths) == n+30 })
		if h.all > 0 {
			t.Errorf("%d empty messages", h.all)
		}
	}

	f := team.File{Path: "/dev/s", Session: "/dev/s", Device: "dev", Person: "ada"}
	for i, change := range []func() error{
		func() error { return b.Registry().PutFile(ctx, f) },
		func() error { return b.Registry().SetVisibility(ctx, f.Path, team.Team) },
		func() error { _, err := b.Registry().DeleteSession(ctx, f.Path); return err },
		func() error { return b.Archive().DeleteFile(ctx, "/\xff long name 0"+strings.Repeat("x", 100)) },
	} {
		clear(own.paths)
		if err := change(); err != nil {
			t.Fatal(err)
		}
		own.wait(t, fmt.Sprint("change ", i), func(h *heard) bool { return len(h.paths) == 1 })
	}
	if err := b.Registry().SetProject(ctx, team.Project{Name: "/p", Visibility: team.Team}); err != nil {
		t.Fatal(err)
	}
	own.wait(t, "a project", func(h *heard) bool { return h.all == 1 })
	long := "/" + strings.Repeat("long", 3000)
	if _, err := b.Archive().Append(ctx, archivetest.Next(long, 1, nil, []byte("x"))); err != nil {
		t.Fatal(err)
	}
	own.wait(t, "a long path", func(h *heard) bool { return h.all == 2 })

	other.wait(t, "a long path", func(h *heard) bool { return h.all == 2 })
	pg.Stop()
	pg.Start()
	other.wait(t, "connected again", func(h *heard) bool { return h.all == 3 })
	for tries := 0; ; tries++ { // connections of the pool may be lost
		if _, err := a.Archive().Append(ctx, archivetest.Next("/after", 1, nil, []byte("x"))); err == nil {
			break
		} else if tries == 20 {
			t.Fatal(err)
		}
	}
	other.waitPath(t, "/after")
}

func TestOpenAtOnce(t *testing.T) {
	pg := pgtest.StartPostgres(t)
	c := postgres.Config{URL: pg.NewDatabase(t)}
	var group sync.WaitGroup
	for range 6 {
		group.Go(func() {
			db, err := postgres.Open(ctx, c)
			if err != nil {
				t.Error(err)
				return
			}
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	number(t, c, `INSERT INTO hub_version (version_id, is_applied) VALUES (999, true) RETURNING 1`)
	if _, err := postgres.Open(ctx, c); err == nil || !strings.Contains(err.Error(), "newer explorer") {
		t.Errorf("tables of a newer version: %v", err)
	}
}

func TestOpenFails(t *testing.T) {
	pg := pgtest.StartPostgres(t)
	url := pg.NewDatabase(t)
	for name, c := range map[string]postgres.Config{
		"address":     {URL: "postgres://:x"},
		"no database": {URL: strings.Replace(url, "/hub1?", "/none?", 1)},
		"endpoint":    {URL: url, Blobs: postgres.Blobs{Bucket: "b", Endpoint: "127.0.0.1:1"}},
	} {
		if db, err := postgres.Open(ctx, c); err == nil {
			t.Errorf("%s: was opened", name)
			_ = db.Close()
		}
	}
	s3 := pgtest.StartS3(t)
	s3.NewBucket(t, "bucket")
	blobs := postgres.Blobs{Bucket: "bucket", Endpoint: s3.Endpoint, AccessKey: s3.AccessKey, SecretKey: s3.SecretKey}
	noBucket, noAccess := blobs, blobs
	noBucket.Bucket, noAccess.SecretKey = "other-bucket", "wrong"
	for _, b := range []postgres.Blobs{noBucket, noAccess} {
		if _, err := postgres.Open(ctx, postgres.Config{URL: url, Blobs: b}); err == nil || !strings.Contains(err.Error(), b.Bucket) {
			t.Errorf("%+v: %v", b, err)
		}
	}
	s3.Stop()
	openDB(t, postgres.Config{URL: url, Blobs: blobs})

	if b, err := postgres.ParseBlobs("s3://b/x/y/?endpoint=http://h:1&region=r", func(string) string { return "" }); err != nil ||
		b != (postgres.Blobs{Bucket: "b", Prefix: "x/y/", Endpoint: "http://h:1", Region: "r"}) {
		t.Errorf("%+v, %v", b, err)
	}
	for _, bad := range []string{"", "b", "s3://", "http://b", "s3://u:p@b", "s3://b?nope=1"} {
		if b, err := postgres.ParseBlobs(bad, func(string) string { return "" }); err == nil {
			t.Errorf("%q: %+v", bad, b)
		}
	}
	env := map[string]string{"AWS_ENDPOINT_URL": "https://e", "AWS_REGION": "r"}
	if b, err := postgres.ParseBlobs("s3://b", func(k string) string { return env[k] }); err != nil || b.Endpoint != "https://e" || b.Region != "r" || b.Prefix != "" {
		t.Errorf("%+v, %v", b, err)
	}
}
