package store

import (
	"context"

	"sessiontree/internal/session"
	"sessiontree/internal/session/roots"
)

// member is a file other than the main one that is shown as part of a session. Its
// fields are guarded like those of Session.
type member struct {
	at         roots.Place
	file       int32 // its index in Span.File
	reader     *fileReader
	checkpoint Checkpoint
	fileErr    error         // why the file cannot be read now
	retracted  bool          // a file in the state directory with lines that an agent retracted
	checks     []lineCheck   // checks and torn are guarded by Session.mu
	torn       *session.Note // about an unfinished last line
}

// readMember reads the whole file. An empty file has no lines yet.
func (m *member) readMember(ctx context.Context, l *Library, format *session.Format) ([][]session.Entry, []session.Note, error) {
	f, info, err := m.at.OpenFile()
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	m.reader = l.newFileReader(format, m.at.Path)
	if err := m.reader.readTo(ctx, f, info.Size()); err != nil {
		return nil, nil, m.at.PathError(err)
	}
	m.checkpoint = newCheckpoint(m.reader, info)
	m.fileErr, m.checks, m.torn = nil, m.reader.checks, m.memberTornNote()
	e, n := m.takeMemberEntries()
	return e, n, nil
}

// takeMemberEntries returns the entries and notes of the last read, with the number of
// this file.
func (m *member) takeMemberEntries() ([][]session.Entry, []session.Note) {
	r := m.reader
	entries, notes := r.entries, r.notes
	for _, part := range entries {
		for i := range part {
			part[i].Span.File = m.file
		}
	}
	for i := range notes {
		notes[i].File = int(m.file)
	}
	r.dropResults()
	return entries, notes
}

// memberTornNote returns the note about the last line after a read, nil if it is
// finished.
func (m *member) memberTornNote() *session.Note {
	switch r := m.reader; {
	case r.torn != nil:
		torn := *r.torn
		torn.File = int(m.file)
		return &torn
	case r.open:
		return m.torn // the line did not change
	}
	return nil
}
