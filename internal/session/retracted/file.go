// Package retracted stores lines that agents removed from their session files: a file for
// each run of lines, in a directory per session.
package retracted

import (
	"bufio"
	"cmp"
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

// NoteCode is the code of notes about lines that an agent retracted.
const NoteCode = "taken-back"

// Header describes the lines of a file.
type Header struct {
	Format  string `json:"format"`
	Session string `json:"session"`
	Time    int64  `json:"time"`  // when it was noticed, in ms
	After   string `json:"after"` // id of the entry before the lines, "" at the start
	Lines   int    `json:"lines"`
}

// firstLine is the first line of a file.
type firstLine struct {
	Kept Header `json:"sessionExplorerKept"`
}

// Dir returns the directory for the lines of a session. name is a file name for the
// session.
func Dir(state, name string) string { return filepath.Join(state, dirName, name) }

// dirName is the directory in the state directory.
const dirName = "rewound"

// ListSessions returns the names of the sessions for which Dir exists.
func ListSessions(state string) (map[string]bool, error) {
	entries, err := os.ReadDir(filepath.Join(state, dirName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	names := make(map[string]bool, len(entries))
	for _, e := range entries {
		names[e.Name()] = true
	}
	return names, err
}

// File is a file of retracted lines. The lines after the first one are as they were
// recorded.
type File struct {
	Path   string
	header Header
}

// ListFiles returns the files in a directory, the newest first: the entry that lines were
// attached to may have been retracted later. An unreadable file becomes a note.
func ListFiles(dir string) (all []File, notes []session.Note) {
	names, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil // no lines were ever retracted
	}
	for _, e := range names {
		k := File{Path: filepath.Join(dir, e.Name())}
		if !roots.IsSessionName(e.Name()) {
			continue
		}
		if err := k.readHeader(); err != nil {
			notes = append(notes, session.Note{Code: NoteCode, Text: fmt.Sprintf("The retracted lines in %s cannot be read: %v.", k.Path, safefile.Reason(err))})
			continue
		}
		all = append(all, k)
	}
	slices.SortFunc(all, func(a, b File) int {
		return cmp.Or(cmp.Compare(b.header.Time, a.header.Time), cmp.Compare(a.Path, b.Path))
	})
	return all, notes
}

// NextTime returns a Header.Time for new files in a directory, in ms: now, or later than all files
// there, whose order says what was retracted before what.
func NextTime(dir string, now time.Time) int64 {
	all, _ := ListFiles(dir)
	if len(all) == 0 {
		return now.UnixMilli()
	}
	return max(now.UnixMilli(), all[0].header.Time+1)
}

// readHeader reads the first line.
func (k *File) readHeader() error {
	f, _, err := safefile.OpenRegular(k.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := bufio.NewReader(f).ReadBytes('\n')
	var first firstLine
	if err == nil {
		err = json.Unmarshal(text, &first)
	}
	k.header = first.Kept
	var disk *fs.PathError
	switch {
	case errors.As(err, &disk):
		return err
	case err != nil || k.header.Session == "":
		return errors.New("its first line does not say what it keeps")
	}
	return nil
}

// LineSet is the hashes of lines.
type LineSet map[uint32]bool

// NewLineSet returns the hashes of the checked lines.
func NewLineSet(checks []scan.LineCheck) LineSet {
	set := make(LineSet, len(checks))
	for _, c := range checks {
		set[c.Sum] = true
	}
	return set
}

// MissingLinesNote returns a note if lines that the file was made of are not among those
// that were read.
func (k *File) MissingLinesNote(read []scan.LineCheck) (n session.Note, ok bool) {
	missing := k.header.Lines
	for _, c := range read {
		if c.Line > 1 {
			missing--
		}
	}
	if missing <= 0 {
		return n, false
	}
	return session.Note{Code: NoteCode, Text: fmt.Sprintf("Retracted lines that cannot be read in %s: %d.", k.Path, missing)}, true
}

// RemoveReturned removes the entries whose lines are in the session's file again, where they are
// shown from. It returns how many entries are left, the id of the first one, and that of the entry
// before it.
func (k *File) RemoveReturned(entries [][]session.Entry, checks []scan.LineCheck, there LineSet) (n int, first, after string) {
	after = k.header.After
	for i := range entries {
		entries[i] = slices.DeleteFunc(entries[i], func(e session.Entry) bool {
			gone := e.Span.Line == 1 || there[scan.HashAt(checks, e.Span.Off)]
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
	return n, first, after
}

// Note returns the note about n entries in the file. agent is the title of the format.
func (k *File) Note(agent string, n int) session.Note {
	entries := "an entry"
	if n > 1 {
		entries = fmt.Sprintf("%d entries", n)
	}
	return session.Note{Code: NoteCode, Text: fmt.Sprintf("%s retracted %s (noticed %s). Its file no longer contains them; the explorer keeps them in %s.",
		agent, entries, time.UnixMilli(k.header.Time).UTC().Format("2006-01-02 15:04 UTC"), k.Path)}
}
