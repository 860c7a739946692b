package store

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/scan"
)

// readRetracted reads the retracted lines of a session together with its other files.
// Lines that the session's file has again are left out.
func (u update) readRetracted(ctx context.Context, ld *loadedFile) error {
	if ld.fileSet == nil || !ld.Format.Graph.RetractsLines || u.s.lib.sidecars == nil || u.s.isWholeDir {
		return nil
	}
	there := make(map[uint32]bool, len(ld.Checks))
	for _, c := range ld.Checks {
		there[c.Sum] = true
	}
	for _, k := range u.retractedFiles(ld) {
		if err := u.readRetractedFile(ctx, ld, k, there); err != nil {
			return err
		}
	}
	return nil
}

// retractedFile is a file of retracted lines.
type retractedFile struct {
	path   string
	header retractedHead
}

// retractedFiles returns the files of a session's retracted lines, the newest first:
// the entry that lines were attached to may have been retracted later. An unreadable file
// becomes a note.
func (u update) retractedFiles(ld *loadedFile) (all []retractedFile) {
	dir := u.s.lib.retractedDir(ld.Format.Name, ld.header.ID)
	names, err := os.ReadDir(dir)
	if err != nil {
		return nil // no lines were ever retracted
	}
	for _, e := range names {
		k := retractedFile{path: filepath.Join(dir, e.Name())}
		if !roots.IsSessionName(e.Name()) {
			continue
		}
		if err := k.readRetractedHead(); err != nil {
			ld.otherNotes = append(ld.otherNotes, session.Note{Code: NoteRetracted, Text: fmt.Sprintf("What was taken back cannot be read in %s: %v.", k.path, safefile.Reason(err))})
			continue
		}
		all = append(all, k)
	}
	slices.SortFunc(all, func(a, b retractedFile) int {
		return cmp.Or(cmp.Compare(b.header.Kept.Time, a.header.Kept.Time), cmp.Compare(a.path, b.path))
	})
	return all
}

// readRetractedHead reads the first line.
func (k *retractedFile) readRetractedHead() error {
	f, _, err := safefile.OpenRegular(k.path)
	if err != nil {
		return err
	}
	defer f.Close()
	line, err := bufio.NewReader(f).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &k.header)
	}
	var disk *fs.PathError
	switch {
	case errors.As(err, &disk):
		return err
	case err != nil || k.header.Kept.Session == "":
		return errors.New("its first line does not say what it keeps")
	}
	return nil
}

// missing returns how many of the lines that the file was made of are not in it.
func (k *retractedFile) missing(read []scan.LineCheck) int {
	n := k.header.Kept.Lines
	for _, c := range read {
		if c.Line > 1 {
			n--
		}
	}
	return n
}

// readRetractedFile adds the lines of one file of retracted lines.
func (u update) readRetractedFile(ctx context.Context, ld *loadedFile, k retractedFile, there map[uint32]bool) error {
	dir, base := filepath.Split(k.path)
	j := ld.fileSet
	m := &member{file: int32(len(j.members) + 1), retracted: true}
	m.at = u.s.at.InDir(filepath.Clean(dir), base)
	entries, notes, err := m.readMember(ctx, u.s.lib, ld.Format)
	if err != nil {
		if ctx.Err() == nil {
			ld.otherNotes = append(ld.otherNotes, session.Note{Code: NoteRetracted, Text: "Retracted lines cannot be read: " + err.Error() + "."})
		}
		return ctx.Err()
	}
	if missing := k.missing(m.checks); missing > 0 {
		ld.otherNotes = append(ld.otherNotes, session.Note{Code: NoteRetracted, Text: fmt.Sprintf("Lines that were taken back and cannot be read in %s: %d.", k.path, missing)})
	}
	n, first, after := 0, "", k.header.Kept.After
	for i := range entries {
		entries[i] = slices.DeleteFunc(entries[i], func(e session.Entry) bool {
			gone := e.Span.Line == 1 || there[scan.HashAt(m.checks, e.Span.Off)]
			switch {
			case !gone && n == 0:
				n, first = 1, e.ID
			case !gone:
				n++
			case n == 0 && e.Span.Line > 1:
				after = e.ID // this line is in the file again, and the missing ones follow it
			}
			return gone
		})
	}
	if n == 0 {
		return nil
	}
	j.members = append(j.members, m)
	j.group.Names = append(slices.Clip(j.group.Names), "rewound/"+base)
	j.group.Retracted = append(slices.Clip(j.group.Retracted), session.RetractedLines{File: m.file, After: after})
	note := session.Note{Code: NoteRetracted, File: int(m.file), Entry: first, Text: retractedNoteText(ld.Format, n, &k)}
	ld.others, ld.otherNotes = append(ld.others, entries...), append(append(ld.otherNotes, notes...), note)
	return nil
}

func retractedNoteText(f *session.Format, n int, k *retractedFile) string {
	entries := "an entry"
	if n > 1 {
		entries = fmt.Sprintf("%d entries", n)
	}
	return fmt.Sprintf("%s retracted %s (noticed %s). Its file no longer contains them; the explorer keeps them in %s.",
		f.Title, entries, time.UnixMilli(k.header.Kept.Time).UTC().Format("2006-01-02 15:04 UTC"), k.path)
}

// hasReturnedLines reports whether lines just read are among the retracted ones: then
// the agent was still rewriting its file.
func (u update) hasReturnedLines(fresh []scan.LineCheck) bool {
	if u.s.fileSet == nil || len(u.s.fileSet.group.Retracted) == 0 {
		return false
	}
	retracted := map[uint32]bool{}
	for _, m := range u.s.fileSet.members {
		for _, c := range m.checks {
			if m.retracted {
				retracted[c.Sum] = true
			}
		}
	}
	return slices.ContainsFunc(fresh, func(c scan.LineCheck) bool { return retracted[c.Sum] })
}
