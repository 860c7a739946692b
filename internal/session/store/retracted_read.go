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
)

// readRetracted takes what was taken back of the session in with its other files. A
// line that the session's file holds again is left out.
func (s *Session) readRetracted(ctx context.Context, ld *loadedFile) error {
	if !ld.format.RetractsLines || ld.fileSet == nil || s.lib.sidecars == nil || s.at.wholeDir {
		return nil
	}
	there := make(map[uint32]bool, len(ld.checks))
	for _, c := range ld.checks {
		there[c.sum] = true
	}
	for _, k := range s.retractedFiles(ld) {
		if err := s.readRetractedFile(ctx, ld, k, there); err != nil {
			return err
		}
	}
	return nil
}

// retractedFile is a file of what was taken back.
type retractedFile struct {
	path   string
	header retractedHead
}

// retractedFiles lists what was taken back of a session, the newest first: what it hung
// on may have been taken back later. What cannot be read becomes a note.
func (s *Session) retractedFiles(ld *loadedFile) (all []retractedFile) {
	dir := s.lib.sidecars.retractedDir(ld.format.Name, ld.header.ID)
	names, err := os.ReadDir(dir)
	if err != nil {
		return nil // nothing ever was
	}
	for _, e := range names {
		k := retractedFile{path: filepath.Join(dir, e.Name())}
		if !isSessionName(e.Name()) {
			continue
		}
		if err := k.readRetractedHead(); err != nil {
			ld.otherNotes = append(ld.otherNotes, session.Note{Code: NoteRetracted, Text: fmt.Sprintf("What was taken back cannot be read in %s: %v.", k.path, systemReason(err))})
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
	f, _, err := OpenRegular(k.path)
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

// missing is how many of the lines that the file was made of are not in it.
func (k *retractedFile) missing(read []lineCheck) int {
	n := k.header.Kept.Lines
	for _, c := range read {
		if c.line > 1 {
			n--
		}
	}
	return n
}

// readRetractedFile takes in one file of what was taken back.
func (s *Session) readRetractedFile(ctx context.Context, ld *loadedFile, k retractedFile, there map[uint32]bool) error {
	dir, base := filepath.Split(k.path)
	j := ld.fileSet
	m := &member{file: int32(len(j.members) + 1), retracted: true}
	m.at = place{root: s.at.root, dir: filepath.Clean(dir), rel: base, path: k.path}
	entries, notes, err := m.readMember(ctx, s.lib, ld.format)
	if err != nil {
		if ctx.Err() == nil {
			ld.otherNotes = append(ld.otherNotes, session.Note{Code: NoteRetracted, Text: "What was taken back cannot be read: " + err.Error() + "."})
		}
		return ctx.Err()
	}
	if missing := k.missing(m.checks); missing > 0 {
		ld.otherNotes = append(ld.otherNotes, session.Note{Code: NoteRetracted, Text: fmt.Sprintf("Lines that were taken back and cannot be read in %s: %d.", k.path, missing)})
	}
	n, first, after := 0, "", k.header.Kept.After
	for i := range entries {
		entries[i] = slices.DeleteFunc(entries[i], func(e session.Entry) bool {
			gone := e.Span.Line == 1 || there[lineHashAt(m.checks, e.Span.Off)]
			switch {
			case !gone && n == 0:
				n, first = 1, e.ID
			case !gone:
				n++
			case n == 0 && e.Span.Line > 1:
				after = e.ID // it came back, and what did not stands behind it
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
	told := session.Note{Code: NoteRetracted, File: int(m.file), Entry: first, Text: retractedNoteText(ld.format, n, &k)}
	ld.others, ld.otherNotes = append(ld.others, entries...), append(append(ld.otherNotes, notes...), told)
	return nil
}

func retractedNoteText(f *session.Format, n int, k *retractedFile) string {
	entries := "an entry"
	if n > 1 {
		entries = fmt.Sprintf("%d entries", n)
	}
	return fmt.Sprintf("%s took %s back, which was noticed %s. Its file does not hold them any more; the explorer keeps them in %s.",
		f.Title, entries, time.UnixMilli(k.header.Kept.Time).UTC().Format("2006-01-02 15:04 UTC"), k.path)
}

// hasReturnedLines reports whether lines just read are among those that were kept as taken
// back: then the agent was still writing its file anew. The caller has the turn.
func (s *Session) hasReturnedLines(fresh []lineCheck) bool {
	if s.fileSet == nil || len(s.fileSet.group.Retracted) == 0 {
		return false
	}
	kept := map[uint32]bool{}
	for _, m := range s.fileSet.members {
		for _, c := range m.checks {
			if m.retracted {
				kept[c.sum] = true
			}
		}
	}
	return slices.ContainsFunc(fresh, func(c lineCheck) bool { return kept[c.sum] })
}
