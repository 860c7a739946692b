package store

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sessiontree/internal/session"
)

// NoteRewound is the code of notes about lines that an agent took back.
const NoteRewound = "taken-back"

// maxRecall is how much of a file's text is remembered, in bytes: what is taken back
// mostly stood at its end.
const maxRecall = 64 << 20

// recall is the text of a followed file, as it was read: an agent that takes lines
// back leaves no other copy of them.
type recall struct {
	pieces []piece
	size   int64
}

// piece is whole lines of the file.
type piece struct {
	off  int64
	text []byte
}

// add remembers what was read at off; a nil recall remembers nothing. It answers
// how many bytes more are held.
func (r *recall) add(off int64, text []byte) int64 {
	if r == nil || len(text) == 0 {
		return 0
	}
	before := r.size
	r.pieces = append(r.pieces, piece{off, slices.Clone(text)})
	r.size += int64(len(text))
	for r.size > maxRecall && len(r.pieces) > 1 {
		r.size -= int64(len(r.pieces[0].text))
		r.pieces = slices.Delete(r.pieces, 0, 1)
	}
	return r.size - before
}

// line answers the line at a span, nil when it is not remembered as it was.
func (r *recall) line(span session.Span, sum uint32) []byte {
	i, found := slices.BinarySearchFunc(r.pieces, span.Off, func(p piece, off int64) int { return cmp.Compare(p.off, off) })
	if !found {
		i--
	}
	if i < 0 {
		return nil
	}
	p := &r.pieces[i]
	from := span.Off - p.off
	if from+int64(span.Len) > int64(len(p.text)) {
		return nil
	}
	line := p.text[from : from+int64(span.Len)]
	if lineSum(line) != sum {
		return nil
	}
	return line
}

// takenBack is the first line of a file that keeps what was taken back.
type takenBack struct {
	Kept struct {
		Format  string `json:"format"`
		Session string `json:"session"`
		Time    int64  `json:"time"`  // ms when it was noticed
		After   string `json:"after"` // id of the entry the lines stood behind, "" at the start
		Lines   int    `json:"lines"`
	} `json:"sessionExplorerKept"`
}

// rewoundDir is where what was taken back of a session is kept.
func (a *sidecars) rewoundDir(format, id string) string {
	return filepath.Join(filepath.Dir(a.dir), "rewound", strings.TrimSuffix(a.base(format, id), ".jsonl"))
}

// keepRewound keeps the lines of the main file that ld does not hold any more. The
// caller has the turn.
func (s *Session) keepRewound(ctx context.Context, ld *loaded) {
	if s.reading == nil || s.reading.seen == nil || !ld.format.Rewinds {
		return
	}
	there := make(map[uint32]bool, len(ld.checks))
	for _, c := range ld.checks {
		there[c.sum] = true
	}
	for _, run := range s.lostRuns(there) {
		if err := s.keepRun(ctx, ld, run); err != nil {
			ld.notes = append(ld.notes, session.Note{Code: NoteRewound, Text: fmt.Sprintf("%s took lines back, which could not be kept: %v.", ld.format.Title, err)})
		}
	}
}

// lostRun is lines that stood behind one another and are not there any more.
type lostRun struct {
	after string
	lines []lostLine
}

type lostLine struct {
	span session.Span
	sum  uint32
}

// lostRuns lists the lines of the main file as the tree has it that are not there
// any more.
func (s *Session) lostRuns(there map[uint32]bool) (runs []lostRun) {
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
		case there[c.sum] && losing && s.tree.At(p).Has(session.FlagArtifact):
			// Its like stands elsewhere; what was lost goes on behind it.
		case there[c.sum]:
			after, losing = s.spokenAt(p), false
		default:
			if !losing {
				runs, losing = append(runs, lostRun{after: after}), true
			}
			run := &runs[len(runs)-1]
			run.lines = append(run.lines, lostLine{s.tree.At(p).Span, c.sum})
		}
	}
	return runs
}

// spokenAt is the id of the entry at p, or for what was recorded twice of the one
// it is folded under, because only that is told from others by its id.
func (s *Session) spokenAt(p session.Pos) string {
	for s.tree.At(p).Has(session.FlagArtifact) && s.tree.Parent(p) != session.NoPos {
		p = s.tree.Parent(p)
	}
	return s.tree.At(p).ID
}

// keepRun writes lines down as a file of our own. Its name says what it holds, so
// that two explorers keep it once.
func (s *Session) keepRun(ctx context.Context, ld *loaded, run lostRun) error {
	sum := sha256.New()
	var lines [][]byte
	for _, l := range run.lines {
		if text := s.reading.seen.line(l.span, l.sum); text != nil {
			lines = append(lines, text)
			sum.Write(append(slices.Clone(text), '\n'))
		}
	}
	if len(lines) == 0 {
		return errors.New("they are more than is remembered")
	}
	var head takenBack
	head.Kept.Format, head.Kept.Session, head.Kept.After = ld.format.Name, ld.header.ID, run.after
	head.Kept.Time, head.Kept.Lines = s.lib.now().UnixMilli(), len(lines)
	first, err := json.Marshal(head)
	if err != nil {
		return err
	}
	dir := s.lib.asides.rewoundDir(ld.format.Name, ld.header.ID)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	path := filepath.Join(dir, hex.EncodeToString(sum.Sum(nil)[:16])+".jsonl")
	err = newFile(path, 0o600, s.lib.sync, func(w *bufio.Writer) error {
		for _, l := range append([][]byte{first}, lines...) {
			if _, err := w.Write(append(l[:len(l):len(l)], '\n')); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
	if errors.Is(err, session.ErrExists) {
		return nil
	}
	return err
}

// readRewound takes what was taken back of the session in with its other files. A
// line that the session's file holds again is left out.
func (s *Session) readRewound(ctx context.Context, ld *loaded) error {
	if !ld.format.Rewinds || ld.joined == nil || s.lib.asides == nil || s.at.whole {
		return nil
	}
	there := make(map[uint32]bool, len(ld.checks))
	for _, c := range ld.checks {
		there[c.sum] = true
	}
	for _, k := range s.keptFiles(ld) {
		if err := s.readKept(ctx, ld, k, there); err != nil {
			return err
		}
	}
	return nil
}

// keptFile is a file of what was taken back.
type keptFile struct {
	path string
	head takenBack
}

// keptFiles lists what was taken back of a session, the newest first: what it hung
// on may have been taken back later.
func (s *Session) keptFiles(ld *loaded) (all []keptFile) {
	dir := s.lib.asides.rewoundDir(ld.format.Name, ld.header.ID)
	names, err := os.ReadDir(dir)
	if err != nil {
		return nil // nothing ever was
	}
	for _, e := range names {
		k := keptFile{path: filepath.Join(dir, e.Name())}
		if isSession(e.Name()) && k.read() == nil {
			all = append(all, k)
		}
	}
	slices.SortFunc(all, func(a, b keptFile) int {
		return cmp.Or(cmp.Compare(b.head.Kept.Time, a.head.Kept.Time), cmp.Compare(a.path, b.path))
	})
	return all
}

// read reads the first line.
func (k *keptFile) read() error {
	f, err := os.Open(k.path)
	if err != nil {
		return err
	}
	defer f.Close()
	line, err := bufio.NewReader(f).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &k.head)
	}
	if err == nil && k.head.Kept.Session == "" {
		err = session.ErrInvalid
	}
	return err
}

// readKept takes in one file of what was taken back.
func (s *Session) readKept(ctx context.Context, ld *loaded, k keptFile, there map[uint32]bool) error {
	dir, base := filepath.Split(k.path)
	j := ld.joined
	m := &member{file: int32(len(j.members) + 1), kept: true}
	m.at = place{root: s.at.root, dir: filepath.Clean(dir), rel: base, path: k.path}
	entries, notes, err := m.read(ctx, s.lib, ld.format)
	if err != nil {
		if ctx.Err() == nil {
			ld.otherNotes = append(ld.otherNotes, session.Note{Code: NoteRewound, Text: "What was taken back cannot be read: " + err.Error() + "."})
		}
		return ctx.Err()
	}
	n, first, after := 0, "", k.head.Kept.After
	for i := range entries {
		entries[i] = slices.DeleteFunc(entries[i], func(e session.Entry) bool {
			gone := e.Span.Line == 1 || there[sumAt(m.checks, e.Span.Off)]
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
	j.unit.Names = append(slices.Clip(j.unit.Names), "rewound/"+base)
	j.unit.Rewound = append(slices.Clip(j.unit.Rewound), session.Rewound{File: m.file, After: after})
	told := session.Note{Code: NoteRewound, File: int(m.file), Entry: first, Text: keptText(ld.format, n, &k)}
	ld.others, ld.otherNotes = append(ld.others, entries...), append(append(ld.otherNotes, notes...), told)
	return nil
}

func keptText(f *session.Format, n int, k *keptFile) string {
	entries := "an entry"
	if n > 1 {
		entries = fmt.Sprintf("%d entries", n)
	}
	return fmt.Sprintf("%s took %s back, which was noticed %s. Its file does not hold them any more; the explorer keeps them in %s.",
		f.Title, entries, time.UnixMilli(k.head.Kept.Time).UTC().Format("2006-01-02 15:04 UTC"), k.path)
}

// returned reports whether lines just read are among those that were kept as taken
// back: then the agent was still writing its file anew. The caller has the turn.
func (s *Session) returned(fresh []check) bool {
	if s.joined == nil || len(s.joined.unit.Rewound) == 0 {
		return false
	}
	kept := map[uint32]bool{}
	for _, m := range s.joined.members {
		for _, c := range m.checks {
			if m.kept {
				kept[c.sum] = true
			}
		}
	}
	return slices.ContainsFunc(fresh, func(c check) bool { return kept[c.sum] })
}
