package serve

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"sessiontree/internal/cli/statedir"
	"sessiontree/internal/session/filehistory"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/store"
)

//go:embed all:demo
var demoFiles embed.FS

// sessionRoots are the directories to show.
type sessionRoots struct {
	dirs     []string // of sessions
	own      []string // the same without the demo
	projects []filehistory.ProjectDir
	cleanup  func() // removes the copy of the demo
}

// findRoots returns the directories to show: dirs if any are given, else all known ones.
// Without any session it adds the demo, so that the first real session appears next to
// it.
func findRoots(ctx context.Context, o *Options, c Config, dirs []string) (sessionRoots, error) {
	r := sessionRoots{dirs: dirs, own: dirs, cleanup: func() {}}
	for _, dir := range o.projectDirs {
		r.projects = append(r.projects, filehistory.ProjectDir{Path: dir, Root: dir})
	}
	switch {
	case len(dirs) > 0:
		return r, nil
	case o.demo:
		err := r.addDemo()
		return r, err
	}
	r.own = format.SessionDirs(c.Home, os.Getenv)
	r.dirs = slices.Clone(r.own)
	if found, err := hasAnySession(ctx, r.dirs); err != nil || found {
		return r, err
	}
	fmt.Fprintln(c.Err, "explorer: no sessions found, showing the built-in demo")
	err := r.addDemo()
	return r, err
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

// demoProjects maps the directories of projects in the demo to where their files are in it.
var demoProjects = map[string]string{"/home/dev/tides": "_project/tides", "/home/dev/atlas": "_project/atlas"}

// addDemo copies the demo to a private directory and adds it to the directories.
func (r *sessionRoots) addDemo() error {
	dir, cleanup, err := makeDemoDir()
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	if err := copyDemo(dir, time.Now()); err != nil {
		cleanup()
		return fmt.Errorf("demo: %w", err)
	}
	for _, path := range slices.Sorted(maps.Keys(demoProjects)) {
		r.projects = append(r.projects, filehistory.ProjectDir{Path: path, Root: filepath.Join(dir, filepath.FromSlash(demoProjects[path]))})
	}
	r.dirs, r.cleanup = append(r.dirs, dir), cleanup
	return nil
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

// freshSamples are sessions of the demo that seem to be open, with their age.
var freshSamples = map[string]time.Duration{
	"claude/-home-dev-tides/5d1c7a90-4b1e-4c57-9a57-0f1e00000003.jsonl":                         9 * time.Minute,
	"pi/--home-dev-atlas--/2026-11-20T08-50-00-000Z_0a6c1f52-7d1e-4b0e-9a51-c1a5e0f00004.jsonl": 40 * time.Second,
}

func copyDemo(dir string, now time.Time) error {
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
		wrote := now.Add(-time.Hour) // a file with a new modification time would look live
		if age, fresh := freshSamples[name]; fresh {
			wrote = now.Add(-age)
			data = shiftTimes(data, wrote)
		} else if last := lastTimestamp(data); !last.IsZero() && last.Before(wrote) {
			wrote = last
		}
		if err := os.WriteFile(to, data, 0o600); err != nil {
			return err
		}
		return os.Chtimes(to, wrote, wrote)
	})
}

// timestampField matches a time of a line: a text, or milliseconds.
var timestampField = regexp.MustCompile(`("timestamp":)("[^"]+"|\d+)`)

// lastTimestamp returns the latest time of a session, zero if it has none.
func lastTimestamp(data []byte) (last time.Time) {
	for _, m := range timestampField.FindAllSubmatch(data, -1) {
		if t, ok := parseTimestamp(m[2]); ok && t.After(last) {
			last = t
		}
	}
	return last
}

// shiftTimes moves the times of a session so that the last one is end.
func shiftTimes(data []byte, end time.Time) []byte {
	last := lastTimestamp(data)
	return timestampField.ReplaceAllFunc(data, func(field []byte) []byte {
		key, value, _ := bytes.Cut(field, []byte(":"))
		t, ok := parseTimestamp(value)
		if !ok {
			return field
		}
		t = t.Add(end.Sub(last))
		if value[0] == '"' {
			return fmt.Appendf(nil, "%s:%q", key, t.UTC().Format("2006-01-02T15:04:05.000Z"))
		}
		return fmt.Appendf(nil, "%s:%d", key, t.UnixMilli())
	})
}

func parseTimestamp(value []byte) (time.Time, bool) {
	if value[0] != '"' {
		ms, err := strconv.ParseInt(string(value), 10, 64)
		return time.UnixMilli(ms), err == nil
	}
	t, err := time.Parse(time.RFC3339, string(bytes.Trim(value, `"`)))
	return t, err == nil
}
