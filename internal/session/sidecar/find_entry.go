package sidecar

import (
	"fmt"
	"strconv"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/safefile"
)

// recordFinder finds the entries of labels, also after an agent changed their ids.
type recordFinder struct {
	at           roots.Place // the session's main file
	tree         *session.Tree
	format       *session.Format
	fingerprints map[string]session.Pos // of all lines; nil until needed
}

// findRecordEntry returns the entry that a record is about: the entry with its id, else
// the entry at its position with the same fingerprint, else the only entry with that
// fingerprint.
func (f *recordFinder) findRecordEntry(r Record) session.Pos {
	if p := f.tree.FindID(r.Entry); p != session.NoPos {
		return p
	}
	if f.format.Fingerprint == nil || r.Print == "" {
		return session.NoPos
	}
	if r.Ordinal < f.tree.Len() {
		if print, err := f.fingerprintEntry(session.Pos(r.Ordinal)); err == nil && print == r.Print {
			return session.Pos(r.Ordinal)
		}
	}
	if f.fingerprints == nil {
		f.fingerprintAll()
	}
	if p, ok := f.fingerprints[r.Print]; ok {
		return p
	}
	return session.NoPos
}

// findUnderOtherName returns the entry of a record that was made when another session
// was the main one. An entry without a recorded id is named after its file, except in
// the main session.
func (f *recordFinder) findUnderOtherName(r Record) session.Pos {
	if p := f.tree.FindID(r.Session + ":" + r.Entry); p != session.NoPos {
		return p
	}
	if line, ok := strings.CutPrefix(r.Entry, r.Session+":"); ok && r.Session == f.tree.Header().ID {
		return f.tree.FindID(line)
	}
	if p := f.tree.FindID(r.Entry); p != session.NoPos && f.tree.At(p).ID != fmt.Sprintf("L%d", f.tree.At(p).Span.Line) {
		return p
	}
	return session.NoPos // the id is the same line number in another session
}

// fingerprintAll computes the fingerprints of all lines. A fingerprint that occurs
// twice finds no entry.
func (f *recordFinder) fingerprintAll() {
	f.fingerprints = make(map[string]session.Pos, f.tree.Len())
	for p := range session.Pos(f.tree.Len()) {
		print, err := f.fingerprintEntry(p)
		if err != nil {
			continue
		}
		if _, twice := f.fingerprints[print]; twice {
			p = session.NoPos
		}
		f.fingerprints[print] = p
	}
}

// fingerprintEntry returns the hash of the recorded line of an entry, ids excluded.
func (f *recordFinder) fingerprintEntry(p session.Pos) (string, error) {
	span := f.tree.At(p).Span
	if !hasFingerprint(f.format, f.tree.At(p)) {
		return "", nil
	}
	file, _, err := f.at.OpenFile()
	if err != nil {
		return "", err
	}
	defer file.Close()
	line := make([]byte, span.Len)
	if err := safefile.ReadFull(file, line, span.Off); err != nil {
		return "", err
	}
	return formatFingerprint(f.format, line), nil
}

// hasFingerprint reports whether an entry is found by the fingerprint of its line, too. In other
// files than the main one, entries are only found by id.
func hasFingerprint(f *session.Format, e *session.Entry) bool {
	return f.Fingerprint != nil && e.Span.File == 0
}

// formatFingerprint returns the fingerprint of a line as records hold it.
func formatFingerprint(f *session.Format, line []byte) string {
	return strconv.FormatUint(f.Fingerprint(line), 16)
}

// FindLabels returns the labels in the session's own sidecar by their entry, and those
// without an entry in the tree.
func (st *State) FindLabels(tree *session.Tree, f *session.Format, at roots.Place) (found map[session.Pos]Record, lost []Record, err error) {
	all, _, err := st.store.ReadRecords(st.path)
	if err != nil {
		return nil, nil, err
	}
	labels, _ := EffectiveRecords(all)
	finder := recordFinder{at: at, tree: tree, format: f}
	found = map[session.Pos]Record{}
	for _, r := range labels {
		if p := finder.findRecordEntry(r); p != session.NoPos {
			found[p] = r
		} else {
			lost = append(lost, r)
		}
	}
	return found, lost, nil
}
