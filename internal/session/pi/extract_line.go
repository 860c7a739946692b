package pi

import (
	"strconv"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// assignID assigns an id to an entry that has none. Its id in the tree is made of its line number.
func (w *entryCopier) assignID(p session.Pos) error {
	e := w.tree.At(p)
	if !hasLineID(e) {
		return nil
	}
	line, err := w.source(p)
	if err != nil {
		return err
	}
	o := jsonl.ObjectFields(jsonl.Value{Raw: line})
	if !isNameable(o.Get("id")) && !isNameable(o.Get("uuid")) {
		w.idNames.minted[e.ID] = w.newIDs.newID()
	}
	return nil
}

func hasLineID(e *session.Entry) bool {
	return strings.HasPrefix(e.ID, "L") && e.ID == "L"+strconv.Itoa(int(e.Span.Line))
}

// copyLine writes the entry at p as a child of its nearest copied ancestor.
func (w *entryCopier) copyLine(p session.Pos) error {
	e, changed := *w.tree.At(p), w.isOldVersion
	before := w.copiedAncestor(p)
	if parent := w.tree.Parent(p); parent != before || parent == session.NoPos && e.HasFlag(session.FlagHasParent) {
		changed = true
	}
	e.Parent, e.Flags = "", e.Flags&^session.FlagHasParent
	if before != session.NoPos {
		e.Parent, e.Flags = w.tree.At(before).ID, e.Flags|session.FlagHasParent
		_, renamed := w.idNames.minted[e.Parent]
		changed = changed || renamed
	}
	if _, renamed := w.idNames.minted[e.Target()]; renamed && e.Target() != "" {
		changed = true
	}
	if target := w.firstKeptCopied(p, &e); target != e.Target() {
		e.OwnDetails().Target, changed = target, true
	}
	if !changed && !hasLineID(&e) {
		w.lines = append(w.lines, session.FileLine{Pos: p})
		return nil
	}
	return w.rewriteLine(p, &e)
}

// firstKeptCopied returns the first entry that a compaction keeps: the recorded one or, if that is
// omitted, the next copied one on the path.
func (w *entryCopier) firstKeptCopied(p session.Pos, e *session.Entry) string {
	target := w.tree.FindID(e.Target())
	if e.Kind != session.KindCompaction || target == session.NoPos || w.copied[target] {
		return e.Target()
	}
	first := p
	for at := p; at != session.NoPos; at = w.tree.Parent(at) {
		switch {
		case at == target:
			return w.tree.At(first).ID
		case w.copied[at]:
			first = at
		}
	}
	if w.isClosed {
		return e.ID // on another branch: nothing is kept
	}
	return e.Target()
}

// rewriteLine writes a changed line.
func (w *entryCopier) rewriteLine(p session.Pos, e *session.Entry) error {
	line, err := w.source(p)
	if err != nil {
		return err
	}
	if w.isOldVersion {
		line, err = upgradeLine(line, e, float64(w.tree.Header().Version), w.idNames)
	} else {
		line, err = setLineIDs(line, e, w.idNames)
	}
	w.lines = append(w.lines, session.FileLine{Pos: p, Text: line})
	return err
}

// recordedIDOf returns an id as JSON. An id that could be a number, that holds half a character or
// that was cut is read from its line.
func (w *entryCopier) recordedIDOf(id string) []byte {
	_, err := strconv.ParseFloat(id, 64)
	p := w.tree.FindID(id)
	if p == session.NoPos || err != nil && !strings.ContainsAny(id, `\~`) {
		return quoteJSON(id)
	}
	line, err := w.source(p)
	if err != nil {
		return quoteJSON(id)
	}
	if raw, err := recordedID(line); err == nil && raw != nil {
		return raw
	}
	return quoteJSON(id)
}
