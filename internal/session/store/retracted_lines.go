package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/retracted"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/scan"
	"sessiontree/internal/session/sidecar"
)

// retractedDir returns the directory for the retracted lines of a session.
func (l *Library) retractedDir(format, id string) string {
	return retracted.Dir(l.stateDir, retractedName(format, id))
}

// retractedName returns the name of that directory.
func retractedName(format, id string) string {
	return strings.TrimSuffix(sidecar.FileName(format, id, ""), ".jsonl")
}

// saveRetracted saves the lines of the main file that ld no longer has.
func (u update) saveRetracted(ctx context.Context, ld *loadedFile) {
	if u.s.reader == nil || u.s.reader.History == nil || ld.Format.Graph == nil || !ld.Format.Graph.RetractsLines {
		return
	}
	dir := u.s.lib.retractedDir(ld.Format.Name, ld.header.ID)
	u.s.mu.RLock()
	runs := retracted.FindRuns(u.s.tree, u.s.checks, ld.Checks)
	u.s.mu.RUnlock()
	if len(runs) == 0 {
		return
	}
	h := retracted.Header{Format: ld.Format.Name, Session: ld.header.ID, Time: retracted.NextTime(dir, u.s.lib.now())}
	for _, run := range runs {
		path, err := run.Save(ctx, &u.s.lib.disk, dir, h, u.s.reader.History)
		switch {
		case err != nil:
			ld.Notes = append(ld.Notes, session.Note{Code: retracted.NoteCode, Text: fmt.Sprintf("%s retracted lines, which could not be saved: %v.", ld.Format.Title, err)})
		case path != "" && u.s.lib.sync:
			go u.s.syncRetractedFile(path) // a page does not wait for the disk
		}
	}
}

// syncRetractedFile makes a file of retracted lines durable.
func (s *Session) syncRetractedFile(path string) {
	err := safefile.SyncFile(path)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return
	}
	s.unsyncedNote.Store(&session.Note{Code: retracted.NoteCode,
		Text: fmt.Sprintf("Retracted lines are saved in %s, but may be lost if the computer crashes: %v.", path, err)})
}

// readRetracted reads the retracted lines of a session together with its other files.
// Lines that the session's file has again are left out.
func (u update) readRetracted(ctx context.Context, ld *loadedFile) error {
	if ld.fileSet == nil || !ld.Format.Graph.RetractsLines || u.s.lib.stateDir == "" || u.s.isWholeDir {
		return nil
	}
	there := retracted.NewLineSet(ld.Checks)
	files, notes := retracted.ListFiles(u.s.lib.retractedDir(ld.Format.Name, ld.header.ID))
	ld.otherNotes = append(ld.otherNotes, notes...)
	for _, k := range files {
		if err := u.readRetractedFile(ctx, ld, &k, there); err != nil {
			return err
		}
	}
	return nil
}

// readRetractedFile adds the lines of one file of retracted lines.
func (u update) readRetractedFile(ctx context.Context, ld *loadedFile, k *retracted.File, there retracted.LineSet) error {
	dir, base := filepath.Split(k.Path)
	j := ld.fileSet
	m := &member{at: u.s.at.InDir(filepath.Clean(dir), base), file: int32(len(j.members) + 1), retracted: true}
	entries, notes, err := m.readMember(ctx, u.s.lib, ld.Format)
	if err != nil {
		if ctx.Err() == nil {
			ld.otherNotes = append(ld.otherNotes, session.Note{Code: retracted.NoteCode, Text: "Retracted lines cannot be read: " + err.Error() + "."})
		}
		return ctx.Err()
	}
	m.reader.EndReading()
	if note, ok := k.MissingLinesNote(m.checks); ok {
		ld.otherNotes = append(ld.otherNotes, note)
	}
	n, first, after := k.RemoveReturned(entries, m.checks, there)
	if n == 0 {
		return nil
	}
	j.members = append(j.members, m)
	j.group.Names = append(slices.Clip(j.group.Names), "rewound/"+base)
	j.group.Retracted = append(slices.Clip(j.group.Retracted), session.RetractedLines{File: m.file, After: after})
	note := k.Note(ld.Format.Title, n)
	note.File, note.Entry = int(m.file), first
	ld.others, ld.otherNotes = append(ld.others, entries...), append(append(ld.otherNotes, notes...), note)
	return nil
}

// hasReturnedLines reports whether lines just read are among the retracted ones: then
// the agent was still rewriting its file.
func (u update) hasReturnedLines(fresh []scan.LineCheck) bool {
	if u.s.fileSet == nil || len(u.s.fileSet.group.Retracted) == 0 {
		return false
	}
	gone := map[uint32]bool{}
	for _, m := range u.s.fileSet.members {
		for _, c := range m.checks {
			if m.retracted {
				gone[c.Sum] = true
			}
		}
	}
	return slices.ContainsFunc(fresh, func(c scan.LineCheck) bool { return gone[c.Sum] })
}
