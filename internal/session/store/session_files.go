package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"sessiontree/internal/session"
)

// SessionsWithFile lists the open sessions that a file belongs to: the one it is the main
// file of, and those that it lies beside as an agent's or as their kin's. A file
// that was just made belongs to those that look for files in its directory.
func (l *Library) SessionsWithFile(path string) []*Session {
	at, err := l.locatePath(path)
	if err != nil {
		return nil
	}
	var all []*Session
	if s, ok := l.cache.getSession(at.path); ok {
		all = append(all, s)
	}
	for _, s := range l.cache.listOpen() {
		if s.at.path != at.path && s.mayHaveMember(at.path) {
			all = append(all, s)
		}
	}
	return all
}

// mayHaveMember reports whether a file lies where the session looks for its other files.
func (s *Session) mayHaveMember(path string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.fileSet == nil {
		return false
	}
	base := filepath.Dir(s.at.path)
	for _, dir := range []string{filepath.Dir(path), path} { // or it is such a directory
		if rel, ok := relativeTo(base, dir); ok {
			if _, looked := s.fileSet.dirs[filepath.ToSlash(rel)]; looked {
				return true
			}
		}
	}
	return false
}

// IsWholeDir reports whether the session is all sessions of a directory.
func (s *Session) IsWholeDir() bool { return s.at.wholeDir }

// Files lists the paths of the session's files by Span.File, the main one first.
func (s *Session) Files() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	files := []string{s.at.path}
	if s.fileSet != nil {
		for _, m := range s.fileSet.members {
			files = append(files, m.at.path)
		}
	}
	return files
}

// OpenDir answers all sessions of a directory as one, for formats whose sessions
// go on in one another. It is not followed. session.ErrNoSession when the
// directory holds no such session.
func (l *Library) OpenDir(ctx context.Context, dir string) (*Session, error) {
	at, err := l.locatePath(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(at.path)
	if err != nil {
		return nil, at.pathError(err)
	}
	defer root.Close()
	for _, f := range l.formats {
		if f.GatherFiles == nil {
			continue
		}
		unit, err := f.GatherFiles(regularFS{root}, nil)
		if err != nil {
			return nil, at.pathError(err)
		}
		for _, name := range unit.Names {
			first := siblingPlace(place{root: at.root, dir: at.path, rel: name}, filepath.Base(name))
			first.wholeDir = true
			s := &Session{lib: l, at: first}
			if err := s.loadInitially(ctx); err == nil && s.Format() == f {
				return s, nil
			} else if err != nil && !errors.Is(err, session.ErrNoSession) {
				return nil, err
			}
		}
	}
	return nil, fmt.Errorf("%s: %w: there are no related sessions in this directory", dir, session.ErrNoSession)
}
