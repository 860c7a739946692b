package watch_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"sessiontree/internal/session/watch"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// seen collects changed paths and lets a test wait for one.
type seen struct {
	t     testing.TB
	paths chan string
}

// visitDirs visits all directories under roots, and the roots themselves.
func visitDirs(visit func(string), roots ...string) {
	for _, root := range roots {
		if _, err := os.Stat(root); err != nil {
			visit(root)
			continue
		}
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if path == root || err == nil && d.IsDir() { // a root may have gone since
				visit(path)
			}
			return nil
		})
	}
}

// start watches roots until the test ends. Without intervals only events are reported.
func start(t testing.TB, c watch.Config, roots ...string) (*watch.Watcher, *seen) {
	t.Helper()
	s := &seen{t: t, paths: make(chan string, 1000)}
	c.OnChange = func(path string) { s.paths <- path }
	if c.VisitDirs == nil {
		c.VisitDirs = func(_ context.Context, visit func(string)) { visitDirs(visit, roots...) }
	}
	if c.VisitDirsUnder == nil {
		c.VisitDirsUnder = func(_ context.Context, path string, visit func(string)) { visitDirs(visit, path) }
	}
	c.AllEvery = or(c.AllEvery, time.Hour)
	c.ViewedEvery = or(c.ViewedEvery, time.Hour)
	w, err := watch.New(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	<-w.Ready()
	return w, s
}

func or(d, otherwise time.Duration) time.Duration {
	if d == 0 {
		return otherwise
	}
	return d
}

// wait waits until one of paths was reported.
func (s *seen) wait(paths ...string) {
	s.t.Helper()
	late := time.After(time.Minute)
	for {
		select {
		case got := <-s.paths:
			if slices.Contains(paths, got) {
				return
			}
		case <-late:
			s.t.Fatalf("no change of %s was told", paths)
		}
	}
}

func write(t testing.TB, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func mkdir(t testing.TB, path string) {
	t.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
}

func TestWatcher_Events(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "project", "a.jsonl")
	mkdir(t, filepath.Dir(path))
	_, s := start(t, watch.Config{}, root)
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"new file", func() error { write(t, path, "1\n"); return nil }},
		{"growth", func() error { write(t, path, "2\n"); return nil }},
		{"truncated", func() error { return os.Truncate(path, 0) }},
		{"replaced", func() error { write(t, path+".tmp", "3\n"); return os.Rename(path+".tmp", path) }},
		{"mode", func() error { return os.Chmod(path, 0o600) }},
		{"deleted", func() error { return os.Remove(path) }},
	} {
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		s.wait(path)
	}
}

func TestWatcher_NewDirectories(t *testing.T) {
	root := t.TempDir()
	_, s := start(t, watch.Config{}, root)
	dir := filepath.Join(root, "a", "b", "c")
	mkdir(t, dir)
	s.wait(dir)
	path := filepath.Join(dir, "x.jsonl")
	write(t, path, "1\n")
	s.wait(path, dir)

	if err := os.RemoveAll(filepath.Join(root, "a")); err != nil {
		t.Fatal(err)
	}
	s.wait(filepath.Join(root, "a"))
	mkdir(t, dir)
	s.wait(dir)
	write(t, path, "2\n")
	s.wait(path, dir)
}

func TestWatcher_RootThatComesAndGoes(t *testing.T) {
	for _, test := range []struct {
		name string
		c    watch.Config
	}{
		{"by events", watch.Config{}},
		{"by polling", watch.Config{ViewedEvery: time.Millisecond, AllEvery: time.Millisecond}},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "not", "yet", "there")
			test.c.VisitDirsUnder = func(_ context.Context, path string, visit func(string)) {
				if strings.HasPrefix(path, root) { // not its parents
					visitDirs(visit, path)
				}
			}
			w, s := start(t, test.c, root)
			// A change may be reported twice, and the second report may come after the next change.
			// The number of watches shows whether the watcher has seen that one.
			waitForWatches := func(n int) {
				for s.wait(root); w.WatchCount() != n; {
					s.wait(root)
				}
			}
			path := filepath.Join(root, "x.jsonl")
			for range 3 {
				mkdir(t, root)
				waitForWatches(1)
				write(t, path, "1\n")
				s.wait(path, root)
				if err := os.RemoveAll(filepath.Dir(root)); err != nil {
					t.Fatal(err)
				}
				waitForWatches(0)
			}
		})
	}
}

func TestWatcher_BurstIsToldAtOnceAndOnceMore(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "x.jsonl")
	write(t, path, "0\n")
	const quiet = 2 * time.Second
	_, s := start(t, watch.Config{QuietTime: quiet}, root)
	began := time.Now()
	write(t, path, "1\n")
	s.wait(path)
	if d := time.Since(began); d >= quiet {
		t.Errorf("the first event was told after %v", d)
	}
	for range 500 {
		write(t, path, "2\n")
	}
	s.wait(path) // the last state is reported too
	if d := time.Since(began); d < quiet {
		t.Errorf("told again after %v, within the quiet time", d)
	}
	if n := len(s.paths); n > 2 {
		t.Errorf("told %d times more for one burst", n)
	}
}

func TestWatcher_Polling(t *testing.T) {
	// The directory is not watched, so only the poll can find it.
	path := filepath.Join(t.TempDir(), "x.jsonl")
	write(t, path, "1\n")
	w, s := start(t, watch.Config{ViewedEvery: time.Millisecond}, t.TempDir())
	done := w.ViewFile(path)
	again := w.ViewFile(path)
	write(t, path, "2\n")
	s.wait(path)
	done()
	done() // once is enough
	write(t, path, "3\n")
	s.wait(path)
	again()
}

func TestWatcher_ViewedFileOfADirectoryMadeAgain(t *testing.T) {
	root := filepath.Join(t.TempDir(), "root")
	path := filepath.Join(root, "x.jsonl")
	mkdir(t, root)
	write(t, path, "1\n")
	w, s := start(t, watch.Config{}, root)
	defer w.ViewFile(path)()
	aside := root + " aside"
	for range 3 {
		if err := os.Rename(root, aside); err != nil {
			t.Fatal(err)
		}
		s.wait(path)
		if err := os.Rename(aside, root); err != nil { // no event has the name of the file
			t.Fatal(err)
		}
		s.wait(path)
	}
}

func TestWatcher_ViewFromManyGoroutines(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "x.jsonl")
	write(t, path, "1\n")
	w, s := start(t, watch.Config{ViewedEvery: time.Millisecond}, root)
	var g sync.WaitGroup
	for range 8 {
		g.Go(func() {
			for range 50 {
				w.ViewFile(path)()
			}
		})
	}
	g.Wait()
	write(t, path, "2\n")
	s.wait(path)
}

func TestWatcher_IgnoresTemporaryFiles(t *testing.T) {
	root := t.TempDir()
	_, s := start(t, watch.Config{}, root)
	write(t, filepath.Join(root, ".x.jsonl.lock"), "1\n")
	write(t, filepath.Join(root, "x.jsonl.tmp"), "1\n")
	last := filepath.Join(root, "x.jsonl")
	write(t, last, "1\n")
	if got := <-s.paths; got != last {
		t.Errorf("told %s", got)
	}
}

func TestWatcher_EndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	w, err := watch.New(ctx, watch.Config{VisitDirs: func(context.Context, func(string)) {}, OnChange: func(string) {}})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}
