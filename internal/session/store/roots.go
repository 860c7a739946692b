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
	"sessiontree/internal/session/safefile"
)

// root is a directory under which files may be read, or a single file. It keeps no
// handle: every operation opens the directory again, so that a directory that was
// deleted and created again is found.
type root struct {
	configured string // path from the configuration, absolute
	link       string // the link in another root that led here, "" for configured roots

	mu       sync.Mutex
	dir      string // canonical directory; configured while it does not exist
	fileName string // name of the file if the root is a single file
}

// place is a file inside a root.
type place struct {
	root *root
	dir  string // the root's canonical directory
	rel  string // relative to dir, with the separators of the system
	path string // dir + rel, the canonical path
	// isFileRoot is set if the root is this file, whatever its name.
	isFileRoot bool
	// wholeDir is set for all sessions in the directory of the file.
	wholeDir bool
	// watched is set if changes are reported. Lines that the agent retracts are then
	// kept.
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

// resolveRoot resolves the configured path again.
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

// canonicalDir returns the canonical directory and, for a single file, its name.
func (r *root) canonicalDir() (dir, only string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.dir, r.fileName
}

// canonicalPath returns the path of the root as in File.Root.
func (r *root) canonicalPath() string {
	dir, only := r.canonicalDir()
	return filepath.Join(dir, only)
}

// placeInRoot returns the place of a path in the root. The path may start with the
// configured or the canonical path.
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

// relativeTo returns path relative to base if it is base or in it.
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

// allRoots returns the configured roots, then those found by links.
func (l *Library) allRoots() []*root {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append(append([]*root(nil), l.roots...), l.links...)
}

// Roots returns the configured roots.
func (l *Library) Roots() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var args []string
	for _, r := range l.roots {
		args = append(args, r.configured)
	}
	return args
}

// locatePath returns the place of a path in one of the roots.
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
	for _, r := range roots { // a root may have been created, or its link changed
		if r.resolveRoot() == nil {
			if at, ok := r.placeInRoot(abs); ok {
				return at, nil
			}
		}
	}
	return place{}, fmt.Errorf("%s is in no configured directory: %w", path, session.ErrNotFound)
}

// openFile opens the file through its root, which prevents escapes from it.
func (at place) openFile() (*os.File, fs.FileInfo, error) {
	dir, err := os.OpenRoot(at.dir)
	if err != nil {
		return nil, nil, at.pathError(err)
	}
	defer dir.Close()
	return at.openFileIn(dir)
}

// openFileIn is openFile in a directory that is open already.
func (at place) openFileIn(dir *os.Root) (*os.File, fs.FileInfo, error) {
	f, info, err := safefile.OpenRegularIn(dir, at.rel)
	if err != nil {
		return nil, nil, at.pathError(err)
	}
	return f, info, nil
}

// pathError adds the whole path to an error of the file system. A missing file is also
// session.ErrNotFound.
func (at place) pathError(err error) error {
	reason := safefile.Reason(err)
	switch {
	case errors.Is(err, safefile.ErrNotRegular):
		reason = fmt.Errorf("%w: %w", reason, session.ErrNoSession)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w (%w)", at.path, reason, session.ErrNotFound)
	}
	return fmt.Errorf("%s: %w", at.path, reason)
}

// ContainsPath reports whether a path is in a root.
func (l *Library) ContainsPath(path string) bool {
	for _, r := range l.allRoots() {
		if _, ok := r.placeInRoot(path); ok {
			return true
		}
	}
	return false
}
