package store

import (
	"context"
	"errors"
	"fmt"

	"sessiontree/internal/session"
	"sessiontree/internal/session/search"
)

// Search returns the entries whose full text (label, role, text, tool output) contains
// every word of query, case folded, in file order.
func (s *Session) Search(ctx context.Context, query string) ([]session.Pos, error) {
	q, err := search.ParseWords(query)
	if err != nil {
		return nil, err
	}
	var hits []session.Pos
	err = RunSearch(ctx, s, func(src search.Source) (epoch uint64, err error) {
		hits, epoch, err = search.FindEntries(ctx, src, s.Format(), q)
		return epoch, err
	})
	return hits, err
}

// RunSearch calls run, which searches the session's files and returns the epoch of the
// positions that it found. If run fails because the files have changed, the session is
// refreshed.
func RunSearch(ctx context.Context, s *Session, run func(search.Source) (epoch uint64, err error)) error {
	epoch, err := run(searchSource{s})
	var failed *openError
	switch {
	case errors.As(err, &failed):
		_, _ = s.Refresh(ctx)
		return failed.error
	case errors.Is(err, session.ErrStale):
		s.reloadUnlessNewer(ctx, epoch)
	}
	if err != nil {
		return fmt.Errorf("search %s: %w", s.at.Path, err)
	}
	return nil
}

// openError is the error of a file that cannot be opened any more.
type openError struct{ error }

// searchSource implements search.Source.
type searchSource struct{ s *Session }

// Snapshot implements search.Source.
func (src searchSource) Snapshot(fn func(search.Snapshot)) {
	s := src.s
	s.mu.RLock()
	defer s.mu.RUnlock()
	fn(search.Snapshot{Tree: s.tree, Epoch: s.rev.Epoch, Checks: s.lineChecks})
}

// ReadAt implements search.Source.
func (src searchSource) ReadAt(file int32, b []byte, off int64) (int, error) {
	f, _, err := src.s.filePlace(file).OpenFile()
	if err != nil {
		return 0, &openError{err}
	}
	defer f.Close()
	return f.ReadAt(b, off)
}
