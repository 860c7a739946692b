package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"sessiontree/internal/session"
	"sessiontree/internal/session/roots"
)

// SessionsWithFile returns the open sessions that a file belongs to: the session whose
// main file it is, and those with members or related sessions in its directory. A new
// file may belong to any of the latter.
func (l *Library) SessionsWithFile(path string) []*Session {
	at, err := l.roots.Locate(path)
	if err != nil {
		return nil
	}
	var all []*Session
	if s, ok := l.cache.getSession(at.Path); ok {
		all = append(all, s)
	}
	for _, s := range l.cache.listOpen() {
		if s.at.Path != at.Path && mayHaveMember(s, at.Path) {
			all = append(all, s)
		}
	}
	return all
}

// mayHaveMember reports whether a path is in a directory in which a session has found
// files.
func mayHaveMember(s *Session, path string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.fileSet == nil {
		return false
	}
	base := filepath.Dir(s.at.Path)
	for _, dir := range []string{filepath.Dir(path), path} { // or path is such a directory
		if rel, ok := roots.RelativeTo(base, dir); ok {
			if s.fileSet.state.WasRead(filepath.ToSlash(rel)) {
				return true
			}
		}
	}
	return false
}

// IsWholeDir reports whether the session is all sessions of a directory.
func (s *Session) IsWholeDir() bool { return s.isWholeDir }

// Files returns the paths of the session's files by Span.File, the main one first.
func (s *Session) Files() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	files := []string{s.at.Path}
	if s.fileSet != nil {
		for _, m := range s.fileSet.members {
			files = append(files, m.at.Path)
		}
	}
	return files
}

// OpenDir opens all sessions of a directory as one, for formats with related sessions.
// The result is not watched. OpenDir returns session.ErrNoSession if the directory has
// no such session.
func (l *Library) OpenDir(ctx context.Context, dir string) (*Session, error) {
	at, err := l.roots.Locate(dir)
	if err != nil {
		return nil, err
	}
	files, err := l.roots.OpenDir(at.Path)
	if err != nil {
		return nil, at.PathError(err)
	}
	defer files.Close()
	for _, f := range l.formats {
		if f.Graph == nil {
			continue
		}
		unit, err := f.Graph.GatherFiles(files, nil)
		if err != nil {
			return nil, at.PathError(err)
		}
		for _, name := range unit.Names {
			first := at.InDir(at.Path, name)
			s := &Session{lib: l, at: first, isWholeDir: true}
			if err := s.loadInitially(ctx); err == nil && s.Format() == f {
				return s, nil
			} else if err != nil && !errors.Is(err, session.ErrNoSession) {
				return nil, err
			}
		}
	}
	return nil, fmt.Errorf("%s: %w: there are no related sessions in this directory", dir, session.ErrNoSession)
}

// OpenCopy opens a file that was made from this session. It cannot be changed, and
// other files do not affect it. id is the session id in the file. The annotations are
// written to a sidecar in the file's directory, which the caller removes.
func (s *Session) OpenCopy(ctx context.Context, path, id string, beside session.Annotations) (*Session, error) {
	dir := filepath.Dir(path)
	c := Config{Formats: s.lib.formats, Home: s.lib.scanOptions.Home, Roots: []string{dir}, ReadOnly: true, Clock: s.lib.now, Standalone: true}
	if beside.HasAny() {
		c.StateDir = filepath.Join(dir, "beside")
	}
	lib, err := New(c)
	if err != nil {
		return nil, err
	}
	if beside.HasAny() {
		if err := lib.AddAnnotations(ctx, s.Format(), id, beside); err != nil && !errors.Is(err, session.ErrReadOnly) { // or sidecars cannot be written on this system
			return nil, err
		}
	}
	return lib.Open(ctx, path)
}
