package export

import (
	"context"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// extract is a session file made of some entries of a session, not yet written.
type extract struct {
	session.NewFile
	epoch      uint64 // of the source session
	s          *store.Session
	lines      store.OutputLines
	unordered  store.OutputLines
	trailer    trailerState
	appendable bool        // later entries can be appended to the file
	plan       *outputPlan // the lines to write; nil until needed
}

// extractFile makes a session file of the selection that choose returns. choose is called
// with the tree locked. If appendable is set, labels and a name are kept out of the file,
// also where the format has lines for them; they are in Annotations. Entries can then be
// appended to the file: a label line would be its leaf, and the next entry a child of it.
// Lines are read when they are written. Errors: session.ErrInvalid, ErrNotFound, fs errors.
func extractFile(ctx context.Context, s *store.Session, o Origin, appendable bool, choose func(t *session.Tree) (session.Selection, error)) (x *extract, err error) {
	err = s.PrepareNewFile(ctx, func(src *store.NewFileSource) error {
		x, err = extractFrom(s, src, o, appendable, choose)
		return err
	})
	if err != nil {
		return nil, err
	}
	return x, nil
}

func extractFrom(s *store.Session, src *store.NewFileSource, o Origin, appendable bool, choose func(t *session.Tree) (session.Selection, error)) (*extract, error) {
	if why := s.Format().NoExportReason(); why != "" {
		return nil, &store.Refusal{Kind: session.ErrInvalid, Text: why}
	}
	part, err := choose(src.Tree)
	part.AnnotationsInSidecar = appendable
	if err == nil && len(part.Keep) == 0 {
		err = &store.Refusal{Kind: session.ErrInvalid, Text: "There is nothing to export: the session has no entry yet."}
	}
	if err != nil {
		return nil, err
	}
	nf, err := s.Format().Export.Extract(src.Tree, part, o.sourceName(s.Path()), src.ReadLine, o.idSource(src.Now))
	if err != nil {
		return nil, err
	}
	if appendable {
		nf.Annotations = takeTrailerAnnotations(src.Tree, &nf)
	}
	x := &extract{NewFile: nf, epoch: src.Epoch, s: s, appendable: appendable}
	if x.lines, err = src.LocateLines(nf.Lines); err != nil {
		return nil, err
	}
	if x.unordered, err = src.LocateLines(nf.Unordered); err != nil {
		return nil, err
	}
	x.trailer = newTrailerState(s, src.Tree, &nf, o)
	return x, nil
}

// eachLine calls write with every line to write, without its newline.
func (x *extract) eachLine(ctx context.Context, write func(line []byte) error) error {
	rest := x.planOutput()
	trailer := store.OutputLines{Lines: rest.trailer}
	return x.s.EachOutputLine(ctx, write, rest.lines, trailer, rest.afterTrailer, rest.unordered)
}
