//go:build hub && unix

package postgres_test

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/archive/archivetest"
	"sessiontree/internal/session/archive/postgres"
)

// pushed returns the content of the file of that number, which all processes know.
func pushed(file int) []byte {
	return archivetest.Lines(rand.New(rand.NewPCG(uint64(file), 77)), 600_000)
}

func pushedPath(file int) string { return fmt.Sprint("/pushed/", file) }

// push appends the file in small segments, as a device does: after a failure it asks where to
// continue. It calls acknowledged for each success.
func push(db *postgres.DB, file int, acknowledged func(end int64), stop <-chan struct{}) error {
	a, data := db.Archive(), pushed(file)
	r := rand.New(rand.NewPCG(uint64(file), uint64(time.Now().UnixNano())))
	for off := int64(0); off < int64(len(data)); {
		select {
		case <-stop:
			return nil
		default:
		}
		end := min(off+1+r.Int64N(9000), int64(len(data)))
		head, err := a.Append(ctx, archivetest.Next(pushedPath(file), 1, data[:off], data[off:end]))
		var conflict *archive.ConflictError
		switch {
		case err == nil:
			off = head.End
			acknowledged(head.End)
		case errors.As(err, &conflict):
			if conflict.Head.End < off {
				return fmt.Errorf("%s: %d bytes were acknowledged: %w", pushedPath(file), off, err)
			}
			off = conflict.Head.End
		default: // a server is down
			time.Sleep(20 * time.Millisecond)
		}
	}
	return nil
}

// acks is how much of each file was acknowledged.
type acks struct {
	mu   sync.Mutex
	ends map[int]int64
}

func (a *acks) note(file int, end int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ends[file] = max(a.ends[file], end)
}

func (a *acks) total() (n int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, end := range a.ends {
		n += end
	}
	return n
}

// wantPushed fails unless each file has what was acknowledged, and perhaps more of its bytes.
func (a *acks) wantPushed(t *testing.T, db *postgres.DB) {
	t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	for file, end := range a.ends {
		heads, err := db.Archive().Heads(ctx, pushedPath(file))
		if err != nil || len(heads) != 1 || heads[0].End < end {
			t.Fatalf("file %d: %+v, %v; %d bytes were acknowledged", file, heads, err, end)
		}
		wantFile(t, db.Archive(), pushedPath(file), pushed(file)[:heads[0].End])
	}
}

// PostgreSQL is stopped and killed while two processes of a hub append and a third compacts.
func TestPostgresDies(t *testing.T) {
	s := startServers(t, "fsync=on", "full_page_writes=on")
	c := s.newConfig(t)
	dbs, got := []*postgres.DB{openDB(t, c), openDB(t, c)}, &acks{ends: map[int]int64{}}
	var group sync.WaitGroup
	for i := range 8 { // two for each file
		group.Go(func() {
			if err := push(dbs[i%2], i/2, func(end int64) { got.note(i/2, end) }, nil); err != nil {
				t.Error(err)
			}
		})
	}
	finished := make(chan struct{})
	go func() {
		group.Wait()
		close(finished)
	}()
	var compacting sync.WaitGroup
	compacting.Go(func() {
		for running := true; running; {
			_ = dbs[0].Compact(ctx) // fails while a server is down
			select {
			case <-finished:
				running = false
			default:
			}
		}
	})
	for i, part := range []int64{1, 2, 3, 4, 5} {
		waitUntil(t, func() bool { return got.total() >= part*300_000 })
		if i%2 == 0 {
			s.pg.Kill()
		} else {
			s.pg.Stop()
		}
		s.pg.Start()
	}
	<-finished
	compacting.Wait()
	for file := range 4 {
		got.note(file, int64(len(pushed(file))))
	}
	got.wantPushed(t, openDB(t, c))
	s.sweep(t, c)
	got.wantPushed(t, openDB(t, c))
}

// sweep compacts after the time when interrupted uploads are removed. No bytes are left that
// nothing needs.
func (s *servers) sweep(t *testing.T, c postgres.Config) {
	t.Helper()
	number(t, c, `WITH u AS (UPDATE object SET created = created - interval '2 hours' RETURNING 1) SELECT count(*) FROM u`)
	db := openDB(t, c)
	for number(t, c, `SELECT count(*) FROM object WHERE NOT written OR dirty`) > 0 {
		if err := db.Compact(ctx); err != nil { // or another process does
			t.Fatal(err)
		}
	}
	s.wantObjects(t, c)
}

func waitUntil(t *testing.T, is func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("nothing happens")
		}
	}
}

// writerEnv is the address of the database for a process of TestProcessDies.
const writerEnv = "HUB_WRITER"

func TestMain(m *testing.M) {
	if os.Getenv(writerEnv) != "" {
		runWriter()
	}
	os.Exit(m.Run())
}

// runWriter is a process of a hub: it appends to the files and compacts until it is killed.
func runWriter() {
	endpoint, bucket, _ := strings.Cut(os.Getenv("HUB_S3"), " ")
	db, err := postgres.Open(ctx, postgres.Config{
		URL:          os.Getenv(writerEnv),
		Blobs:        postgres.Blobs{Bucket: bucket, Prefix: "segments/", Endpoint: endpoint, AccessKey: os.Getenv("HUB_ACCESS"), SecretKey: os.Getenv("HUB_SECRET")},
		CompactEvery: time.Millisecond, MinObject: 1, MaxObject: 1 << 18, IdleAfter: time.Nanosecond,
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var mu sync.Mutex
	var group sync.WaitGroup
	for file := range 4 {
		group.Go(func() {
			err := push(db, file, func(end int64) {
				mu.Lock()
				defer mu.Unlock()
				fmt.Println(file, end)
			}, nil)
			if err != nil {
				fmt.Println("FAILED", err)
			}
		})
	}
	group.Wait()
	os.Exit(0)
}

// Two processes of a hub append to the same files. They are killed at any point and started
// again, until all is stored.
func TestProcessDies(t *testing.T) {
	s := startServers(t)
	c := s.newConfig(t)
	got, kills := &acks{ends: map[int]int64{}}, 0
	var group sync.WaitGroup
	var mu sync.Mutex
	for range 2 {
		group.Go(func() {
			for n := 0; got.total() < 4*600_000 && n < 200; n++ {
				if runUntilKilled(t, s, c, got, 1+rand.IntN(100)) {
					mu.Lock()
					kills++
					mu.Unlock()
				}
			}
		})
	}
	group.Wait()
	if kills < 2 {
		t.Errorf("only %d processes were killed", kills)
	}
	if got.total() != 4*600_000 {
		t.Errorf("%d bytes were acknowledged", got.total())
	}
	db := openDB(t, c)
	got.wantPushed(t, db)
	s.sweep(t, c)
	got.wantPushed(t, db)
	t.Logf("%d processes were killed", kills)
}

// runUntilKilled runs a writer until it has stored so many segments and a moment has passed, and
// reports whether it was killed. All segments are several hundred.
func runUntilKilled(t *testing.T, s *servers, c postgres.Config, got *acks, segments int) bool {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), writerEnv+"="+c.URL, "HUB_S3="+s.s3.Endpoint+" "+c.Blobs.Bucket, "HUB_ACCESS="+s.s3.AccessKey, "HUB_SECRET="+s.s3.SecretKey)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Error(err)
		return false
	}
	timer := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	stored := 0
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if stored++; stored == segments {
			timer.Reset(rand.N(10 * time.Millisecond))
		}
		name, value, _ := strings.Cut(lines.Text(), " ")
		file, err1 := strconv.Atoi(name)
		end, err2 := strconv.ParseInt(value, 10, 64)
		if errors.Join(err1, err2) != nil {
			t.Errorf("a writer says %q", lines.Text())
			continue
		}
		got.note(file, end)
	}
	err = cmd.Wait()
	return !timer.Stop() && err != nil
}
