//go:build hub && unix

package postgres_test

import (
	"io"
	"testing"
	"time"

	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/archive/archivetest"
	"sessiontree/internal/session/archive/postgres"
	"sessiontree/internal/session/archive/postgres/pgtest"
)

// The list of a process follows the changes of another one, also after the database was
// stopped.
func TestListingFollows(t *testing.T) {
	pg := pgtest.StartPostgres(t)
	c := postgres.Config{URL: pg.NewDatabase(t)}
	a, b := openDB(t, c), openDB(t, c)
	before, lines := archivetest.Next("/dev/a", 1, nil, []byte("one\n")), archivetest.Next("/dev/a", 1, []byte("one\n"), []byte("two\n"))
	if _, err := a.Archive().Append(ctx, before); err != nil {
		t.Fatal(err)
	}
	b.PollEvery(50 * time.Millisecond)
	changes := make(chan []string, 1000)
	l, err := b.Listing(ctx, func(paths []string) { changes <- paths })
	if err != nil || !l.Has("/dev/a") {
		t.Fatal(err)
	}
	if _, err := a.Archive().Append(ctx, lines); err != nil {
		t.Fatal(err)
	}
	for size := int64(0); size != 8; {
		<-changes
		info, err := l.Stat("/dev/a")
		if err != nil {
			t.Fatal(err)
		}
		size = info.Size()
	}
	f, err := l.OpenFile("/dev/a")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got, err := io.ReadAll(f); err != nil || string(got) != "one\ntwo\n" {
		t.Errorf("%q, %v", got, err)
	}
	// A process that was killed before it sent its message.
	number(t, c, `WITH f AS (INSERT INTO stored_file (name, path) VALUES ($1, '/dev/b') RETURNING id)
		INSERT INTO generation (file, number, chain, chain_state, modified, stored) SELECT f.id, 1, g.chain, g.chain_state, 1, 64 FROM f, generation g RETURNING 1`, archive.FileID("/dev/b"))
	for !l.Has("/dev/b") {
		<-changes
	}
	pg.Stop()
	pg.Start()
	for tries := 0; a.Archive().DeleteFile(ctx, "/dev/a") != nil; tries++ {
		if tries == 20 {
			t.Fatal("the database is not used again")
		}
	}
	for l.Has("/dev/a") {
		<-changes
	}
}
