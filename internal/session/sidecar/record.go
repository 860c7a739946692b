package sidecar

import (
	"fmt"

	"sessiontree/internal/session"
	"sessiontree/internal/session/roots"
)

// NewRecord returns the record of a change to a label or the name. at is the session's
// main file, now is in ms.
func NewRecord(tree *session.Tree, f *session.Format, at roots.Place, c session.Change, now int64) (Record, error) {
	rec := Record{Format: f.Name, Session: tree.Header().ID, Time: now}
	if c.Op == session.OpName {
		rec.Over, _ = tree.RecordedNameAndLabels()
		rec.Name = &c.Text
		return rec, nil
	}
	p := tree.FindID(c.Entry)
	if p == session.NoPos {
		return rec, fmt.Errorf("%s: entry %s: %w", at.Path, c.Entry, session.ErrNotFound)
	}
	rec.Entry, rec.Ordinal, rec.Label = c.Entry, int(p), &c.Text
	rec.Session = tree.EntrySessionID(p) // a label belongs to the session of its entry, wherever it is shown
	if f.Fingerprint != nil {
		var err error
		finder := recordFinder{at: at, tree: tree, format: f}
		if rec.Print, err = finder.fingerprintEntry(p); err != nil {
			return rec, err
		}
	}
	return rec, nil
}

// NewRecords returns the records of annotations, now in ms.
func NewRecords(format, id string, a session.Annotations, now int64) (all []Record) {
	for _, l := range a.Labels {
		all = append(all, Record{Format: format, Session: id, Time: l.Time, Entry: l.Target, Label: &l.Text})
	}
	if a.Name != nil {
		all = append(all, Record{Format: format, Session: id, Time: now, Name: &a.Name.Text, Over: a.Name.Over})
	}
	return all
}
