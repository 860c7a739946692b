package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"sync"
	"time"

	"sessiontree/internal/session"
)

// NoteSidecar is the code of notes about what is kept aside of a session.
const NoteSidecar = "kept-aside"

// sidecarState is the state of the sidecar that the tree shows.
type sidecarState struct {
	path       string
	stamp      fileStamp
	dirModTime time.Time       // of all sidecars, when those of the sessions shown with this one were read
	unmatched  []sidecarRecord // labels whose entry was not found
	// unread: a sidecar could not be read, and is tried again with every look
	unread bool
}

// loadAnnotations reads what is kept aside for a tree, and what people must know of it. The
// caller has the turn.
func (s *Session) loadAnnotations(tree *session.Tree, f *session.Format) (aside session.Annotations, notes []session.Note) {
	l := s.lib
	if l.sidecars == nil {
		return aside, nil
	}
	path := l.sidecars.sidecarPath(f.Name, tree.Header().ID)
	s.sidecar = sidecarState{path: path, stamp: l.sidecars.statSidecar(path)}
	finder := recordFinder{s: s, tree: tree, format: f}
	s.sidecar.dirModTime = l.AnnotationsModTime()
	for _, id := range tree.SessionIDs()[1:] {
		if _, ok := l.FindAnnotations(f.Name, id); ok {
			notes = append(notes, finder.addSidecarLabels(l.sidecars.sidecarPath(f.Name, id), &aside, nil)...)
		}
	}
	if s.sidecar.stamp != (fileStamp{}) {
		notes = append(notes, finder.addSidecarLabels(path, &aside, &aside.Name)...)
	}
	return aside, notes
}

// addSidecarLabels adds the labels of one sidecar to aside, and answers what people must
// know of it. name is where its name goes, nil when it names another session than
// the one shown.
func (f *recordFinder) addSidecarLabels(path string, aside *session.Annotations, name **session.NameAnnotation) (notes []session.Note) {
	all, bad, err := f.s.lib.sidecars.readRecords(path)
	f.s.sidecar.unread = f.s.sidecar.unread || err != nil
	if text := damageOf(path, bad, err); text != "" {
		notes = append(notes, session.Note{Code: NoteSidecar, Text: text})
	}
	labels, named := effectiveRecords(all)
	if name != nil {
		*name = newNameAnnotation(named)
	}
	for _, r := range labels {
		p := f.findRecordEntry(r)
		if shown := f.findUnderOtherName(r); name == nil || p == session.NoPos && shown != session.NoPos {
			p = shown
		}
		if p != session.NoPos {
			aside.Labels = append(aside.Labels, session.LabelAnnotation{Target: f.tree.At(p).ID, Text: *r.Label, Time: r.Time})
		} else if name != nil {
			f.s.sidecar.unmatched = append(f.s.sidecar.unmatched, r)
			notes = appendUnmatchedNote(notes, r)
		}
	}
	return notes
}

func appendUnmatchedNote(notes []session.Note, r sidecarRecord) []session.Note {
	if *r.Label == "" {
		return notes
	}
	return append(notes, session.Note{Code: NoteSidecar,
		Text: fmt.Sprintf("The label %q was set on %s, entry %d of the session, which is not in the file any more. It is kept.", *r.Label, r.Entry, r.Ordinal+1)})
}

// recordFinder finds the entries of labels again, also after an agent gave them other
// ids.
type recordFinder struct {
	s            *Session
	tree         *session.Tree
	format       *session.Format
	fingerprints map[string]session.Pos // of all lines; nil until asked for
}

// findRecordEntry answers the entry that a record was made about: by its id, else the one in
// its place whose line says the same, else the only one that does.
func (f *recordFinder) findRecordEntry(r sidecarRecord) session.Pos {
	if p := f.tree.FindID(r.Entry); p != session.NoPos {
		return p
	}
	if f.format.Fingerprint == nil || r.Print == "" {
		return session.NoPos
	}
	if r.Ordinal < f.tree.Len() {
		if print, err := f.fingerprintEntry(session.Pos(r.Ordinal)); err == nil && print == r.Print {
			return session.Pos(r.Ordinal)
		}
	}
	if f.fingerprints == nil {
		f.fingerprintAll()
	}
	if p, ok := f.fingerprints[r.Print]; ok {
		return p
	}
	return session.NoPos
}

// findUnderOtherName answers the entry of a record when its session is shown by another name
// than it was then: lines without an id are named by their file in all sessions but
// the one that is opened.
func (f *recordFinder) findUnderOtherName(r sidecarRecord) session.Pos {
	if p := f.tree.FindID(r.Session + ":" + r.Entry); p != session.NoPos {
		return p
	}
	if line, ok := strings.CutPrefix(r.Entry, r.Session+":"); ok && r.Session == f.tree.Header().ID {
		return f.tree.FindID(line)
	}
	if p := f.tree.FindID(r.Entry); p != session.NoPos && f.tree.At(p).ID != fmt.Sprintf("L%d", f.tree.At(p).Span.Line) {
		return p
	}
	return session.NoPos // the same line of another session
}

// fingerprintAll hashes every line of the session. What stands twice is not told apart.
func (f *recordFinder) fingerprintAll() {
	f.fingerprints = make(map[string]session.Pos, f.tree.Len())
	for p := range session.Pos(f.tree.Len()) {
		print, err := f.fingerprintEntry(p)
		if err != nil {
			continue
		}
		if _, twice := f.fingerprints[print]; twice {
			p = session.NoPos
		}
		f.fingerprints[print] = p
	}
}

// fingerprintEntry hashes the recorded line of an entry, without ids.
func (f *recordFinder) fingerprintEntry(p session.Pos) (string, error) {
	span := f.tree.At(p).Span
	if span.File != 0 { // in a file beside the session's own its id has to do
		return "", nil
	}
	file, _, err := f.s.at.openFile()
	if err != nil {
		return "", err
	}
	defer file.Close()
	line := make([]byte, span.Len)
	if err := readFull(file, line, span.Off); err != nil {
		return "", err
	}
	return strconv.FormatUint(f.format.Fingerprint(line), 16), nil
}

// refreshAnnotations takes in what was kept aside since, by whatever process. c is what
// the file gave; shown labels that change make it a rewrite, so that nobody keeps
// rows of before. The caller has the turn.
func (s *Session) refreshAnnotations(c Change) Change {
	l := s.lib
	unread := s.sidecar.unread
	if l.sidecars == nil || l.sidecars.statSidecar(s.sidecar.path) == s.sidecar.stamp && !s.hasNewAnnotations() && !unread {
		return c
	}
	aside, notes := s.loadAnnotations(s.tree, s.Format())
	if unread && s.sidecar.unread {
		return c // nothing more is known than before
	}
	s.mu.Lock()
	s.tree.ApplyAnnotations(aside)
	s.rev.Epoch = l.epochs.nextEpoch()
	s.mu.Unlock()
	s.updateMeta(func(k *sessionMeta) { k.sidecarNotes = notes })
	full := s.newChange(Rewritten)
	full.Entries, full.Labels, full.Annotations = c.Entries, true, true
	return full
}

// hasNewAnnotations reports whether something was kept aside since of any session, when
// others are shown with this one.
func (s *Session) hasNewAnnotations() bool {
	if s.fileSet == nil {
		return false
	}
	now := s.lib.AnnotationsModTime()
	if now.Equal(s.sidecar.dirModTime) {
		return false
	}
	s.sidecar.dirModTime = now
	return len(s.tree.SessionIDs()) > 1
}

// applyInSidecar keeps a label or a name in the explorer's own state.
func (s *Session) applyInSidecar(ctx context.Context, c session.Change, seen Precondition) (Written, error) {
	s.updateMu.Lock()
	rec, err := s.newSidecarRecord(c)
	path := s.lib.sidecars.sidecarPath(rec.Format, rec.Session)
	if err == nil {
		err = s.checkPrecondition(c, seen)
	}
	leaf := s.leafID()
	s.updateMu.Unlock()
	if err != nil {
		return Written{}, err
	}
	err = s.lib.sidecars.appendRecords(ctx, path, rec)
	if err != nil && !errors.Is(err, ErrUnconfirmed) {
		return Written{}, err
	}
	if _, unread := s.Refresh(context.WithoutCancel(ctx)); unread != nil && err == nil {
		err = unconfirmedError(path, "the change was written", unread)
	}
	return Written{File: path, Leaf: leaf, InSidecar: true}, err
}

// newSidecarRecord writes a change down for the sidecar. The caller has the turn.
func (s *Session) newSidecarRecord(c session.Change) (sidecarRecord, error) {
	h := s.tree.Header()
	rec := sidecarRecord{Format: s.Format().Name, Session: h.ID, Time: s.lib.now().UnixMilli()}
	if c.Op == session.OpName {
		rec.Over, _ = s.tree.RecordedNameAndLabels()
		rec.Name = &c.Text
		return rec, nil
	}
	p, err := s.findLabelTarget(c)
	if err != nil {
		return rec, err
	}
	rec.Entry, rec.Ordinal, rec.Label = c.Entry, int(p), &c.Text
	rec.Session = s.tree.EntrySessionID(p) // a label belongs to the session that its entry is of, wherever it is shown
	if print := s.Format().Fingerprint; print != nil {
		f := recordFinder{s: s, tree: s.tree, format: s.Format()}
		if rec.Print, err = f.fingerprintEntry(p); err != nil {
			return rec, err
		}
	}
	return rec, nil
}

// findLabelTarget is the entry that a label is for. The caller has the turn.
func (s *Session) findLabelTarget(c session.Change) (session.Pos, error) {
	if c.Op != session.OpLabel {
		return session.NoPos, nil
	}
	p := s.tree.FindID(c.Entry)
	if p == session.NoPos {
		return p, fmt.Errorf("%s: entry %s: %w", s.at.path, c.Entry, session.ErrNotFound)
	}
	return p, nil
}

// holderCache remembers for a moment who holds the session's file open: looking
// through all processes takes milliseconds.
type holderCache struct {
	mu    sync.Mutex
	at    time.Time
	pid   int
	known bool
}

// cachedWriterProcess finds a process other than explorers that has the file open for writing.
func (s *Session) cachedWriterProcess(info fs.FileInfo) (pid int, known bool) {
	h := &s.holders
	h.mu.Lock()
	defer h.mu.Unlock()
	if time.Since(h.at) > time.Second {
		h.pid, h.known = s.lib.disk.holder(s.at.path, info)
		h.at = time.Now()
	}
	return h.pid, h.known
}
