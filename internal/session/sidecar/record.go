package sidecar

import (
	"fmt"

	"sessiontree/internal/session"
)

// NewRecord returns the record of a change to a label or the name. read reads lines of the
// session's main file, path is its path, now is in ms.
func NewRecord(tree *session.Tree, f *session.Format, path string, read session.LineReader, c session.Change, now int64) (Record, error) {
	rec := Record{Format: f.Name, Session: tree.Header().ID, Time: now}
	if c.Op == session.OpName {
		rec.Over, _ = tree.RecordedNameAndLabels()
		rec.Name = &c.Text
		return rec, nil
	}
	p := tree.FindID(c.Entry)
	if p == session.NoPos {
		return rec, fmt.Errorf("%s: entry %s: %w", path, c.Entry, session.ErrNotFound)
	}
	rec.Entry, rec.Ordinal, rec.Label = c.Entry, int(p), &c.Text
	// A label belongs to the session of its entry, wherever it is shown.
	rec.Session = tree.EntrySessionID(p)
	if hasFingerprint(f, tree.At(p)) {
		line, err := read(p)
		if err != nil {
			return rec, err
		}
		rec.Print = formatFingerprint(f, line)
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
