// Package roots finds and opens files below the configured directories, and no others. It
// follows links if that is configured.
package roots

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

// root is a directory under which files may be read, or a single file. It keeps no
// handle: every operation opens the directory again, so that a directory that was
// deleted and created again is found.
type root struct {
	configured string // path from the configuration, absolute
	link       string // the link in another root that led here, "" for configured roots
	copies     Copies // of deleted files

	mu       sync.Mutex
	dir      string // canonical directory; configured while it does not exist
	fileName string // name of the file if the root is a single file
}

// Set is the configured roots and those found by links. It is safe for concurrent
// use.
type Set struct {
	followLinks bool
	copies      Copies // of deleted files

	// walkMu serializes walks that follow links: each removes the links that it does
	// not find again.
	walkMu sync.Mutex

	mu         sync.Mutex
	configured []*root // in order
	links      []*root // targets of links, found by the last walk
}

// New returns the set of the given directories and files. A root that does not
// exist yet is used when it appears. Deleted files are read from their copies, which may
// be nil.
func New(paths []string, followLinks bool, copies Copies) (*Set, error) {
	if copies == nil {
		copies = noCopies{}
	}
	s := &Set{followLinks: followLinks, copies: copies}
	for _, path := range paths {
		r, err := newRoot(path, copies)
		if err != nil {
			return nil, err
		}
		s.configured = append(s.configured, r)
	}
	return s, nil
}

func newRoot(arg string, copies Copies) (*root, error) {
	abs, err := filepath.Abs(arg)
	if err != nil {
		return nil, fmt.Errorf("root %s: %w", arg, err)
	}
	r := &root{configured: abs, copies: copies, dir: abs}
	err = r.resolveRoot()
	if errors.Is(err, fs.ErrNotExist) {
		r.useCopyOf()
	} else if err != nil {
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
func (r *root) placeInRoot(path string) (Place, bool) {
	dir, only := r.canonicalDir()
	if only != "" {
		if path != r.configured && path != filepath.Join(dir, only) {
			return Place{}, false
		}
		return Place{root: r, copies: r.copies, Dir: dir, Rel: only, Path: filepath.Join(dir, only), isFileRoot: true}, true
	}
	for _, base := range []string{dir, r.configured} {
		if rel, ok := RelativeTo(base, path); ok {
			full := filepath.Join(dir, rel)
			if full == path {
				full = path // callers keep it: one string in memory rather than two
			}
			return Place{root: r, copies: r.copies, Dir: dir, Rel: rel, Path: full}, true
		}
	}
	return Place{}, false
}

// RelativeTo returns path relative to base if it is base or in it.
func RelativeTo(base, path string) (string, bool) {
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
func (s *Set) allRoots() []*root {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append(append([]*root(nil), s.configured...), s.links...)
}

// Paths returns the configured roots.
func (s *Set) Paths() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var args []string
	for _, r := range s.configured {
		args = append(args, r.configured)
	}
	return args
}

// Locate returns the place of a path in one of the roots.
func (s *Set) Locate(path string) (Place, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return Place{}, fmt.Errorf("%s: %w", path, err)
	}
	roots := s.allRoots()
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
	return Place{}, fmt.Errorf("%s is in no configured directory: %w", path, session.ErrNotFound)
}

// ContainsPath reports whether a path is in a root.
func (s *Set) ContainsPath(path string) bool {
	for _, r := range s.allRoots() {
		if _, ok := r.placeInRoot(path); ok {
			return true
		}
	}
	return false
}
