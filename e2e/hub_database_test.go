//go:build e2e && hub && unix

package e2e

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"sessiontree/e2e/harness"
	"sessiontree/internal/session/archive/postgres"
	"sessiontree/internal/session/archive/postgres/pgtest"
)

// When two hubs of one database, the database, the S3 server and the explorers that push are
// killed or restarted again and again, the store has every byte once in the end.
func TestHub_DatabaseKilled(t *testing.T) {
	db, s3 := pgtest.StartPostgres(t, "fsync=on"), pgtest.StartS3(t)
	address := db.NewDatabase(t)
	t.Setenv("AWS_ACCESS_KEY_ID", s3.AccessKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", s3.SecretKey)
	const bucket = "sessions"
	s3.NewBucket(t, bucket)
	store := []string{"--db", address, "--blobs", "s3://" + bucket + "?" + url.Values{"endpoint": {s3.Endpoint}}.Encode()}
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
	opened, err := postgres.Open(t.Context(), postgres.Config{URL: address, CompactEvery: -1, Blobs: postgres.Blobs{
		Bucket: bucket, Endpoint: s3.Endpoint, AccessKey: s3.AccessKey, SecretKey: s3.SecretKey,
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	checkStored(t, opened.Archive(), laptops)
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
