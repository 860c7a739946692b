package store

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"sessiontree/internal/session"
	"sessiontree/internal/session/ids"
	"sessiontree/internal/session/safefile"
)

// ForkedFile is a new session file made of a path of another session.
type ForkedFile struct {
	Path        string
	ID          string // of the new session
	Lines       int
	LossWarning string // says what the path has that the file lacks, "" for nothing
}

// Fork makes a new session of the path to the entry leaf. The file is out, or next to
// its source under a name of the agent's scheme. Fork never overwrites a file. Errors:
// session.ErrExists, ErrNotFound, ErrInvalid, ErrReadOnly, fs errors; with
// ErrUnconfirmed the file was created.
func (s *Session) Fork(ctx context.Context, leaf, out string) (ForkedFile, error) {
	if _, err := s.Refresh(ctx); err != nil {
		return ForkedFile{}, err
	}
	if err := s.FileError(); err != nil {
		return ForkedFile{}, err
	}
	f, info, err := s.at.OpenFile()
	if err != nil {
		return ForkedFile{}, err
	}
	defer f.Close()
	u := s.beginUpdate()
	nf, lines, err := u.encodeFork(leaf, f)
	u.End()
	if err != nil {
		return ForkedFile{}, err
	}
	if out == "" {
		out = filepath.Join(filepath.Dir(s.at.Path), nf.Name)
	}
	if out, err = filepath.Abs(out); err != nil {
		return ForkedFile{}, err
	}
	err = s.lib.disk.CreateFile(out, info.Mode().Perm()|0o200, s.lib.sync, func(w *bufio.Writer) error {
		return s.EachOutputLine(ctx, func(line []byte) error {
			if _, err := w.Write(line); err != nil {
				return err
			}
			return w.WriteByte('\n')
		}, lines)
	})
	if err != nil && !errors.Is(err, safefile.ErrUnconfirmed) {
		return ForkedFile{}, refusalOf(err)
	}
	return ForkedFile{Path: out, ID: nf.ID, Lines: len(nf.Lines), LossWarning: nf.LossWarning}, err
}

// PreviewFork returns what Fork would make, and makes nothing. The id and the name are
// examples.
func (s *Session) PreviewFork(ctx context.Context, leaf string) (ForkedFile, error) {
	if _, err := s.Refresh(ctx); err != nil {
		return ForkedFile{}, err
	}
	f, _, err := s.at.OpenFile()
	if err != nil {
		return ForkedFile{}, err
	}
	defer f.Close()
	u := s.beginUpdate()
	defer u.End()
	nf, _, err := u.encodeFork(leaf, f)
	return ForkedFile{Path: filepath.Join(filepath.Dir(s.at.Path), nf.Name), ID: nf.ID, Lines: len(nf.Lines), LossWarning: nf.LossWarning}, err
}

// encodeFork encodes the new file and locates the lines to copy.
func (u update) encodeFork(leaf string, f io.ReaderAt) (nf session.NewFile, lines OutputLines, err error) {
	can := u.s.capabilitiesFor(u.s.tree.Header())
	switch {
	case u.s.lib.readOnlyReason() != "":
		return nf, lines, newRefusal(session.ErrReadOnly, "%s", u.s.lib.readOnlyReason())
	case !can.Fork.IsPossible() || u.s.Format().Write == nil || u.s.Format().Write.Fork == nil:
		return nf, lines, newRefusal(session.ErrInvalid, "%s", cmp.Or(can.Fork.Reason, "Sessions of this format cannot be forked."))
	}
	at := u.s.tree.FindID(leaf)
	if at == session.NoPos {
		return nf, lines, fmt.Errorf("%s: entry %s: %w", u.s.at.Path, leaf, session.ErrNotFound)
	}
	if nf, err = u.s.Format().Write.Fork(u.s.tree, at, u.s.at.Path, u.lineReader(f), ids.NewRandomSource(u.s.lib.now())); err != nil {
		return nf, lines, err
	}
	lines, err = u.locateCopiedLines(nf.Lines)
	return nf, lines, err
}
