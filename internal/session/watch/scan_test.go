package watch_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"sessiontree/internal/session/watch"
)

// The cost of a new directory depends on its content, not on its siblings.
func TestWatcher_NewDirectoryIsScannedAlone(t *testing.T) {
	const old, made = 100, 20
	root := t.TempDir()
	for i := range old {
		mkdir(t, filepath.Join(root, fmt.Sprintf("old-%d", i)))
	}
	var visited atomic.Int64
	count := func(visit func(string)) func(string) {
		return func(dir string) {
			visited.Add(1)
			visit(dir)
		}
	}
	_, s := start(t, watch.Config{
		VisitDirs: func(_ context.Context, visit func(string)) { visitDirs(count(visit), root) },
		VisitDirsUnder: func(_ context.Context, path string, visit func(string)) {
			visitDirs(count(visit), path)
		},
	}, root)
	visited.Store(0)
	for i := range made {
		dir := filepath.Join(root, fmt.Sprintf("new-%d", i), "below")
		mkdir(t, dir)
		s.wait(dir)
		path := filepath.Join(dir, "x.jsonl")
		write(t, path, "1\n")
		s.wait(path, dir) // the directory if its watch came after the file
	}
	if n := visited.Load(); n > 10*made {
		t.Errorf("%d directories were visited for %d new ones", n, 2*made)
	}
}

// A full scan takes seconds in a large library. Changes during it are reported
// nevertheless.
func TestWatcher_ReportsDuringAScan(t *testing.T) {
	root := t.TempDir()
	scans, scanning, end := 0, make(chan bool), make(chan bool)
	w, s := start(t, watch.Config{AllEvery: time.Millisecond, VisitDirs: func(ctx context.Context, visit func(string)) {
		visitDirs(visit, root)
		if scans++; scans == 2 {
			close(scanning)
			select {
			case <-end:
			case <-ctx.Done():
			}
		}
	}}, root)
	<-scanning
	path := filepath.Join(root, "x.jsonl")
	write(t, path, "1\n")
	s.wait(path)
	dir := filepath.Join(root, "new")
	mkdir(t, dir)
	s.wait(dir)
	close(end)
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// Without events, the poll finds changes and reports them once.
func TestWatcher_PollFindsFiles(t *testing.T) {
	root, elsewhere := t.TempDir(), t.TempDir()
	path := filepath.Join(root, "x.jsonl")
	write(t, path, "1\n")
	listed := atomic.Bool{}
	_, s := start(t, watch.Config{AllEvery: time.Millisecond, VisitDirs: func(_ context.Context, visit func(string)) {
		visit(elsewhere)
		if listed.Load() {
			visit(root)
		}
	}}, root)
	listed.Store(true)
	s.wait(root)
	s.wait(path)
	for len(s.paths) > 0 {
		<-s.paths
	}
	last := filepath.Join(root, "y.jsonl")
	write(t, last, "1\n")
	s.wait(last)
	for len(s.paths) > 0 {
		if got := <-s.paths; got != last {
			t.Errorf("%s is reported again", got)
		}
	}
}

// The first page must not wait for many directories to be watched.
func TestNew_DoesNotWaitForTheDirectories(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "x.jsonl")
	write(t, path, "1\n")
	began, goOn, s := make(chan *watch.Watcher, 1), make(chan bool), &seen{t: t, paths: make(chan string, 1000)}
	go func() {
		w, err := watch.New(context.Background(), watch.Config{
			ViewedEvery: time.Millisecond,
			OnChange:    func(path string) { s.paths <- path },
			VisitDirs: func(_ context.Context, visit func(string)) {
				<-goOn
				visit(root)
			},
		})
		if err != nil {
			t.Error(err)
		}
		began <- w
	}()
	var w *watch.Watcher
	select {
	case w = <-began:
	case <-time.After(time.Minute):
		close(goOn)
		t.Fatal("New waits for the directories")
	}
	defer w.Close()
	defer w.ViewFile(path)()
	write(t, path, "2\n")
	s.wait(path) // viewed files are followed
	select {
	case <-w.Ready():
		t.Error("ready before the directories are watched")
	default:
	}
	close(goOn)
	<-w.Ready()
	other := filepath.Join(root, "y.jsonl")
	write(t, other, "1\n")
	s.wait(other)
}
