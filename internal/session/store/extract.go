package store

import (
	"context"
	"os"

	"sessiontree/internal/session"
)

// Extract is a session file made of some entries of a session, not yet written.
type Extract struct {
	session.NewFile
	Epoch      uint64 // of the source session
	s          *Session
	lines      outputLines
	unordered  outputLines
	trailer    trailerState
	appendable bool        // later entries can be appended to the file
	plan       *outputPlan // the lines to write; nil until needed
}

// Extract makes a session file of the selection that choose returns. choose is called
// with the tree locked. Lines are read when they are written. Errors:
// session.ErrInvalid, ErrNotFound, fs errors.
func (s *Session) Extract(ctx context.Context, o Origin, choose func(t *session.Tree) (session.Selection, error)) (*Extract, error) {
	if _, err := s.Refresh(ctx); err != nil {
		return nil, err
	}
	f, _, err := s.at.OpenFile()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	u := s.beginUpdate()
	defer u.End()
	return u.extractFrom(f, o, choose)
}

func (u update) extractFrom(f *os.File, o Origin, choose func(t *session.Tree) (session.Selection, error)) (*Extract, error) {
	if why := noExportReason(u.s.Format()); why != "" {
		return nil, newRefusal(session.ErrInvalid, "%s", why)
	}
	part, err := choose(u.s.tree)
	part.AnnotationsInSidecar = o.SidecarAnnotations
	if err == nil && len(part.Keep) == 0 {
		err = newRefusal(session.ErrInvalid, "There is nothing to export: the session has no entry yet.")
	}
	if err != nil {
		return nil, err
	}
	nf, err := u.s.Format().Export.Extract(u.s.tree, part, o.sourceName(u.s.at.Path), u.lineReader(f), o.idSource(u.s.lib))
	if err != nil {
		return nil, err
	}
	if o.SidecarAnnotations {
		nf.Annotations = u.takeTrailerAnnotations(&nf)
	}
	x := &Extract{NewFile: nf, Epoch: u.s.currentRevision().Epoch, s: u.s, appendable: o.SidecarAnnotations}
	if x.lines, err = u.s.locateCopiedLines(nf.Lines); err != nil {
		return nil, err
	}
	if x.unordered, err = u.s.locateCopiedLines(nf.Unordered); err != nil {
		return nil, err
	}
	x.trailer = u.newTrailerState(&nf, o)
	return x, nil
}

// EachLine calls write with every line to write, without its newline.
func (x *Extract) EachLine(ctx context.Context, write func(line []byte) error) error {
	open := &openFiles{s: x.s}
	defer open.closeOpenFile()
	rest := x.planOutput()
	if err := rest.lines.eachOutputLine(ctx, open, write); err != nil {
		return err
	}
	for _, text := range rest.trailer {
		if err := write(text); err != nil {
			return err
		}
	}
	if err := rest.afterTrailer.eachOutputLine(ctx, open, write); err != nil {
		return err
	}
	return rest.unordered.eachOutputLine(ctx, open, write)
}
