package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/safefile"
)

// NoteSidecar is the code of notes about the sidecar of a session.
const NoteSidecar = "kept-aside"

// sidecarState is the state of the sidecar that the tree shows.
type sidecarState struct {
	path       string
	stamp      fileStamp
	dirModTime time.Time       // of the sidecar directory, when the sidecars of related sessions were read
	unmatched  []sidecarRecord // labels whose entry was not found
	// unread: a sidecar could not be read, and is tried again with every look
	unread bool
}

// loadAnnotations reads the annotations for a tree from the sidecars, and returns notes
// about problems. The caller holds updateMu.
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

// addSidecarLabels adds the labels of one sidecar to aside and returns notes about
// problems. It stores the session name in name, unless name is nil: then the sidecar is
// that of a related session.
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
		Text: fmt.Sprintf("The label %q was set on %s, entry %d of the session, which is no longer in the file. The label is kept.", *r.Label, r.Entry, r.Ordinal+1)})
}

// refreshAnnotations applies annotations that any process has written to the sidecars
// since the last call. c is the change found in the files; if displayed labels change
// it becomes Rewritten, so that viewers do not keep outdated rows. The caller holds
// updateMu.
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

// hasNewAnnotations reports whether the sidecar of any session has changed while the
// session is shown together with related ones.
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

// applyInSidecar writes a label or a name to the sidecar.
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
	if err != nil && !errors.Is(err, safefile.ErrUnconfirmed) {
		return Written{}, refusalOf(err)
	}
	if _, unread := s.Refresh(context.WithoutCancel(ctx)); unread != nil && err == nil {
		err = safefile.NewUnconfirmedError(path, "the change was written", unread)
	}
	return Written{File: path, Leaf: leaf, InSidecar: true}, err
}

// newSidecarRecord returns the sidecar record of a change. The caller holds updateMu.
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
	rec.Session = s.tree.EntrySessionID(p) // a label belongs to the session of its entry, wherever it is shown
	if print := s.Format().Fingerprint; print != nil {
		f := recordFinder{s: s, tree: s.tree, format: s.Format()}
		if rec.Print, err = f.fingerprintEntry(p); err != nil {
			return rec, err
		}
	}
	return rec, nil
}

// findLabelTarget returns the entry that a label change is about, NoPos for other
// changes. The caller holds updateMu.
func (s *Session) findLabelTarget(c session.Change) (session.Pos, error) {
	if c.Op != session.OpLabel {
		return session.NoPos, nil
	}
	p := s.tree.FindID(c.Entry)
	if p == session.NoPos {
		return p, fmt.Errorf("%s: entry %s: %w", s.at.Path, c.Entry, session.ErrNotFound)
	}
	return p, nil
}

// holderCache caches for a second which process has the session's file open. A scan of
// all processes takes milliseconds.
type holderCache struct {
	mu    sync.Mutex
	at    time.Time
	pid   int
	known bool
}

// cachedWriterProcess finds a process, other than explorers, that has the file open for
// writing.
func (s *Session) cachedWriterProcess(info fs.FileInfo) (pid int, known bool) {
	h := &s.holders
	h.mu.Lock()
	defer h.mu.Unlock()
	if time.Since(h.at) > time.Second {
		h.pid, h.known = s.lib.disk.FindWriter(s.at.Path, info)
		h.at = time.Now()
	}
	return h.pid, h.known
}
