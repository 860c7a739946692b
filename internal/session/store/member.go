package store

import (
	"context"
	"path/filepath"

	"sessiontree/internal/session"
)

// member is a file that is shown as part of a session beside its main one. It is
// guarded as the session's own fields are.
type member struct {
	at         place
	file       int32 // its index in Span.File
	reader     *fileReader
	checkpoint Checkpoint
	fileErr    error         // why it cannot be read now
	retracted  bool          // a file of ours, of what an agent took back
	checks     []lineCheck   // guarded by Session.mu, as is what follows
	torn       *session.Note // about the last line, while it is not finished
}

// readMember reads the whole file. An empty one has no lines yet.
func (m *member) readMember(ctx context.Context, l *Library, format *session.Format) ([][]session.Entry, []session.Note, error) {
	f, info, err := m.at.openFile()
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	m.reader = l.newFileReader(format, m.at.path)
	if err := m.reader.readTo(ctx, f, info.Size()); err != nil {
		return nil, nil, m.at.pathError(err)
	}
	m.checkpoint = newCheckpoint(m.reader, info)
	m.fileErr, m.checks, m.torn = nil, m.reader.checks, m.memberTornNote()
	e, n := m.takeMemberEntries()
	return e, n, nil
}

// takeMemberEntries answers what the last part gave as lines of this file.
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

// memberTornNote is the note about the last line after a part was read.
func (m *member) memberTornNote() *session.Note {
	switch r := m.reader; {
	case r.torn != nil:
		torn := *r.torn
		torn.File = int(m.file)
		return &torn
	case r.open:
		return m.torn // nothing was added to the line
	}
	return nil
}

// siblingPlace is the place of another file, by its name with slashes in the directory
// of the one at a place.
func siblingPlace(at place, name string) place {
	rel := filepath.Join(filepath.Dir(at.rel), filepath.FromSlash(name))
	return place{root: at.root, dir: at.dir, rel: rel, path: filepath.Join(at.dir, rel)}
}
