package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"sessiontree/internal/session"
)

// root is one directory under which files may be read, or one file. It keeps no
// handle: every operation opens the directory anew, so that a directory deleted
// and made again is simply the new one.
type root struct {
	configured string // as configured, absolute
	link       string // the link inside another root that led here, "" for configured roots

	mu       sync.Mutex
	dir      string // canonical directory; arg itself as long as it does not exist
	fileName string // name of the file when the root is a single file
}

// place is a file inside a root.
type place struct {
	root *root
	dir  string // the root's canonical directory
	rel  string // slash or backslash separated, as the system wants it
	path string // dir + rel: the canonical path
	// isFileRoot: the root is this file, whatever its name.
	isFileRoot bool
	// wholeDir: not the session of this file alone but all in its directory.
	wholeDir bool
	// watched: somebody is told of its changes, and what its agent takes back is kept.
	watched bool
}

func newRoot(arg string) (*root, error) {
	abs, err := filepath.Abs(arg)
	if err != nil {
		return nil, fmt.Errorf("root %s: %w", arg, err)
	}
	r := &root{configured: abs, dir: abs}
	if err := r.resolveRoot(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("root %s: %w", arg, err)
	}
	return r, nil
}

// resolveRoot looks again where the configured path leads.
func (r *root) resolveRoot() error {
	real, err := filepath.EvalSymlinks(r.configured)
	if err != nil {
		return err
	}
	info, err := os.Stat(real)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dir, r.fileName = real, ""
	if !info.IsDir() {
		r.dir, r.fileName = filepath.Split(real)
		r.dir = filepath.Clean(r.dir)
	}
	return nil
}

// canonicalDir answers the canonical directory and, for a single file, its name.
func (r *root) canonicalDir() (dir, only string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.dir, r.fileName
}

// canonicalPath is the root's path as File.Root tells it.
func (r *root) canonicalPath() string {
	dir, only := r.canonicalDir()
	return filepath.Join(dir, only)
}

// placeInRoot answers the place of a path in the root, whether it was written with the
// configured path or the canonical one.
func (r *root) placeInRoot(path string) (place, bool) {
	dir, only := r.canonicalDir()
	if only != "" {
		if path != r.configured && path != filepath.Join(dir, only) {
			return place{}, false
		}
		return place{root: r, dir: dir, rel: only, path: filepath.Join(dir, only), isFileRoot: true}, true
	}
	for _, base := range []string{dir, r.configured} {
		if rel, ok := relativeTo(base, path); ok {
			return place{root: r, dir: dir, rel: rel, path: filepath.Join(dir, rel)}, true
		}
	}
	return place{}, false
}

// relativeTo answers path relative to base when it lies in or is base.
func relativeTo(base, path string) (string, bool) {
	if path == base {
		return ".", true
	}
	if !strings.HasSuffix(base, string(filepath.Separator)) {
		base += string(filepath.Separator)
	}
	rel, ok := strings.CutPrefix(path, base)
	return rel, ok && filepath.IsLocal(rel)
}

// allRoots lists the roots, those found by links last.
func (l *Library) allRoots() []*root {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append(append([]*root(nil), l.roots...), l.links...)
}

// Roots lists the configured roots.
func (l *Library) Roots() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var args []string
	for _, r := range l.roots {
		args = append(args, r.configured)
	}
	return args
}

// locatePath finds the root a path lies in.
func (l *Library) locatePath(path string) (place, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return place{}, fmt.Errorf("%s: %w", path, err)
	}
	roots := l.allRoots()
	for _, r := range roots {
		if at, ok := r.placeInRoot(abs); ok {
			return at, nil
		}
	}
	for _, r := range roots { // a root may have been made, or its link moved, since
		if r.resolveRoot() == nil {
			if at, ok := r.placeInRoot(abs); ok {
				return at, nil
			}
		}
	}
	return place{}, fmt.Errorf("%s is in no configured directory: %w", path, session.ErrNotFound)
}

// openFile opens the file through its root, which refuses every way out of it.
func (at place) openFile() (*os.File, fs.FileInfo, error) {
	dir, err := os.OpenRoot(at.dir)
	if err != nil {
		return nil, nil, at.pathError(err)
	}
	defer dir.Close()
	return at.openFileIn(dir)
}

// openFileIn is open in a directory that is open already.
func (at place) openFileIn(dir *os.Root) (*os.File, fs.FileInfo, error) {
	f, info, err := openRegularIn(dir, at.rel)
	if err != nil {
		return nil, nil, at.pathError(err)
	}
	return f, info, nil
}

// pathError words an error of the file system with the whole path. What is missing
// is session.ErrNotFound too.
func (at place) pathError(err error) error {
	reason := err
	var pe *fs.PathError
	if errors.As(err, &pe) {
		reason = pe.Err
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w (%w)", at.path, reason, session.ErrNotFound)
	}
	return fmt.Errorf("%s: %w", at.path, reason)
}

// ContainsPath reports whether a path lies in a root.
func (l *Library) ContainsPath(path string) bool {
	for _, r := range l.allRoots() {
		if _, ok := r.placeInRoot(path); ok {
			return true
		}
	}
	return false
}
