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

// ErrPart is of a file that belongs to another one's session: an agent's, a
// journal.
var ErrPart = errors.New("part of another file's session")

// PartError is ErrPart of an agent's file whose session's file is known.
type PartError struct {
	Path, Home string // of the file, and of its session's
}

func (e *PartError) Error() string { return e.Path + ": " + ErrPart.Error() }

// Unwrap makes it an ErrPart.
func (e *PartError) Unwrap() error { return ErrPart }

// Survey is one reading of a whole session file, for listings.
type Survey struct {
	Tree   *session.Tree
	Format *session.Format
	Mark   Mark
	Prompt string // text of the first user entry that has any
	Torn   bool   // the last line is not finished
	Lost   bool   // it is part of a session that is gone
}

// Survey reads a session once without keeping it open.
func (l *Library) Survey(ctx context.Context, path string) (*Survey, error) {
	at, err := l.locate(path)
	if err != nil {
		return nil, err
	}
	f, info, err := at.open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	format, err := l.sniff(f, at.path)
	if err != nil {
		return nil, err
	}
	home, part, lost := l.partOf(at, format, f)
	if part && !lost {
		return nil, &PartError{Path: at.path, Home: home}
	}
	ld, err := l.readAs(ctx, at, format, f, info)
	if err != nil {
		return nil, err
	}
	if ld.format.Kin != nil {
		l.kin.put(at.path, KinFile{ld.mark, ld.format.Kin(ld.entries)}, true)
	}
	s := &Survey{Format: ld.format, Mark: ld.mark, Torn: ld.torn != nil, Lost: lost}
	s.Tree = ld.alone(at)
	s.Prompt, err = firstPrompt(f, ld.format, s.Tree)
	if err != nil {
		return nil, at.failed(err)
	}
	return s, nil
}

// IsPart reports whether a file belongs to the session of another one that is there.
func (l *Library) IsPart(path string) bool {
	at, err := l.locate(path)
	if err != nil {
		return false
	}
	f, _, err := at.open()
	if err != nil {
		return false
	}
	defer f.Close()
	format, err := l.sniff(f, at.path)
	if err != nil {
		return false
	}
	_, part, lost := l.partOf(at, format, f)
	return part && !lost
}

// partOf reports whether a file belongs to the session of another one, the path of that,
// "" where the file does not say, and whether it is gone. Where the library does not hold
// that one the file is a session by itself.
func (l *Library) partOf(at place, format *session.Format, f io.ReaderAt) (home string, part, lost bool) {
	path := filepath.ToSlash(at.path)
	if format.Part != nil && !format.Part(path) || format.Part == nil && format.Home == nil {
		return "", false, false
	}
	if format.Home == nil {
		return "", true, false
	}
	head := heads.Get().(*[headSize]byte)
	defer heads.Put(head)
	n, _ := f.ReadAt(head[:], 0) // what cannot be read names no session
	home = filepath.FromSlash(format.Home(path, head[:n]))
	if home == "" {
		return "", format.Part != nil, false
	}
	info, err := os.Stat(home)
	lost = err != nil || info.Size() == 0
	return home, lost || l.Holds(home), lost
}

// Survey calls fn with the session as it stands and its first prompt. fn must
// neither block nor keep the tree.
func (s *Session) Survey(ctx context.Context, fn func(Survey)) error {
	prompt, err := s.prompt(ctx)
	if err != nil {
		return err
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	known := s.known.Load()
	if known.gone != nil {
		return known.gone
	}
	f, _, err := s.at.open()
	if err != nil {
		return err
	}
	defer f.Close()
	_, _, lost := s.lib.partOf(s.at, known.format, f)
	s.Read(func(t *session.Tree, _ Rev) {
		fn(Survey{Tree: t, Format: known.format, Mark: s.mark, Prompt: prompt, Torn: known.torn != nil, Lost: lost})
	})
	return nil
}

// prompt reads the text of the first user entry that has any.
func (s *Session) prompt(ctx context.Context) (string, error) {
	first := session.NoPos
	s.Read(func(t *session.Tree, _ Rev) { first = firstUser(t) })
	if first == session.NoPos {
		return "", nil
	}
	line, err := s.Raw(ctx, first)
	if err != nil {
		return "", err
	}
	return promptText(s.Format(), line)
}

// firstUser is the first user entry that has any text.
func firstUser(t *session.Tree) session.Pos {
	for p := range session.Pos(t.Len()) {
		if e := t.At(p); e.Kind == session.KindUser && e.Has(session.FlagText) {
			return p
		}
	}
	return session.NoPos
}

// firstPrompt reads the text of the first user entry that has any. The entry's
// own preview joins blocks of text as a row does, which a list does not.
func firstPrompt(f io.ReaderAt, format *session.Format, t *session.Tree) (string, error) {
	p := firstUser(t)
	if p == session.NoPos {
		return "", nil
	}
	span := t.At(p).Span
	line := make([]byte, span.Len)
	if err := readFull(f, line, span.Off); err != nil {
		return "", err
	}
	return promptText(format, line)
}

// promptText is the text of a recorded user message as a list shows it: its
// blocks of text joined by blanks.
func promptText(f *session.Format, line []byte) (string, error) {
	body, err := f.Body(line)
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
	Entries []session.Entry
	Notes   []session.Note
	Headers int // header lines among what was added
	Torn    bool
	Mark    Mark
	Bytes   int64  // read to find out
	Same    bool   // nothing was; the rest but Mark is empty
	Name    string // of the session, as far as its first lines and what was added say
	Titled  bool   // the user gave it, or took it away
}

// Added reads what was added since mark was made, at a cost in proportion to it.
// ok is false when more than that happened: then the file must be surveyed.
func (l *Library) Added(ctx context.Context, path string, mark Mark) (a Addition, ok bool, err error) {
	at, err := l.locate(path)
	if err != nil {
		return a, false, err
	}
	f, info, err := at.open()
	if err != nil {
		return a, false, err
	}
	defer f.Close()
	switch v, err := mark.compare(f, info); {
	case err != nil:
		return a, false, at.failed(err)
	case v == same:
		mark.moved(info)
		l.kin.seen(at.path, mark)
		return Addition{Mark: mark, Same: true}, true, nil
	case v != grown || mark.Open && !endsAt(f, mark.Off):
		return a, false, nil
	}
	r, err := l.resume(ctx, f, at, mark)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return a, false, nil // it has just shrunk
	}
	if err != nil || r == nil {
		return a, false, err
	}
	if err := r.part(ctx, f, info.Size()); err != nil {
		return a, false, fmt.Errorf("%s: %w", at.path, err)
	}
	a = Addition{Entries: r.all(), Notes: r.notes, Headers: r.headers, Torn: r.torn != nil || r.open, Bytes: info.Size() - mark.Off}
	a.Mark = newMark(r, info)
	h, _ := r.dec.Header()
	a.Name, a.Titled = h.Name, h.Titled
	if r.format.Kin != nil {
		l.kin.grew(at.path, mark, r.format.Kin(r.entries), a.Mark)
	}
	return a, true, nil
}

// resume makes a reading that goes on at mark, its decoder having seen the
// session's header only. nil when the header does not stand at the start.
func (l *Library) resume(ctx context.Context, f io.ReaderAt, at place, mark Mark) (*reading, error) {
	format, err := l.sniff(f, at.path)
	if err != nil {
		return nil, err
	}
	if format.Split != nil {
		return nil, nil
	}
	r := l.newReading(format, at.path)
	if err := r.part(ctx, f, min(mark.Off, headSize)); err != nil {
		return nil, fmt.Errorf("%s: %w", at.path, err)
	}
	if _, ok := r.header(); !ok {
		return nil, nil
	}
	r.off, r.line, r.open = mark.Off, mark.Line, mark.Open
	n := min(mark.Off, edge)
	r.head, r.tail = make([]byte, n), make([]byte, n)
	if err := errors.Join(readFull(f, r.head, 0), readFull(f, r.tail, mark.Off-n)); err != nil {
		return nil, at.failed(err)
	}
	return r, nil
}
