package store

import (
	"context"
	"path/filepath"

	"sessiontree/internal/session"
)

// member is a file that is shown as part of a session beside its main one. It is
// guarded as the session's own fields are.
type member struct {
	at      place
	file    int32 // its index in Span.File
	reading *reading
	mark    Mark
	gone    error         // why it cannot be read now
	kept    bool          // a file of ours, of what an agent took back
	checks  []check       // guarded by Session.mu, as is what follows
	torn    *session.Note // about the last line, while it is not finished
}

// read reads the whole file. An empty one has no lines yet.
func (m *member) read(ctx context.Context, l *Library, format *session.Format) ([][]session.Entry, []session.Note, error) {
	f, info, err := m.at.open()
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	m.reading = l.newReading(format, m.at.path)
	if err := m.reading.part(ctx, f, info.Size()); err != nil {
		return nil, nil, m.at.failed(err)
	}
	m.mark = newMark(m.reading, info)
	m.gone, m.checks, m.torn = nil, m.reading.checks, m.unfinished()
	e, n := m.take()
	return e, n, nil
}

// take answers what the last part gave as lines of this file.
func (m *member) take() ([][]session.Entry, []session.Note) {
	r := m.reading
	entries, notes := r.entries, r.notes
	for _, part := range entries {
		for i := range part {
			part[i].Span.File = m.file
		}
	}
	for i := range notes {
		notes[i].File = int(m.file)
	}
	r.forget()
	return entries, notes
}

// unfinished is the note about the last line after a part was read.
func (m *member) unfinished() *session.Note {
	switch r := m.reading; {
	case r.torn != nil:
		torn := *r.torn
		torn.File = int(m.file)
		return &torn
	case r.open:
		return m.torn // nothing was added to the line
	}
	return nil
}

// beside is the place of another file, by its name with slashes in the directory
// of the one at a place.
func beside(at place, name string) place {
	rel := filepath.Join(filepath.Dir(at.rel), filepath.FromSlash(name))
	return place{root: at.root, dir: at.dir, rel: rel, path: filepath.Join(at.dir, rel)}
}
