package store

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"sessiontree/internal/session"
)

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
	f, _, err := OpenRegular(k.path)
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
