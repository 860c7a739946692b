package store

import (
	"context"
	"errors"
	"io"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/gather"
	"sessiontree/internal/session/related"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/scan"
)

// ErrMemberFile says that a file belongs to another file's session, such as that of a
// sub-agent or a journal.
var ErrMemberFile = errors.New("part of another file's session")

// MemberFileError is an ErrMemberFile for a file whose session's file is known.
type MemberFileError struct {
	Path, Owner string // of the file and of its session's file
}

func (e *MemberFileError) Error() string { return e.Path + ": " + ErrMemberFile.Error() }

// Unwrap returns ErrMemberFile.
func (e *MemberFileError) Unwrap() error { return ErrMemberFile }

// ReadSummary is what a list needs of a session file that was read in full.
type ReadSummary struct {
	Tree       *session.Tree
	Format     *session.Format
	Checkpoint scan.Checkpoint
	Prompt     string // text of the first user entry with text
	Torn       bool   // the last line is unfinished
	Orphaned   bool   // it is a member of a session that is gone
}

// OwnerFinder finds the sessions that files belong to, for one pass over files.
type OwnerFinder = gather.OwnerFinder

// NewOwnerFinder returns an OwnerFinder for one pass over files of the library.
func (l *Library) NewOwnerFinder() *OwnerFinder { return gather.NewOwnerFinder(l.roots, &l.fileCache) }

// SummarizeFile reads a session file without keeping the session open.
func (l *Library) SummarizeFile(ctx context.Context, path string, owners *OwnerFinder) (*ReadSummary, error) {
	at, err := l.roots.Locate(path)
	if err != nil {
		return nil, err
	}
	f, info, err := at.OpenFile()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	format, err := scan.SniffFormat(l.formats, f, at.Path)
	if err != nil {
		return nil, err
	}
	owner := owners.FindOwner(at, format, f)
	if owner.Exists() {
		return nil, &MemberFileError{Path: at.Path, Owner: owner.Path}
	}
	ld, err := l.readInFormat(ctx, at, format, f, info, readOptions{forList: true})
	if err != nil {
		return nil, err
	}
	if ld.Format.RelatesSessions() {
		l.related.StoreFile(at.Path, related.File{Checkpoint: ld.checkpoint, Related: ld.Format.Graph.Related(ld.Entries)})
	}
	s := &ReadSummary{Format: ld.Format, Checkpoint: ld.checkpoint, Torn: ld.Torn != nil, Orphaned: owner.IsLost}
	s.Tree = ld.buildMainFileTree(at)
	s.Prompt, err = firstPromptText(f, ld.Format, s.Tree)
	if err != nil {
		return nil, at.PathError(err)
	}
	return s, nil
}

// CheckIsSession returns a MemberFileError if a file belongs to the session of another existing one.
func (l *Library) CheckIsSession(path string, owners *OwnerFinder) error {
	at, err := l.roots.Locate(path)
	if err != nil {
		return err
	}
	f, _, err := at.OpenFile()
	if err != nil {
		return err
	}
	defer f.Close()
	format, err := scan.SniffFormat(l.formats, f, at.Path)
	if err != nil {
		return err
	}
	if owner := owners.FindOwner(at, format, f); owner.Exists() {
		return &MemberFileError{Path: at.Path, Owner: owner.Path}
	}
	return nil
}

// Summarize calls fn with the summary of the session. fn must neither block nor keep the tree.
func (s *Session) Summarize(ctx context.Context, fn func(ReadSummary)) error {
	prompt, err := s.readFirstPrompt(ctx)
	if err != nil {
		return err
	}
	u := s.beginUpdate()
	defer u.End()
	known := s.meta.Load()
	if known.fileErr != nil {
		return known.fileErr
	}
	f, _, err := s.at.OpenFile()
	if err != nil {
		return err
	}
	defer f.Close()
	owner := s.lib.NewOwnerFinder().FindOwner(s.at, known.format, f)
	s.ReadTree(func(t *session.Tree, _ Revision) {
		fn(ReadSummary{Tree: t, Format: known.format, Checkpoint: s.checkpoint, Prompt: prompt, Torn: known.torn != nil, Orphaned: owner.IsLost})
	})
	return nil
}

// readFirstPrompt reads the text of the first user entry with text.
func (s *Session) readFirstPrompt(ctx context.Context) (string, error) {
	first := session.NoPos
	s.ReadTree(func(t *session.Tree, _ Revision) { first = firstUserEntry(t) })
	if first == session.NoPos {
		return "", nil
	}
	line, err := s.ReadRawLine(ctx, first)
	if err != nil {
		return "", err
	}
	return joinPromptBlocks(s.Format(), line)
}

// firstUserEntry returns the first user entry with text.
func firstUserEntry(t *session.Tree) session.Pos {
	for p := range session.Pos(t.Len()) {
		if e := t.At(p); e.Kind == session.KindUser && e.HasFlag(session.FlagText) {
			return p
		}
	}
	return session.NoPos
}

// firstPromptText reads the text of the first user entry with text. The preview of the
// entry joins text blocks as a row does, a list joins them with spaces.
func firstPromptText(f io.ReaderAt, format *session.Format, t *session.Tree) (string, error) {
	p := firstUserEntry(t)
	if p == session.NoPos {
		return "", nil
	}
	span := t.At(p).Span
	line := make([]byte, span.Len)
	if err := safefile.ReadFull(f, line, span.Off); err != nil {
		return "", err
	}
	return joinPromptBlocks(format, line)
}

// joinPromptBlocks returns the text blocks of a recorded user message, joined with spaces.
func joinPromptBlocks(f *session.Format, line []byte) (string, error) {
	body, err := f.DecodeBody(line)
	if err != nil {
		return "", err
	}
	var texts []string
	for i := range body.Blocks {
		if b := &body.Blocks[i]; b.Kind == session.BlockText {
			texts = append(texts, b.Text)
		}
	}
	return strings.Join(texts, " "), nil
}
