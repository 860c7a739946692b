//go:build hub && unix

package postgres_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/minio/minio-go/v7"

	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/archive/archivetest"
	"sessiontree/internal/session/archive/postgres"
)

// number returns the result of a query of one number.
func number(t *testing.T, c postgres.Config, sql string, args ...any) (n int) {
	t.Helper()
	conn, err := pgx.Connect(ctx, c.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if err := conn.QueryRow(ctx, sql, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

const countHot = `SELECT count(*) FROM segment WHERE object IS NULL`

// store appends data in segments of a size.
func store(t *testing.T, a archive.Store, path string, data []byte, size int) {
	t.Helper()
	for off := 0; off < len(data); off += size {
		if _, err := a.Append(ctx, archivetest.Next(path, 1, data[:off], data[off:min(off+size, len(data))])); err != nil {
			t.Fatal(err)
		}
	}
}

// wantFile fails unless a file has these bytes.
func wantFile(t *testing.T, a archive.Store, path string, want []byte) {
	t.Helper()
	f, err := a.OpenGeneration(ctx, path, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got := make([]byte, len(want)+1)
	if n, _ := f.ReadAt(got, 0); n != len(want) || !bytes.Equal(got[:n], want) {
		t.Fatalf("%s has %d bytes, want %d, or others", path, n, len(want))
	}
}

// randomBytes returns bytes that cannot be compressed.
func randomBytes(seed uint64, n int) []byte {
	r, b := rand.New(rand.NewPCG(seed, 1)), make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// wantObjects fails unless the bucket has the objects of the table, and these only bytes of
// segments.
func (s *servers) wantObjects(t *testing.T, c postgres.Config) (sizes []int64) {
	t.Helper()
	conn, err := pgx.Connect(ctx, c.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	rows, _ := conn.Query(ctx, `SELECT o.key || ' ' || sum(s.stored_len) FROM object o LEFT JOIN segment s ON s.object = o.id WHERE o.written GROUP BY o.key ORDER BY 1`)
	want, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for o := range s.s3.Client(t).ListObjects(ctx, c.Blobs.Bucket, minio.ListObjectsOptions{Prefix: c.Blobs.Prefix, Recursive: true}) {
		if o.Err != nil {
			t.Fatal(o.Err)
		}
		got, sizes = append(got, fmt.Sprint(o.Key, " ", o.Size)), append(sizes, o.Size)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the bucket has\n%s\nthe segments need\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	return sizes
}

func TestCompact(t *testing.T) {
	s := startServers(t)
	c := s.newConfig(t)
	db := openDB(t, c)
	files := map[string][]byte{}
	for i := range 12 {
		path := fmt.Sprint("/f", i)
		files[path] = randomBytes(uint64(i), 100_000*i+1)
		store(t, db.Archive(), path, files[path], 30_000)
	}
	for range 2 {
		if err := db.Compact(ctx); err != nil {
			t.Fatal(err)
		}
		if n := number(t, c, countHot); n != 0 {
			t.Errorf("%d segments are in the database", n)
		}
		sizes := s.wantObjects(t, c)
		if len(sizes) < 7 || slices.Max(sizes) > 2*archive.MaxSegment {
			t.Errorf("objects of %v bytes", sizes)
		}
		for path, data := range files {
			wantFile(t, openDB(t, c).Archive(), path, data)
		}
	}
	// A file can grow after its end was moved.
	more := append(bytes.Clone(files["/f3"]), "more\n"...)
	if _, err := db.Archive().Append(ctx, archivetest.Next("/f3", 1, files["/f3"], []byte("more\n"))); err != nil {
		t.Fatal(err)
	}
	wantFile(t, db.Archive(), "/f3", more)
}

// Small objects cost as much as large ones, and the end of a growing file is soon merged
// with more: both stay in the database.
func TestCompactWaits(t *testing.T) {
	s := startServers(t)
	c := s.newConfig(t)
	c.MinObject, c.IdleAfter = 1<<20, time.Hour
	db := openDB(t, c)
	data := randomBytes(1, 3<<20)
	for _, step := range []struct{ size, wantHot int }{{900_000, 900_000}, {1_500_000, 1_500_000}, {2_800_000, 1_000_000}} {
		head, _ := db.Archive().Heads(ctx, "/a")
		from := 0
		if len(head) > 0 {
			from = int(head[0].End)
		}
		for off := from; off < step.size; off += 100_000 {
			if _, err := db.Archive().Append(ctx, archivetest.Next("/a", 1, data[:off], data[off:off+100_000])); err != nil {
				t.Fatal(err)
			}
		}
		if err := db.Compact(ctx); err != nil {
			t.Fatal(err)
		}
		if n := number(t, c, `SELECT coalesce(sum(len), 0) FROM segment WHERE object IS NULL`); n > step.wantHot || n == 0 {
			t.Errorf("%d bytes: %d are in the database, want %d", step.size, n, step.wantHot)
		}
		wantFile(t, db.Archive(), "/a", data[:step.size])
	}
	if len(s.wantObjects(t, c)) == 0 {
		t.Error("nothing was moved")
	}
}

func TestDeletePurges(t *testing.T) {
	s := startServers(t)
	c := s.newConfig(t)
	db := openDB(t, c)
	files := map[string][]byte{}
	for i := range 8 {
		path := fmt.Sprint("/f", i)
		files[path] = randomBytes(uint64(i), 200_000)
		store(t, db.Archive(), path, files[path], 90_000)
	}
	if err := db.Compact(ctx); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/f1", "/f6", "/f0", "/f2", "/f3", "/f4", "/f5", "/f7"} {
		open, err := db.Archive().OpenGeneration(ctx, path, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Archive().DeleteFile(ctx, path); err != nil {
			t.Fatal(err)
		}
		wantDeletedBytes(t, db, true)
		if err := db.Compact(ctx); err != nil {
			t.Fatal(err)
		}
		wantDeletedBytes(t, db, false)
		delete(files, path)
		s.wantObjects(t, c)
		if _, err := open.ReadAt(make([]byte, 10), 0); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is read after it was deleted: %v", path, err)
		}
		for path, data := range files {
			wantFile(t, db.Archive(), path, data)
		}
	}
	if n := number(t, c, `SELECT (SELECT count(*) FROM object) + (SELECT count(*) FROM segment) + (SELECT count(*) FROM generation) + (SELECT count(*) FROM stored_file)`); n != 0 {
		t.Errorf("%d rows stay", n)
	}
}

func wantDeletedBytes(t *testing.T, db *postgres.DB, want bool) {
	t.Helper()
	if got, err := db.HasDeletedBytes(ctx); err != nil || got != want {
		t.Errorf("S3 has deleted bytes: %t, %v; want %t", got, err, want)
	}
}

// An object whose upload was interrupted is deleted, but not one that may still be uploaded.
func TestOrphans(t *testing.T) {
	s := startServers(t)
	c := s.newConfig(t)
	db := openDB(t, c)
	for key, age := range map[string]string{"old": "2 hours", "new": "1 minute"} {
		if _, err := s.s3.Client(t).PutObject(ctx, c.Blobs.Bucket, c.Blobs.Prefix+key, strings.NewReader("x"), 1, minio.PutObjectOptions{}); err != nil {
			t.Fatal(err)
		}
		number(t, c, `INSERT INTO object (key, size, created) VALUES ($1, 1, now() - $2::text::interval) RETURNING 1`, c.Blobs.Prefix+key, age)
	}
	if err := db.Compact(ctx); err != nil {
		t.Fatal(err)
	}
	var left []string
	for o := range s.s3.Client(t).ListObjects(ctx, c.Blobs.Bucket, minio.ListObjectsOptions{Recursive: true}) {
		left = append(left, o.Key)
	}
	if !slices.Equal(left, []string{c.Blobs.Prefix + "new"}) || number(t, c, `SELECT count(*) FROM object`) != 1 {
		t.Errorf("objects %v", left)
	}
}

// While S3 is down, bytes stay in the database up to the quota.
func TestS3Down(t *testing.T) {
	s := startServers(t)
	c := s.newConfig(t)
	c.HotQuota = 1 << 20
	db := openDB(t, c)
	moved, hot := randomBytes(1, 300_000), randomBytes(2, 2<<20)
	store(t, db.Archive(), "/moved", moved, 100_000)
	if err := db.Compact(ctx); err != nil {
		t.Fatal(err)
	}
	s.s3.Stop()
	stored, err := 0, error(nil)
	for err == nil && stored < len(hot) {
		if _, err = db.Archive().Append(ctx, archivetest.Next("/hot", 1, hot[:stored], hot[stored:stored+100_000])); err == nil {
			stored += 100_000
		}
	}
	if !errors.Is(err, postgres.ErrFull) || stored < 800_000 || stored > 1<<20 {
		t.Fatalf("%d bytes were stored, then: %v", stored, err)
	}
	if err := db.Compact(ctx); err == nil {
		t.Error("moved bytes to a server that is down")
	}
	wantFile(t, db.Archive(), "/hot", hot[:stored])
	f, err := openDB(t, c).Archive().OpenGeneration(ctx, "/moved", 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.ReadAt(make([]byte, 1), 0); err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, archive.ErrDamaged) {
		t.Errorf("bytes in S3: %v", err)
	}
	// What is stored is confirmed also when nothing more is accepted.
	if _, err := db.Archive().Append(ctx, archivetest.Next("/hot", 1, hot[:100_000], hot[100_000:200_000])); err != nil {
		t.Error(err)
	}

	s.s3.Start()
	if err := db.Compact(ctx); err != nil {
		t.Fatal(err)
	}
	for ; stored < 1_500_000; stored += 100_000 {
		if _, err := db.Archive().Append(ctx, archivetest.Next("/hot", 1, hot[:stored], hot[stored:stored+100_000])); err != nil {
			t.Fatal(err)
		}
	}
	wantFile(t, db.Archive(), "/hot", hot[:stored])
	if got, err := f.ReadAt(make([]byte, 7), 5); err != nil || got != 7 {
		t.Errorf("the open file: %v", err)
	}
	s.wantObjects(t, c)
}
