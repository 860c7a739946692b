package store

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/safefile"
)

// NoteRetracted is the code of notes about lines that an agent retracted.
const NoteRetracted = "taken-back"

// retractedHead is the first line of a file of retracted lines.
type retractedHead struct {
	Kept struct {
		Format  string `json:"format"`
		Session string `json:"session"`
		Time    int64  `json:"time"`  // when it was noticed, in ms
		After   string `json:"after"` // id of the entry before the lines, "" at the start
		Lines   int    `json:"lines"`
	} `json:"sessionExplorerKept"`
}

// retractedDir returns the directory for the retracted lines of a session.
func (l *Library) retractedDir(format, id string) string {
	return filepath.Join(l.stateDir, "rewound", strings.TrimSuffix(l.sidecars.Name(format, id), ".jsonl"))
}

// saveRetracted saves the lines of the main file that ld no longer has.
func (u update) saveRetracted(ctx context.Context, ld *loadedFile) {
	if u.s.reader == nil || u.s.reader.History == nil || ld.Format.Graph == nil || !ld.Format.Graph.RetractsLines {
		return
	}
	there := make(map[uint32]bool, len(ld.Checks))
	for _, c := range ld.Checks {
		there[c.Sum] = true
	}
	for _, run := range u.findRetractedRuns(there) {
		if err := u.saveRetractedRun(ctx, ld, run); err != nil {
			ld.Notes = append(ld.Notes, session.Note{Code: NoteRetracted, Text: fmt.Sprintf("%s retracted lines, which could not be saved: %v.", ld.Format.Title, err)})
		}
	}
}

// retractedRun is consecutive lines that are no longer in the file.
type retractedRun struct {
	after string
	lines []retractedLine
}

type retractedLine struct {
	span session.Span
	sum  uint32
}

// findRetractedRuns returns the lines of the main file that are in the tree but not in
// there.
func (u update) findRetractedRuns(there map[uint32]bool) (runs []retractedRun) {
	u.s.mu.RLock()
	defer u.s.mu.RUnlock()
	at := make(map[int64]session.Pos, len(u.s.checks))
	for p := range session.Pos(u.s.tree.Len()) {
		if e := u.s.tree.At(p); e.Span.File == 0 {
			at[e.Span.Off] = p
		}
	}
	after, losing := "", false
	for _, c := range u.s.checks {
		p, ok := at[c.Off]
		switch {
		case !ok:
		case there[c.Sum] && losing && u.s.tree.At(p).HasFlag(session.FlagArtifact):
			// A duplicate of it is elsewhere in the file; the retracted lines continue
			// after it.
		case there[c.Sum]:
			after, losing = u.nonArtifactID(p), false
		default:
			if !losing {
				runs, losing = append(runs, retractedRun{after: after}), true
			}
			run := &runs[len(runs)-1]
			run.lines = append(run.lines, retractedLine{u.s.tree.At(p).Span, c.Sum})
		}
	}
	return runs
}

// nonArtifactID returns the id of the entry at p, or of the entry that a duplicate is
// folded under: only that id is unique.
func (u update) nonArtifactID(p session.Pos) string {
	for u.s.tree.At(p).HasFlag(session.FlagArtifact) && u.s.tree.Parent(p) != session.NoPos {
		p = u.s.tree.Parent(p)
	}
	return u.s.tree.At(p).ID
}

// saveRetractedRun writes lines to a file in the state directory. The name of the file
// is a hash of its lines, so that two explorers save them once.
func (u update) saveRetractedRun(ctx context.Context, ld *loadedFile, run retractedRun) error {
	sum := sha256.New()
	var lines [][]byte
	for _, l := range run.lines {
		if text := u.s.reader.History.FindLine(l.span, l.sum); text != nil {
			lines = append(lines, text)
			sum.Write(append(slices.Clone(text), '\n'))
		}
	}
	if len(lines) == 0 {
		return errors.New("there are more than the explorer keeps")
	}
	var head retractedHead
	head.Kept.Format, head.Kept.Session, head.Kept.After = ld.Format.Name, ld.header.ID, run.after
	head.Kept.Time, head.Kept.Lines = u.s.lib.now().UnixMilli(), len(lines)
	first, err := json.Marshal(head)
	if err != nil {
		return err
	}
	dir := u.s.lib.retractedDir(ld.Format.Name, ld.header.ID)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	path := filepath.Join(dir, hex.EncodeToString(sum.Sum(nil)[:16])+".jsonl")
	err = u.s.lib.disk.CreateFile(path, 0o600, false, func(w *bufio.Writer) error {
		for _, l := range append([][]byte{first}, lines...) {
			if _, err := w.Write(append(l[:len(l):len(l)], '\n')); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
	if errors.Is(err, fs.ErrExist) || errors.Is(err, safefile.ErrUnconfirmed) {
		return nil
	}
	if err == nil && u.s.lib.sync {
		go u.s.syncRetractedFile(path) // a page does not wait for the disk
	}
	return err
}

// syncRetractedFile makes a file of retracted lines durable.
func (s *Session) syncRetractedFile(path string) {
	err := safefile.SyncFile(path)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return
	}
	s.unsyncedNote.Store(&session.Note{Code: NoteRetracted,
		Text: fmt.Sprintf("Retracted lines are saved in %s, but may be lost if the computer crashes: %v.", path, err)})
}
