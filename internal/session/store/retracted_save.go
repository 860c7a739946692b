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
func (a *sidecarStore) retractedDir(format, id string) string {
	return filepath.Join(filepath.Dir(a.dir), "rewound", strings.TrimSuffix(a.sidecarName(format, id), ".jsonl"))
}

// saveRetracted saves the lines of the main file that ld no longer has. The caller
// holds updateMu.
func (s *Session) saveRetracted(ctx context.Context, ld *loadedFile) {
	if s.reader == nil || s.reader.history == nil || ld.format.Graph == nil || !ld.format.Graph.RetractsLines {
		return
	}
	there := make(map[uint32]bool, len(ld.checks))
	for _, c := range ld.checks {
		there[c.sum] = true
	}
	for _, run := range s.findRetractedRuns(there) {
		if err := s.saveRetractedRun(ctx, ld, run); err != nil {
			ld.notes = append(ld.notes, session.Note{Code: NoteRetracted, Text: fmt.Sprintf("%s retracted lines, which could not be saved: %v.", ld.format.Title, err)})
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
func (s *Session) findRetractedRuns(there map[uint32]bool) (runs []retractedRun) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	at := make(map[int64]session.Pos, len(s.checks))
	for p := range session.Pos(s.tree.Len()) {
		if e := s.tree.At(p); e.Span.File == 0 {
			at[e.Span.Off] = p
		}
	}
	after, losing := "", false
	for _, c := range s.checks {
		p, ok := at[c.off]
		switch {
		case !ok:
		case there[c.sum] && losing && s.tree.At(p).HasFlag(session.FlagArtifact):
			// A duplicate of it is elsewhere in the file; the retracted lines continue
			// after it.
		case there[c.sum]:
			after, losing = s.nonArtifactID(p), false
		default:
			if !losing {
				runs, losing = append(runs, retractedRun{after: after}), true
			}
			run := &runs[len(runs)-1]
			run.lines = append(run.lines, retractedLine{s.tree.At(p).Span, c.sum})
		}
	}
	return runs
}

// nonArtifactID returns the id of the entry at p, or of the entry that a duplicate is
// folded under: only that id is unique.
func (s *Session) nonArtifactID(p session.Pos) string {
	for s.tree.At(p).HasFlag(session.FlagArtifact) && s.tree.Parent(p) != session.NoPos {
		p = s.tree.Parent(p)
	}
	return s.tree.At(p).ID
}

// saveRetractedRun writes lines to a file in the state directory. The name of the file
// is a hash of its lines, so that two explorers save them once.
func (s *Session) saveRetractedRun(ctx context.Context, ld *loadedFile, run retractedRun) error {
	sum := sha256.New()
	var lines [][]byte
	for _, l := range run.lines {
		if text := s.reader.history.findHistoryLine(l.span, l.sum); text != nil {
			lines = append(lines, text)
			sum.Write(append(slices.Clone(text), '\n'))
		}
	}
	if len(lines) == 0 {
		return errors.New("there are more than the explorer keeps")
	}
	var head retractedHead
	head.Kept.Format, head.Kept.Session, head.Kept.After = ld.format.Name, ld.header.ID, run.after
	head.Kept.Time, head.Kept.Lines = s.lib.now().UnixMilli(), len(lines)
	first, err := json.Marshal(head)
	if err != nil {
		return err
	}
	dir := s.lib.sidecars.retractedDir(ld.format.Name, ld.header.ID)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	path := filepath.Join(dir, hex.EncodeToString(sum.Sum(nil)[:16])+".jsonl")
	err = s.lib.disk.CreateFile(path, 0o600, false, func(w *bufio.Writer) error {
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
	if err == nil && s.lib.sync {
		go s.syncRetractedFile(path) // a page does not wait for the disk
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
