package store

import (
	"context"
	"fmt"
	"os"

	"sessiontree/internal/session"
)

// Extract is a session file made of some entries of a session, not written yet.
type Extract struct {
	session.NewFile
	s     *Session
	spots []spot
}

// Extract makes a session file of the entries that choose answers, called with the
// tree locked. Its lines are read when they are written. Errors:
// session.ErrInvalid, ErrNotFound, fs errors.
func (s *Session) Extract(ctx context.Context, o Origin, choose func(t *session.Tree) ([]session.Pos, error)) (*Extract, error) {
	if _, err := s.Refresh(ctx); err != nil {
		return nil, err
	}
	f, _, err := s.at.open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return s.extracted(f, o, choose)
}

func (s *Session) extracted(f *os.File, o Origin, choose func(t *session.Tree) ([]session.Pos, error)) (*Extract, error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	if why := unmade(s.Format()); why != "" {
		return nil, refuse(session.ErrInvalid, "%s", why)
	}
	keep, err := choose(s.tree)
	if err == nil && len(keep) == 0 {
		err = refuse(session.ErrInvalid, "There is nothing to export: the session has no entry yet.")
	}
	if err != nil {
		return nil, err
	}
	nf, err := s.Format().Extract(s.tree, keep, o.from(s.at.path), s.source(f), o.mint(s.lib))
	if err != nil {
		return nil, err
	}
	spots, err := s.copied(nf.Lines)
	return &Extract{nf, s, spots}, err
}

// Each calls write with every line of the file, without its end.
func (x *Extract) Each(ctx context.Context, write func(line []byte) error) error {
	open := &opened{s: x.s}
	defer open.close()
	next := 0
	for _, l := range x.Lines {
		if err := ctx.Err(); err != nil {
			return err
		}
		text := l.Text
		if text == nil {
			at := &x.spots[next]
			next++
			var err error
			if text, err = open.line(at, l.Edit); err != nil {
				return fmt.Errorf("entry %s: %w", at.id, err)
			}
		}
		if err := write(text); err != nil {
			return err
		}
	}
	return nil
}
