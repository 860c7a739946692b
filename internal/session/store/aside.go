package store

import (
	"context"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"sync"
	"time"

	"sessiontree/internal/session"
)

// NoteAside is the code of notes about what is kept aside of a session.
const NoteAside = "kept-aside"

// asideSeen is the state of the sidecar that the tree shows.
type asideSeen struct {
	path  string
	stamp stamp
	dir   time.Time     // of all sidecars, when those of the sessions shown with this one were read
	lost  []asideRecord // labels whose entry was not found
}

// kept reads what is kept aside for a tree, and what people must know of it. The
// caller has the turn.
func (s *Session) kept(tree *session.Tree, f *session.Format) (aside session.Aside, notes []session.Note) {
	l := s.lib
	if l.asides == nil {
		return aside, nil
	}
	path := l.asides.path(f.Name, tree.Header().ID)
	s.aside = asideSeen{path: path, stamp: l.asides.stampOf(path)}
	finder := finder{s: s, tree: tree, format: f}
	s.aside.dir = l.AsideStamp()
	for _, id := range tree.Sessions()[1:] {
		if _, ok := l.Aside(f.Name, id); ok {
			notes = append(notes, finder.labels(l.asides.path(f.Name, id), &aside, nil)...)
		}
	}
	if s.aside.stamp != (stamp{}) {
		notes = append(notes, finder.labels(path, &aside, &aside.Name)...)
	}
	return aside, notes
}

// labels adds the labels of one sidecar to aside, and answers what people must
// know of it. name is where its name goes, nil when it names another session than
// the one shown.
func (f *finder) labels(path string, aside *session.Aside, name **session.AsideName) (notes []session.Note) {
	all, bad, err := f.s.lib.asides.read(path)
	if err != nil {
		notes = append(notes, session.Note{Code: NoteAside, Text: fmt.Sprintf("What is kept of this session in %s cannot be read: %v.", path, reason(err))})
	}
	if bad > 0 {
		notes = append(notes, session.Note{Code: NoteAside, Text: fmt.Sprintf("Lines that cannot be read in what is kept of this session in %s: %d.", path, bad)})
	}
	labels, named := inForce(all)
	if name != nil {
		*name = asideName(named)
	}
	for _, r := range labels {
		p := f.find(r)
		if shown := f.elsewhere(r); name == nil || p == session.NoPos && shown != session.NoPos {
			p = shown
		}
		if p != session.NoPos {
			aside.Labels = append(aside.Labels, session.AsideLabel{Target: f.tree.At(p).ID, Text: *r.Label, Time: r.Time})
		} else if name != nil {
			f.s.aside.lost = append(f.s.aside.lost, r)
			notes = lostNote(notes, r)
		}
	}
	return notes
}

func lostNote(notes []session.Note, r asideRecord) []session.Note {
	if *r.Label == "" {
		return notes
	}
	return append(notes, session.Note{Code: NoteAside,
		Text: fmt.Sprintf("The label %q was set on %s, entry %d of the session, which is not in the file any more. It is kept.", *r.Label, r.Entry, r.Ordinal+1)})
}

// finder finds the entries of labels again, also after an agent gave them other
// ids.
type finder struct {
	s      *Session
	tree   *session.Tree
	format *session.Format
	prints map[string]session.Pos // of all lines; nil until asked for
}

// find answers the entry that a record was made about: by its id, else the one in
// its place whose line says the same, else the only one that does.
func (f *finder) find(r asideRecord) session.Pos {
	if p := f.tree.Find(r.Entry); p != session.NoPos {
		return p
	}
	if f.format.Print == nil || r.Print == "" {
		return session.NoPos
	}
	if r.Ordinal < f.tree.Len() {
		if print, err := f.print(session.Pos(r.Ordinal)); err == nil && print == r.Print {
			return session.Pos(r.Ordinal)
		}
	}
	if f.prints == nil {
		f.all()
	}
	if p, ok := f.prints[r.Print]; ok {
		return p
	}
	return session.NoPos
}

// elsewhere answers the entry of a record when its session is shown by another name
// than it was then: lines without an id are named by their file in all sessions but
// the one that is opened.
func (f *finder) elsewhere(r asideRecord) session.Pos {
	if p := f.tree.Find(r.Session + ":" + r.Entry); p != session.NoPos {
		return p
	}
	if line, ok := strings.CutPrefix(r.Entry, r.Session+":"); ok && r.Session == f.tree.Header().ID {
		return f.tree.Find(line)
	}
	if p := f.tree.Find(r.Entry); p != session.NoPos && f.tree.At(p).ID != fmt.Sprintf("L%d", f.tree.At(p).Span.Line) {
		return p
	}
	return session.NoPos // the same line of another session
}

// all hashes every line of the session. What stands twice is not told apart.
func (f *finder) all() {
	f.prints = make(map[string]session.Pos, f.tree.Len())
	for p := range session.Pos(f.tree.Len()) {
		print, err := f.print(p)
		if err != nil {
			continue
		}
		if _, twice := f.prints[print]; twice {
			p = session.NoPos
		}
		f.prints[print] = p
	}
}

// print hashes the recorded line of an entry, without ids.
func (f *finder) print(p session.Pos) (string, error) {
	span := f.tree.At(p).Span
	if span.File != 0 { // in a file beside the session's own its id has to do
		return "", nil
	}
	file, _, err := f.s.at.open()
	if err != nil {
		return "", err
	}
	defer file.Close()
	line := make([]byte, span.Len)
	if err := readFull(file, line, span.Off); err != nil {
		return "", err
	}
	return strconv.FormatUint(f.format.Print(line), 16), nil
}

// refreshAside takes in what was kept aside since, by whatever process. c is what
// the file gave; shown labels that change make it a rewrite, so that nobody keeps
// rows of before. The caller has the turn.
func (s *Session) refreshAside(c Change) Change {
	l := s.lib
	if l.asides == nil || l.asides.stampOf(s.aside.path) == s.aside.stamp && !s.newBeside() {
		return c
	}
	aside, notes := s.kept(s.tree, s.Format())
	s.mu.Lock()
	s.tree.Overlay(aside)
	s.rev.Epoch = l.epochs.next()
	s.mu.Unlock()
	s.know(func(k *known) { k.aside = notes })
	full := s.change(Rewritten)
	full.Entries, full.Labels, full.Aside = c.Entries, true, true
	return full
}

// newBeside reports whether something was kept aside since of any session, when
// others are shown with this one.
func (s *Session) newBeside() bool {
	if s.joined == nil {
		return false
	}
	now := s.lib.AsideStamp()
	if now.Equal(s.aside.dir) {
		return false
	}
	s.aside.dir = now
	return len(s.tree.Sessions()) > 1
}

// setAside keeps a label or a name in the explorer's own state.
func (s *Session) setAside(ctx context.Context, c session.Change, seen Seen) (Written, error) {
	s.turn.Lock()
	rec, err := s.asideOf(c)
	path := s.lib.asides.path(rec.Format, rec.Session)
	if err == nil {
		err = s.check(c, seen)
	}
	leaf := s.leafID()
	s.turn.Unlock()
	if err != nil {
		return Written{}, err
	}
	if err := s.lib.asides.add(ctx, path, rec); err != nil {
		return Written{}, err
	}
	if _, err := s.Refresh(context.WithoutCancel(ctx)); err != nil {
		return Written{}, err
	}
	return Written{File: path, Leaf: leaf, Aside: true}, nil
}

// asideOf writes a change down for the sidecar. The caller has the turn.
func (s *Session) asideOf(c session.Change) (asideRecord, error) {
	h := s.tree.Header()
	rec := asideRecord{Format: s.Format().Name, Session: h.ID, Time: s.lib.now().UnixMilli()}
	if c.Op == session.OpName {
		rec.Over, _ = s.tree.Recorded()
		rec.Name = &c.Text
		return rec, nil
	}
	p, err := s.target(c)
	if err != nil {
		return rec, err
	}
	rec.Entry, rec.Ordinal, rec.Label = c.Entry, int(p), &c.Text
	rec.Session = s.tree.SessionOf(p) // a label belongs to the session that its entry is of, wherever it is shown
	if print := s.Format().Print; print != nil {
		f := finder{s: s, tree: s.tree, format: s.Format()}
		if rec.Print, err = f.print(p); err != nil {
			return rec, err
		}
	}
	return rec, nil
}

// target is the entry that a label is for. The caller has the turn.
func (s *Session) target(c session.Change) (session.Pos, error) {
	if c.Op != session.OpLabel {
		return session.NoPos, nil
	}
	p := s.tree.Find(c.Entry)
	if p == session.NoPos {
		return p, fmt.Errorf("%s: entry %s: %w", s.at.path, c.Entry, session.ErrNotFound)
	}
	return p, nil
}

// heldBefore remembers for a moment who holds the session's file open: looking
// through all processes takes milliseconds.
type heldBefore struct {
	mu    sync.Mutex
	at    time.Time
	pid   int
	known bool
}

// holder finds a process other than explorers that has the file open for writing.
func (s *Session) holder(info fs.FileInfo) (pid int, known bool) {
	h := &s.held
	h.mu.Lock()
	defer h.mu.Unlock()
	if time.Since(h.at) > time.Second {
		h.pid, h.known = holder(s.at.path, info)
		h.at = time.Now()
	}
	return h.pid, h.known
}
