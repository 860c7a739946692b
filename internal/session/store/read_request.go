package store

import (
	"context"
	"fmt"

	"sessiontree/internal/session"
)

// ReadRequest reads the recorded request of the answer at p. It returns
// session.ErrNotFound if none is recorded.
func (s *Session) ReadRequest(ctx context.Context, p session.Pos) (*session.Request, error) {
	find := s.Format().FindRequest
	if find == nil {
		return nil, fmt.Errorf("%w: %s records no requests", session.ErrNotFound, s.Format().Title)
	}
	var read session.RequestReader
	var err error
	s.ReadTree(func(t *session.Tree, _ Revision) {
		if p < 0 || int(p) >= t.Len() {
			err = session.ErrNotFound
			return
		}
		read, err = find(t, p)
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.at.Path, err)
	}
	return read(func(p session.Pos) ([]byte, error) { return s.ReadRawLine(ctx, p) })
}

// HasRequest reports whether the request of the answer at p is recorded. t is the
// session's tree.
func (s *Session) HasRequest(t *session.Tree, p session.Pos) bool {
	find := s.Format().FindRequest
	if find == nil || p == session.NoPos {
		return false
	}
	_, err := find(t, p)
	return err == nil
}
