package sidecar

import (
	"fmt"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/roots"
)

// NoteCode is the code of notes about the sidecar of a session.
const NoteCode = "kept-aside"

// State is the state of the sidecars that the tree of an open session shows. It is not
// safe for concurrent use.
type State struct {
	store      *Store
	path       string // of the session's own sidecar
	stamp      fileStamp
	dirModTime time.Time // of the sidecar directory, when the sidecars of related sessions were read
	unread     bool      // a sidecar could not be read, and is read again with every refresh
}

// LoadAnnotations reads the annotations for a tree from the sidecars. It returns them
// with their state and notes about problems. at is the session's main file.
func (d *Store) LoadAnnotations(tree *session.Tree, f *session.Format, at roots.Place) (a session.Annotations, st State, notes []session.Note) {
	if d == nil {
		return a, st, nil
	}
	path := d.Path(f.Name, tree.Header().ID, at.Path)
	st = State{store: d, path: path, stamp: d.statFile(path), dirModTime: d.ModTime()}
	finder := &recordFinder{at: at, tree: tree, format: f}
	for _, id := range tree.SessionIDs()[1:] {
		if _, ok := d.Find(f.Name, id, at.Path); ok {
			notes = append(notes, st.addLabels(finder, d.Path(f.Name, id, at.Path), &a, nil)...)
		}
	}
	if st.Exists() {
		notes = append(notes, st.addLabels(finder, path, &a, &a.Name)...)
	}
	return a, st, notes
}

// Path returns the path of the session's own sidecar.
func (st *State) Path() string { return st.path }

// Exists reports whether the session has a sidecar.
func (st *State) Exists() bool { return st.stamp != (fileStamp{}) }

// IsUnread reports whether a sidecar could not be read.
func (st *State) IsUnread() bool { return st.unread }

// ForgetRelated makes the state stale if the session is shown together with others.
func (st *State) ForgetRelated() { st.dirModTime = time.Time{} }

// IsStale reports whether the annotations must be loaded again. isShared is set if the
// session may be shown together with others.
func (st *State) IsStale(tree *session.Tree, isShared bool) bool {
	if st.store == nil {
		return false
	}
	return st.store.statFile(st.path) != st.stamp || isShared && st.hasNewRelated(tree) || st.unread
}

// hasNewRelated reports whether the sidecar of any session has changed while the session
// is shown together with related ones.
func (st *State) hasNewRelated(tree *session.Tree) bool {
	now := st.store.ModTime()
	if now.Equal(st.dirModTime) {
		return false
	}
	st.dirModTime = now
	return len(tree.SessionIDs()) > 1
}

// addLabels adds the labels of one sidecar to a and returns notes about
// problems. It stores the session name in name, unless name is nil: then the sidecar is
// that of a related session.
func (st *State) addLabels(f *recordFinder, path string, a *session.Annotations, name **session.NameAnnotation) (notes []session.Note) {
	all, bad, err := st.store.ReadRecords(path)
	st.unread = st.unread || err != nil
	if text := describeDamage(path, bad, err); text != "" {
		notes = append(notes, session.Note{Code: NoteCode, Text: text})
	}
	labels, named := EffectiveRecords(all)
	if name != nil {
		*name = newNameAnnotation(named)
	}
	for _, r := range labels {
		p := f.findRecordEntry(r)
		if shown := f.findUnderOtherName(r); name == nil || p == session.NoPos && shown != session.NoPos {
			p = shown
		}
		if p != session.NoPos {
			a.Labels = append(a.Labels, session.LabelAnnotation{Target: f.tree.At(p).ID, Text: *r.Label, Time: r.Time})
		} else if name != nil {
			notes = appendUnmatchedNote(notes, r)
		}
	}
	return notes
}

func appendUnmatchedNote(notes []session.Note, r Record) []session.Note {
	if *r.Label == "" {
		return notes
	}
	return append(notes, session.Note{Code: NoteCode,
		Text: fmt.Sprintf("The label %q was set on %s, entry %d of the session, which is no longer in the file. The label is kept.", *r.Label, r.Entry, r.Ordinal+1)})
}
