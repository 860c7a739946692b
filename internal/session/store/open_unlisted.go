package store

import (
	"context"

	"sessiontree/internal/session/retracted"
	"sessiontree/internal/session/search"
)

// OpenUnlisted returns the session at path for one use: the open one, or one that is read
// for the caller alone and that the library does not keep. Nothing follows its files.
func (l *Library) OpenUnlisted(ctx context.Context, path string) (*Session, error) {
	at, err := l.roots.Locate(path)
	if err != nil {
		return nil, err
	}
	if s, ok := l.cache.peekSession(at.Path); ok {
		return s, s.FileError()
	}
	s := &Session{lib: l, at: at}
	if err := s.loadInitially(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// MayMatchFile reports whether a line of a file below a root may contain all words.
func (l *Library) MayMatchFile(ctx context.Context, path string, words *search.Words) (bool, error) {
	at, err := l.roots.Locate(path)
	if err != nil {
		return false, err
	}
	f, _, err := at.OpenFile()
	if err != nil {
		return false, err
	}
	defer f.Close()
	ok, err := words.MayMatchFile(ctx, f, at.Path, &l.plainFiles)
	if err != nil && ctx.Err() == nil {
		err = at.PathError(err)
	}
	return ok, err
}

// RetractedSessions returns a function that reports whether lines of a session are stored that
// its agent retracted, as of now. It reports true for all sessions if that cannot be found out.
func (l *Library) RetractedSessions() func(format, id string) bool {
	if l.stateDir == "" {
		return func(string, string) bool { return false }
	}
	names, err := retracted.ListSessions(l.stateDir)
	return func(format, id string) bool {
		return err != nil || len(names) > 0 && names[retractedName(format, id)]
	}
}
