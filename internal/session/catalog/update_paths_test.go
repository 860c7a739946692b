package catalog_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/store"
)

// Updating a file costs the same in a large library as in a small one.
func TestUpdatePaths_ReadsNothingElse(t *testing.T) {
	const sessions = 300
	root := t.TempDir()
	var files []string
	for i := range sessions {
		files = append(files, filepath.Join(root, fmt.Sprintf("p%d", i), "s.jsonl"))
		write(t, files[i], header(fmt.Sprint(i)), user("1", "", 1, "words"))
	}
	c := filled(t, "", root)
	before := c.Visited()
	for i, path := range files {
		add(t, path, user("2", "1", 2, "more"))
		c.UpdatePaths(ctx, path, filepath.Join(filepath.Dir(path), fmt.Sprintf("never-there-%d.jsonl", i)))
	}
	if n := c.Visited() - before; n > 4*sessions {
		t.Errorf("%d touched files had %d known paths looked at", sessions, n)
	}
	for _, s := range c.Sessions() {
		if s.Entries != 2 {
			t.Fatalf("%s has %d entries, want 2", s.Path, s.Entries)
		}
	}

	before = c.Visited()
	if err := os.RemoveAll(filepath.Dir(files[0])); err != nil {
		t.Fatal(err)
	}
	c.UpdatePaths(ctx, filepath.Dir(files[0]), files[0])
	if n := c.Visited() - before; n > 4 {
		t.Errorf("a directory of one file had %d known paths looked at", n)
	}
	if n := len(c.Sessions()); n != sessions-1 {
		t.Errorf("%d sessions are left, want %d", n, sessions-1)
	}
}

// BenchmarkUpdatePathsMany updates one session among many after an appended line.
func BenchmarkUpdatePathsMany(b *testing.B) {
	for _, sessions := range []int{1_000, 20_000} {
		b.Run(fmt.Sprint(sessions), func(b *testing.B) {
			root := b.TempDir()
			for i := range sessions {
				write(b, filepath.Join(root, fmt.Sprintf("p%d", i), "s.jsonl"), header(fmt.Sprint(i)), user("0", "", 1, "words"))
			}
			c := catalog.New(catalog.Config{Library: library(b, root)})
			fill(b, c)
			path, n := filepath.Join(root, "p0", "s.jsonl"), 0
			for b.Loop() {
				n++
				add(b, path, user(fmt.Sprint(n), fmt.Sprint(n-1), 2, "more"))
				c.UpdatePaths(ctx, path)
			}
		})
	}
}

// A new session is listed while the update of an open one waits for its lock, whatever
// the order of their paths, also if only their directory is updated.
func TestUpdatePaths_NewSessionDoesNotWait(t *testing.T) {
	t.Run("paths", func(t *testing.T) {
		testNewSessionDoesNotWait(t, func(_ string, paths ...string) []string { return paths })
	})
	t.Run("directory", func(t *testing.T) {
		testNewSessionDoesNotWait(t, func(root string, _ ...string) []string { return []string{root} })
	})
}

// testNewSessionDoesNotWait updates what choose returns of the root and the changed paths in it.
func testNewSessionDoesNotWait(t *testing.T, choose func(root string, paths ...string) []string) {
	t.Helper()
	root := t.TempDir()
	inUse, first, last := filepath.Join(root, "b.jsonl"), filepath.Join(root, "a.jsonl"), filepath.Join(root, "c.jsonl")
	write(t, inUse, header("b"), user("1", "", 1, "words"))
	lib := library(t, root)
	c := catalog.New(catalog.Config{Library: lib})
	fill(t, c)
	sess, err := lib.Open(ctx, inUse)
	if err != nil {
		t.Fatal(err)
	}
	locked, release, released := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(released)
		_ = sess.Summarize(ctx, func(store.ReadSummary) {
			close(locked)
			<-release
		})
	}()
	<-locked
	write(t, inUse, header("b"), user("2", "", 1, "rewritten")) // not an append: the session has to be read
	write(t, first, header("a"), user("1", "", 1, "words"))
	write(t, last, header("c"), user("1", "", 1, "words"))
	updated := make(chan struct{})
	go func() {
		defer close(updated)
		c.UpdatePaths(ctx, choose(root, inUse, last, first)...)
	}()
	for deadline := time.Now().Add(time.Minute); len(c.Sessions()) < 3; runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatal("the new sessions are not listed while the open one is in use")
		}
	}
	select {
	case <-updated:
		t.Error("the open session was not in use: the test shows nothing")
	default:
	}
	close(release)
	<-released
	<-updated
}

// A walk of a directory that began before a session was created ends after the session was
// listed.
func TestUpdatePaths_concurrent(t *testing.T) {
	dir := t.TempDir()
	c := filled(t, "", dir)
	for i := range 200 {
		path := filepath.Join(dir, fmt.Sprint(i, ".jsonl"))
		var walk sync.WaitGroup
		walk.Go(func() { c.UpdatePaths(ctx, dir) })
		write(t, path, header(fmt.Sprint("s", i)))
		c.UpdatePaths(ctx, path)
		walk.Wait()
		if n := len(c.Sessions()); n != i+1 {
			t.Fatalf("%d sessions are listed, want %d", n, i+1)
		}
	}
}

// The directories above a root are reported with the files in it when all of them are
// created at once.
func TestUpdatePaths_ParentOfRoot(t *testing.T) {
	home := t.TempDir()
	root := filepath.Join(home, "agent", "sessions")
	c := filled(t, "", root)
	path := filepath.Join(root, "project", "s.jsonl")
	write(t, path, header("1"), user("1", "", 1, "words"))
	c.UpdatePaths(ctx, filepath.Join(home, "agent"), root, filepath.Dir(path), path)
	if n := len(c.Sessions()); n != 1 {
		t.Errorf("%d sessions are listed, want the new one", n)
	}
}

// An added line may tell which agent writes a file that could be of two.
func TestUpdatePaths_AgentBecomesKnown(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	write(t, path, header("1"), user("1", "", 1, "words"))
	c := filled(t, "", filepath.Dir(path))
	before := c.Sessions()[0]
	add(t, path, line("mode_change", "2", "1", 2, `,"mode":"plan"`))
	c.UpdatePaths(ctx, path)
	now := c.Sessions()[0]
	if before.Format != "pi" || now.Format != "omp" || now.Entries != 2 {
		t.Errorf("listed as %s, then as %s with %d entries; want pi, then omp with 2", before.Format, now.Format, now.Entries)
	}
	if moved, ok := c.FindByKey(before.Key); !ok || moved.Key != now.Key {
		t.Errorf("the earlier key finds %q, want %q", moved.Key, now.Key)
	}
}
