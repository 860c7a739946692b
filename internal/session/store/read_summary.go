package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"sessiontree/internal/session"
)

// ErrMemberFile is of a file that belongs to another one's session: an agent's, a
// journal.
var ErrMemberFile = errors.New("part of another file's session")

// MemberFileError is ErrPart of an agent's file whose session's file is known.
type MemberFileError struct {
	Path, Owner string // of the file, and of its session's
}

func (e *MemberFileError) Error() string { return e.Path + ": " + ErrMemberFile.Error() }

// Unwrap makes it an ErrPart.
func (e *MemberFileError) Unwrap() error { return ErrMemberFile }

// ReadSummary is one reading of a whole session file, for listings.
type ReadSummary struct {
	Tree       *session.Tree
	Format     *session.Format
	Checkpoint Checkpoint
	Prompt     string // text of the first user entry that has any
	Torn       bool   // the last line is not finished
	Orphaned   bool   // it is part of a session that is gone
}

// SummarizeFile reads a session once without keeping it open.
func (l *Library) SummarizeFile(ctx context.Context, path string) (*ReadSummary, error) {
	at, err := l.locatePath(path)
	if err != nil {
		return nil, err
	}
	f, info, err := at.openFile()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	format, err := l.sniffFormat(f, at.path)
	if err != nil {
		return nil, err
	}
	home, part, lost := l.findFileOwner(at, format, f)
	if part && !lost {
		return nil, &MemberFileError{Path: at.path, Owner: home}
	}
	ld, err := l.readInFormat(ctx, at, format, f, info)
	if err != nil {
		return nil, err
	}
	if ld.format.Related != nil {
		l.related.storeRelatedFile(at.path, RelatedFile{ld.checkpoint, ld.format.Related(ld.entries)})
	}
	s := &ReadSummary{Format: ld.format, Checkpoint: ld.checkpoint, Torn: ld.torn != nil, Orphaned: lost}
	s.Tree = ld.buildMainFileTree(at)
	s.Prompt, err = firstPromptText(f, ld.format, s.Tree)
	if err != nil {
		return nil, at.pathError(err)
	}
	return s, nil
}

// IsMemberFile reports whether a file belongs to the session of another one that is there.
func (l *Library) IsMemberFile(path string) bool {
	at, err := l.locatePath(path)
	if err != nil {
		return false
	}
	f, _, err := at.openFile()
	if err != nil {
		return false
	}
	defer f.Close()
	format, err := l.sniffFormat(f, at.path)
	if err != nil {
		return false
	}
	_, part, lost := l.findFileOwner(at, format, f)
	return part && !lost
}

// findFileOwner reports whether a file belongs to the session of another one, the path of that,
// "" where the file does not say, and whether it is gone. Where the library does not hold
// that one the file is a session by itself.
func (l *Library) findFileOwner(at place, format *session.Format, f io.ReaderAt) (home string, part, lost bool) {
	path := filepath.ToSlash(at.path)
	if format.IsMember != nil && !format.IsMember(path) || format.IsMember == nil && format.OwnerPath == nil {
		return "", false, false
	}
	if format.OwnerPath == nil {
		return "", true, false
	}
	head := headPool.Get().(*[sniffSize]byte)
	defer headPool.Put(head)
	n, _ := f.ReadAt(head[:], 0) // what cannot be read names no session
	home = filepath.FromSlash(format.OwnerPath(path, head[:n]))
	if home == "" {
		return "", format.IsMember != nil, false
	}
	info, err := os.Stat(home)
	lost = err != nil || info.Size() == 0
	return home, lost || l.ContainsPath(home), lost
}

// Summarize calls fn with the session as it stands and its first prompt. fn must
// neither block nor keep the tree.
func (s *Session) Summarize(ctx context.Context, fn func(ReadSummary)) error {
	prompt, err := s.readFirstPrompt(ctx)
	if err != nil {
		return err
	}
	s.updateMu.Lock()
	defer s.updateMu.Unlock()
	known := s.meta.Load()
	if known.fileErr != nil {
		return known.fileErr
	}
	f, _, err := s.at.openFile()
	if err != nil {
		return err
	}
	defer f.Close()
	_, _, lost := s.lib.findFileOwner(s.at, known.format, f)
	s.ReadTree(func(t *session.Tree, _ Revision) {
		fn(ReadSummary{Tree: t, Format: known.format, Checkpoint: s.checkpoint, Prompt: prompt, Torn: known.torn != nil, Orphaned: lost})
	})
	return nil
}

// readFirstPrompt reads the text of the first user entry that has any.
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

// firstUserEntry is the first user entry that has any text.
func firstUserEntry(t *session.Tree) session.Pos {
	for p := range session.Pos(t.Len()) {
		if e := t.At(p); e.Kind == session.KindUser && e.HasFlag(session.FlagText) {
			return p
		}
	}
	return session.NoPos
}

// firstPromptText reads the text of the first user entry that has any. The entry's
// own preview joins blocks of text as a row does, which a list does not.
func firstPromptText(f io.ReaderAt, format *session.Format, t *session.Tree) (string, error) {
	p := firstUserEntry(t)
	if p == session.NoPos {
		return "", nil
	}
	span := t.At(p).Span
	line := make([]byte, span.Len)
	if err := readFull(f, line, span.Off); err != nil {
		return "", err
	}
	return joinPromptBlocks(format, line)
}

// joinPromptBlocks is the text of a recorded user message as a list shows it: its
// blocks of text joined by blanks.
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

// Addition is what was added to a session file since a Mark was made.
type Addition struct {
	Entries    []session.Entry
	Notes      []session.Note
	Headers    int // header lines among what was added
	Torn       bool
	Checkpoint Checkpoint
	Bytes      int64  // read to find out
	Unchanged  bool   // nothing was; the rest but Mark is empty
	Name       string // of the session, as far as its first lines and what was added say
	UserTitled bool   // the user gave it, or took it away
}

// ReadAdded reads what was added since mark was made, at a cost in proportion to it.
// ok is false when more than that happened: then the file must be surveyed.
func (l *Library) ReadAdded(ctx context.Context, path string, mark Checkpoint) (a Addition, ok bool, err error) {
	at, err := l.locatePath(path)
	if err != nil {
		return a, false, err
	}
	f, info, err := at.openFile()
	if err != nil {
		return a, false, err
	}
	defer f.Close()
	switch v, err := mark.compareFile(f, info); {
	case err != nil:
		return a, false, at.pathError(err)
	case v == fileSame:
		mark.updateFileInfo(info)
		l.related.updateCheckpoint(at.path, mark)
		return Addition{Checkpoint: mark, Unchanged: true}, true, nil
	case v != fileGrown || mark.Open && !lineEndsAt(f, mark.Off):
		return a, false, nil
	}
	r, err := l.resumeReader(ctx, f, at, mark)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return a, false, nil // it has just shrunk
	}
	if err != nil || r == nil {
		return a, false, err
	}
	if err := r.readTo(ctx, f, info.Size()); err != nil {
		return a, false, fmt.Errorf("%s: %w", at.path, err)
	}
	a = Addition{Entries: r.allEntries(), Notes: r.notes, Headers: r.headers, Torn: r.torn != nil || r.open, Bytes: info.Size() - mark.Off}
	a.Checkpoint = newCheckpoint(r, info)
	h, _ := r.dec.Header()
	a.Name, a.UserTitled = h.Name, h.UserTitled
	if r.format.Related != nil {
		l.related.addRelated(at.path, mark, r.format.Related(r.entries), a.Checkpoint)
	}
	return a, true, nil
}

// resumeReader makes a reading that goes on at mark, its decoder having seen the
// session's header only. nil when the header does not stand at the start.
func (l *Library) resumeReader(ctx context.Context, f io.ReaderAt, at place, mark Checkpoint) (*fileReader, error) {
	format, err := l.sniffFormat(f, at.path)
	if err != nil {
		return nil, err
	}
	if format.SplitRecords != nil {
		return nil, nil
	}
	r := l.newFileReader(format, at.path)
	if err := r.readTo(ctx, f, min(mark.Off, sniffSize)); err != nil {
		return nil, fmt.Errorf("%s: %w", at.path, err)
	}
	if _, ok := r.completedHeader(); !ok {
		return nil, nil
	}
	r.off, r.line, r.open = mark.Off, mark.Line, mark.Open
	n := min(mark.Off, edgeSize)
	r.head, r.tail = make([]byte, n), make([]byte, n)
	if err := errors.Join(readFull(f, r.head, 0), readFull(f, r.tail, mark.Off-n)); err != nil {
		return nil, at.pathError(err)
	}
	return r, nil
}
