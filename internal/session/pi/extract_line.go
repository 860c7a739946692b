package pi

import (
	"strconv"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// name gives an entry an id that has none. Reading calls it by its line.
func (w *forker) name(p session.Pos) error {
	e := w.tree.At(p)
	if !nameless(e) {
		return nil
	}
	line, err := w.src(p)
	if err != nil {
		return err
	}
	o := jsonl.Fields(jsonl.Value{Raw: line})
	if !isNameable(o.Get("id")) && !isNameable(o.Get("uuid")) {
		w.names.minted[e.ID] = w.fresh.id()
	}
	return nil
}

func nameless(e *session.Entry) bool {
	return strings.HasPrefix(e.ID, "L") && e.ID == "L"+strconv.Itoa(int(e.Span.Line))
}

// entry writes the entry at p under the copied one above it.
func (w *forker) entry(p session.Pos) error {
	e, changed := *w.tree.At(p), w.old
	before := w.above(p)
	if parent := w.tree.Parent(p); parent != before || parent == session.NoPos && e.Has(session.FlagHasParent) {
		changed = true
	}
	e.Parent, e.Flags = "", e.Flags&^session.FlagHasParent
	if before != session.NoPos {
		e.Parent, e.Flags = w.tree.At(before).ID, e.Flags|session.FlagHasParent
		_, renamed := w.names.minted[e.Parent]
		changed = changed || renamed
	}
	if _, renamed := w.names.minted[e.Target]; renamed && e.Target != "" {
		changed = true
	}
	if target := w.firstKept(p, &e); target != e.Target {
		e.Target, changed = target, true
	}
	if !changed && !nameless(&e) {
		w.lines = append(w.lines, session.FileLine{Pos: p})
		return nil
	}
	return w.rewrite(p, &e)
}

// firstKept is the entry from which a compaction keeps: when it names one that is
// left out, the next one on the path that is not.
func (w *forker) firstKept(p session.Pos, e *session.Entry) string {
	target := w.tree.Find(e.Target)
	if e.Kind != session.KindCompaction || target == session.NoPos || w.copied[target] {
		return e.Target
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
	if w.closed {
		return e.ID // on another branch: nothing is kept
	}
	return e.Target
}

// rewrite writes a line that is not copied as it stands.
func (w *forker) rewrite(p session.Pos, e *session.Entry) error {
	line, err := w.src(p)
	if err != nil {
		return err
	}
	if w.old {
		line, err = upgrade(line, e, float64(w.tree.Header().Version), w.names)
	} else {
		line, err = settle(line, e, w.names)
	}
	w.lines = append(w.lines, session.FileLine{Pos: p, Text: line})
	return err
}

// recorded is an id as JSON. One that could be a number, holds half a character or
// was cut is taken from its line.
func (w *forker) recorded(id string) []byte {
	_, err := strconv.ParseFloat(id, 64)
	p := w.tree.Find(id)
	if p == session.NoPos || err != nil && !strings.ContainsAny(id, `\~`) {
		return quoted(id)
	}
	line, err := w.src(p)
	if err != nil {
		return quoted(id)
	}
	if raw, err := recordedID(line); err == nil && raw != nil {
		return raw
	}
	return quoted(id)
}
