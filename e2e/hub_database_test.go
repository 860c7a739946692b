//go:build e2e && hub && unix

package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"sessiontree/e2e/harness"
	"sessiontree/internal/session/archive/postgres"
	"sessiontree/internal/session/archive/postgres/pgtest"
)

// newDatabaseStore starts a database and an S3 server, and returns the flags of a hub that stores
// everything in them.
func newDatabaseStore(t *testing.T) (db *pgtest.Postgres, s3 *pgtest.S3, c postgres.Config, flags []string) {
	t.Helper()
	db, s3 = pgtest.StartPostgres(t, "fsync=on"), pgtest.StartS3(t)
	t.Setenv("AWS_ACCESS_KEY_ID", s3.AccessKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", s3.SecretKey)
	const bucket = "sessions"
	s3.NewBucket(t, bucket)
	c = postgres.Config{URL: db.NewDatabase(t), CompactEvery: -1, Blobs: postgres.Blobs{
		Bucket: bucket, Endpoint: s3.Endpoint, AccessKey: s3.AccessKey, SecretKey: s3.SecretKey,
	}}
	return db, s3, c, []string{"--db", c.URL, "--blobs", "s3://" + bucket + "?" + url.Values{"endpoint": {s3.Endpoint}}.Encode()}
}

// When two hubs of one database, the database, the S3 server and the explorers that push are
// killed or restarted again and again, the store has every byte once in the end.
func TestHub_DatabaseKilled(t *testing.T) {
	db, s3, config, store := newDatabaseStore(t)
	first := harness.StartHub(t, store...)
	client := signInAdmin(t, first)
	hubs := []*harness.Server{first, harness.StartHub(t, store...)}
	var laptops []*pushingLaptop
	for n := range 4 {
		hub := hubs[n%2]
		laptops = append(laptops, newPushingLaptop(t, n, signedInAt(client, first, hub), hub))
	}
	duration := soakDuration(t)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		restartStores(db, s3, duration/4, stop)
	}()
	pushAndKill(t, hubs, laptops, duration)
	close(stop)
	<-done
	opened, err := postgres.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	checkStored(t, opened.Archive(), laptops)
}

// A label that is set at one hub is shown by another one of the same database.
func TestHub_DatabaseLabels(t *testing.T) {
	_, _, _, store := newDatabaseStore(t)
	first := harness.StartHub(t, store...)
	client := signInAdmin(t, first)
	second := harness.StartHub(t, store...)
	l := newPushingLaptop(t, 0, signedInAt(client, first, second), first)
	harness.RunCommand(t, l.home, "push", "--project", "/home/dev/project")
	find := func(hub *harness.Server, path, pattern string) (found string) {
		harness.Until(t, pattern+" at "+path, func() bool {
			m := regexp.MustCompile(pattern).FindSubmatch(readResponse(t)(client.Get(hub.URL + path)))
			if m != nil {
				found = string(m[1])
			}
			return m != nil
		})
		return found
	}
	session := find(second, "/", `href="(/sessions/[0-9a-f]+)`)
	entry := find(second, session, `data-entry="([^"]+)"`)
	resp, err := client.PostForm(first.URL+session+"/label", url.Values{"entry": {entry}, "label": {"from the other hub"}, "seen-label": {""}})
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatal(resp, err)
	}
	resp.Body.Close()
	find(second, session, `(from the other hub)`)
}

// signedInAt returns a client that is signed in at another hub of the same database, too.
func signedInAt(client *http.Client, from, to *harness.Server) *http.Client {
	for _, hub := range []*harness.Server{from, to} {
		u, err := url.Parse(hub.URL)
		if err == nil {
			client.Jar.SetCookies(u, client.Jar.Cookies(u)) // the same host, another port
		}
	}
	return client
}

// restartStores restarts the database and the S3 server in turn until stop is closed.
func restartStores(db *pgtest.Postgres, s3 *pgtest.S3, every time.Duration, stop <-chan struct{}) {
	for n := 0; ; n++ {
		select {
		case <-stop:
			return
		case <-time.After(every):
		}
		if n%2 == 0 {
			db.Stop()
			db.Start()
			continue
		}
		s3.Stop()
		time.Sleep(time.Second)
		s3.Start()
	}
}

// Of 100 secrets those that the redactor knows are nowhere in the database and the bucket, before
// and after segments are moved from one to the other.
func TestHub_DatabaseStoresNoSecrets(t *testing.T) {
	_, s3, config, store := newDatabaseStore(t)
	hub := harness.StartHub(t, store...)
	config.MinObject, config.IdleAfter = 1, time.Nanosecond
	opened, err := postgres.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	checkStoresNoSecrets(t, hub, signInAdmin(t, hub), func() []byte {
		all := readTables(t, config.URL)
		if err := opened.Compact(t.Context()); err != nil {
			t.Fatal(err)
		}
		objects := readStoredFiles(t, s3.Dir)
		if !bytes.Contains(objects, []byte("A prompt with ")) {
			t.Fatal("the session was not found in the bucket")
		}
		return slices.Concat(all, readTables(t, config.URL), objects)
	})
}

// readTables returns the rows of all tables of a database, and what is compressed in them.
func readTables(t *testing.T, address string) []byte {
	t.Helper()
	c, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(t.Context())
	names, err := c.Query(t.Context(), "select quote_ident(schemaname) || '.' || quote_ident(tablename) from pg_tables where schemaname not in ('pg_catalog', 'information_schema')")
	if err != nil {
		t.Fatal(err)
	}
	tables, err := pgx.CollectRows(names, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	var all bytes.Buffer
	for _, table := range tables {
		rows, err := c.Query(t.Context(), "select * from "+table)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			values, err := rows.Values()
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range values {
				if b, ok := v.([]byte); ok {
					addStoredText(&all, b)
				} else {
					fmt.Fprintln(&all, v)
				}
			}
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return all.Bytes()
}
