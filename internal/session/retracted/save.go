package retracted

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/scan"
)

// Run is consecutive lines that are no longer in a session file.
type Run struct {
	after string // id of the entry before the lines, "" at the start
	lines []line
}

type line struct {
	span session.Span
	sum  uint32
}

// FindRuns returns the lines of the main file that are in the tree but not in the file any
// more. before are the checks of its lines when the tree was built, now those of the file.
func FindRuns(t *session.Tree, before, now []scan.LineCheck) (runs []Run) {
	there := NewLineSet(now)
	at := make(map[int64]session.Pos, len(before))
	for p := range session.Pos(t.Len()) {
		if e := t.At(p); e.Span.File == 0 {
			at[e.Span.Off] = p
		}
	}
	after, losing := "", false
	for _, c := range before {
		p, ok := at[c.Off]
		switch {
		case !ok:
		case there[c.Sum] && losing && t.At(p).HasFlag(session.FlagArtifact):
			// A duplicate of it is elsewhere in the file; the retracted lines continue
			// after it.
		case there[c.Sum]:
			after, losing = nonArtifactID(t, p), false
		default:
			if !losing {
				runs, losing = append(runs, Run{after: after}), true
			}
			run := &runs[len(runs)-1]
			run.lines = append(run.lines, line{t.At(p).Span, c.Sum})
		}
	}
	return runs
}

// nonArtifactID returns the id of the entry at p, or of the entry that a duplicate is
// folded under: only that id is unique.
func nonArtifactID(t *session.Tree, p session.Pos) string {
	for t.At(p).HasFlag(session.FlagArtifact) && t.Parent(p) != session.NoPos {
		p = t.Parent(p)
	}
	return t.At(p).ID
}

// Save writes the lines to a new file in a directory and returns its path. The caller
// makes it durable. The name of the file is a hash of its lines, so that two explorers save
// them once: if it exists, Save returns "". The lines are those that history remembers; h
// says which session they are of.
func (r *Run) Save(ctx context.Context, disk *safefile.Disk, dir string, h Header, history *scan.History) (path string, err error) {
	sum := sha256.New()
	var lines [][]byte
	for _, l := range r.lines {
		if text := history.FindLine(l.span, l.sum); text != nil {
			lines = append(lines, text)
			sum.Write(append(slices.Clone(text), '\n'))
		}
	}
	if len(lines) == 0 {
		return "", errors.New("there are more than the explorer keeps")
	}
	h.After, h.Lines = r.after, len(lines)
	first, err := json.Marshal(firstLine{h})
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	path = filepath.Join(dir, hex.EncodeToString(sum.Sum(nil)[:16])+".jsonl")
	err = disk.CreateFile(path, 0o600, false, func(w *bufio.Writer) error {
		for _, l := range append([][]byte{first}, lines...) {
			if _, err := w.Write(append(l[:len(l):len(l)], '\n')); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
	if errors.Is(err, fs.ErrExist) || errors.Is(err, safefile.ErrUnconfirmed) {
		return "", nil
	}
	return path, err
}
