package store

import (
	"context"
	"os"

	"sessiontree/internal/session"
)

// Extract is a session file made of some entries of a session, not written yet.
type Extract struct {
	session.NewFile
	Epoch  uint64 // of the session it was made of
	s      *Session
	lines  copying
	beside copying
	ends   ending
	on     bool  // the file can be gone on with
	rest   *rest // what is to be written; nil: nobody asked yet
}

// Extract makes a session file of the part that choose returns, called with the tree
// locked. Its lines are read when they are written. Errors: session.ErrInvalid,
// ErrNotFound, fs errors.
func (s *Session) Extract(ctx context.Context, o Origin, choose func(t *session.Tree) (session.Part, error)) (*Extract, error) {
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

func (s *Session) extracted(f *os.File, o Origin, choose func(t *session.Tree) (session.Part, error)) (*Extract, error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	if why := unmade(s.Format()); why != "" {
		return nil, refuse(session.ErrInvalid, "%s", why)
	}
	part, err := choose(s.tree)
	part.Bare = o.Beside
	if err == nil && len(part.Keep) == 0 {
		err = refuse(session.ErrInvalid, "There is nothing to export: the session has no entry yet.")
	}
	if err != nil {
		return nil, err
	}
	nf, err := s.Format().Extract(s.tree, part, o.from(s.at.path), s.source(f), o.mint(s.lib))
	if err != nil {
		return nil, err
	}
	if o.Beside {
		nf.Aside = s.outside(&nf)
	}
	x := &Extract{NewFile: nf, Epoch: s.revision().Epoch, s: s, on: o.Beside}
	if x.lines, err = s.copying(nf.Lines); err != nil {
		return nil, err
	}
	if x.beside, err = s.copying(nf.Beside); err != nil {
		return nil, err
	}
	x.ends = s.newEnding(&nf, o)
	return x, nil
}

// Each calls write with every line that is to be written, without its end.
func (x *Extract) Each(ctx context.Context, write func(line []byte) error) error {
	open := &opened{s: x.s}
	defer open.close()
	rest := x.plan()
	if err := rest.lines.each(ctx, open, write); err != nil {
		return err
	}
	for _, text := range rest.tail {
		if err := write(text); err != nil {
			return err
		}
	}
	if err := rest.last.each(ctx, open, write); err != nil {
		return err
	}
	return rest.beside.each(ctx, open, write)
}
