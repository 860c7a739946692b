package serve

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"sessiontree/internal/cli/statedir"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/store"
)

//go:embed all:demo
var demoFiles embed.FS

// findRoots returns the directories to show: dirs if any are given, else all known ones.
// Without any session it adds the demo, so that the first real session appears next to
// it. cleanup removes the copy of the demo.
func findRoots(ctx context.Context, o *Options, c Config, dirs []string) (roots []string, cleanup func(), err error) {
	if len(dirs) > 0 {
		return dirs, func() {}, nil
	}
	if o.demo {
		return addDemoRoot(nil)
	}
	known := format.SessionDirs(c.Home, os.Getenv)
	found, err := hasAnySession(ctx, known)
	if err != nil || found {
		return known, func() {}, err
	}
	fmt.Fprintln(c.Err, "explorer: no sessions found, showing the built-in demo")
	return addDemoRoot(known)
}

// hasAnySession reports whether dirs contain a session file.
func hasAnySession(ctx context.Context, dirs []string) (bool, error) {
	lib, err := store.New(store.Config{Formats: format.All, Roots: dirs})
	if err != nil {
		return false, err
	}
	walk, stop := context.WithCancel(ctx)
	defer stop()
	found := false
	err = lib.Roots().WalkFiles(walk, func(roots.File) {
		found = true
		stop()
	})
	if found || errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return found, err
}

// addDemoRoot copies the demo to a private directory and adds it to the roots.
func addDemoRoot(roots []string) ([]string, func(), error) {
	dir, cleanup, err := makeDemoDir()
	if err != nil {
		return nil, nil, fmt.Errorf("demo: %w", err)
	}
	if err := copyDemo(dir); err != nil {
		cleanup()
		return nil, nil, fmt.Errorf("demo: %w", err)
	}
	return append(roots, dir), cleanup, nil
}

// makeDemoDir creates an empty directory for the demo. It is the same at each start, so that
// links to the sessions stay valid, unless another explorer uses it.
func makeDemoDir() (dir string, cleanup func(), err error) {
	if dir, cleanup, err := makeCachedDemoDir(statedir.CacheDir()); err == nil {
		return dir, cleanup, nil
	}
	dir, err = os.MkdirTemp("", "session-explorer-demo-") // mode 0700
	return dir, func() { _ = os.RemoveAll(dir) }, err
}

var errDemoInUse = errors.New("another explorer shows the demo")

// makeCachedDemoDir is makeDemoDir in a cache directory. Nothing is left there afterwards but
// a lock file.
func makeCachedDemoDir(cacheDir string) (dir string, cleanup func(), err error) {
	if cacheDir == "" {
		return "", nil, fs.ErrNotExist
	}
	if err := os.MkdirAll(cacheDir, 0o700); err != nil {
		return "", nil, err
	}
	lock, err := os.OpenFile(filepath.Join(cacheDir, "demo.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return "", nil, err
	}
	dir = filepath.Join(cacheDir, "demo")
	if !safefile.TryLock(lock) {
		return "", nil, errors.Join(errDemoInUse, lock.Close())
	}
	err = os.RemoveAll(dir) // of an explorer that was killed
	if err == nil {
		err = os.Mkdir(dir, 0o700)
	}
	if err != nil {
		return "", nil, errors.Join(err, lock.Close())
	}
	return dir, func() {
		_ = os.RemoveAll(dir)
		_ = lock.Close()
	}, nil
}

func copyDemo(dir string) error {
	sub, err := fs.Sub(demoFiles, "demo")
	if err != nil {
		return err
	}
	return fs.WalkDir(sub, ".", func(name string, d fs.DirEntry, err error) error {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err != nil || name == "." {
			return err
		}
		if d.IsDir() {
			return os.Mkdir(to, 0o700)
		}
		data, err := fs.ReadFile(sub, name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(to, data, 0o600); err != nil {
			return err
		}
		// A file with a new modification time would look live.
		old := time.Now().Add(-time.Hour)
		return os.Chtimes(to, old, old)
	})
}
