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
	arg  string // as configured, absolute
	link string // the link inside another root that led here, "" for configured roots

	mu   sync.Mutex
	dir  string // canonical directory; arg itself as long as it does not exist
	only string // name of the file when the root is a single file
}

// place is a file inside a root.
type place struct {
	root *root
	dir  string // the root's canonical directory
	rel  string // slash or backslash separated, as the system wants it
	path string // dir + rel: the canonical path
	// single: the root is this file, whatever its name.
	single bool
	// whole: not the session of this file alone but all in its directory.
	whole bool
	// followed: somebody is told of its changes, and what its agent takes back is kept.
	followed bool
}

func newRoot(arg string) (*root, error) {
	abs, err := filepath.Abs(arg)
	if err != nil {
		return nil, fmt.Errorf("root %s: %w", arg, err)
	}
	r := &root{arg: abs, dir: abs}
	if err := r.resolve(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("root %s: %w", arg, err)
	}
	return r, nil
}

// resolve looks again where the configured path leads.
func (r *root) resolve() error {
	real, err := filepath.EvalSymlinks(r.arg)
	if err != nil {
		return err
	}
	info, err := os.Stat(real)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dir, r.only = real, ""
	if !info.IsDir() {
		r.dir, r.only = filepath.Split(real)
		r.dir = filepath.Clean(r.dir)
	}
	return nil
}

// where answers the canonical directory and, for a single file, its name.
func (r *root) where() (dir, only string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.dir, r.only
}

// label is the root's path as File.Root tells it.
func (r *root) label() string {
	dir, only := r.where()
	return filepath.Join(dir, only)
}

// holds answers the place of a path in the root, whether it was written with the
// configured path or the canonical one.
func (r *root) holds(path string) (place, bool) {
	dir, only := r.where()
	if only != "" {
		if path != r.arg && path != filepath.Join(dir, only) {
			return place{}, false
		}
		return place{root: r, dir: dir, rel: only, path: filepath.Join(dir, only), single: true}, true
	}
	for _, base := range []string{dir, r.arg} {
		if rel, ok := within(base, path); ok {
			return place{root: r, dir: dir, rel: rel, path: filepath.Join(dir, rel)}, true
		}
	}
	return place{}, false
}

// within answers path relative to base when it lies in or is base.
func within(base, path string) (string, bool) {
	if path == base {
		return ".", true
	}
	if !strings.HasSuffix(base, string(filepath.Separator)) {
		base += string(filepath.Separator)
	}
	rel, ok := strings.CutPrefix(path, base)
	return rel, ok && filepath.IsLocal(rel)
}

// all lists the roots, those found by links last.
func (l *Library) all() []*root {
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
		args = append(args, r.arg)
	}
	return args
}

// locate finds the root a path lies in.
func (l *Library) locate(path string) (place, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return place{}, fmt.Errorf("%s: %w", path, err)
	}
	roots := l.all()
	for _, r := range roots {
		if at, ok := r.holds(abs); ok {
			return at, nil
		}
	}
	for _, r := range roots { // a root may have been made, or its link moved, since
		if r.resolve() == nil {
			if at, ok := r.holds(abs); ok {
				return at, nil
			}
		}
	}
	return place{}, fmt.Errorf("%s lies in no configured directory: %w", path, session.ErrNotFound)
}

// open opens the file through its root, which refuses every way out of it.
func (at place) open() (*os.File, fs.FileInfo, error) {
	dir, err := os.OpenRoot(at.dir)
	if err != nil {
		return nil, nil, at.failed(err)
	}
	defer dir.Close()
	return at.openIn(dir)
}

// openIn is open in a directory that is open already.
func (at place) openIn(dir *os.Root) (*os.File, fs.FileInfo, error) {
	f, info, err := openRegularIn(dir, at.rel)
	if err != nil {
		return nil, nil, at.failed(err)
	}
	return f, info, nil
}

// failed words an error of the file system with the whole path. What is missing
// is session.ErrNotFound too.
func (at place) failed(err error) error {
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

// Holds reports whether a path lies in a root.
func (l *Library) Holds(path string) bool {
	for _, r := range l.all() {
		if _, ok := r.holds(path); ok {
			return true
		}
	}
	return false
}
