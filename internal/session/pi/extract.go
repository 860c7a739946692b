package pi

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// forker makes a new file of some entries of a session.
type forker struct {
	*dialect
	tree    *session.Tree
	src     session.Source
	fresh   fresh
	names   names
	old     bool
	copied  []bool                      // by position
	skipped map[session.Pos]session.Pos // entries that are not copied, and the copied one above each
	closed  bool                        // nothing may name an entry that is left out
	lines   []session.FileLine
}

// extract makes a session file of the entries in keep, as fork does of a path.
// The leaf stays the leaf if it is among them. Nothing in the file names an entry
// that is not: edits and archivings of such are left out.
func (d *dialect) extract(t *session.Tree, keep []session.Pos, from string, src session.Source, m session.Mint) (session.NewFile, error) {
	w := d.newForker(t, keep, src, m)
	w.closed = true
	for _, p := range keep {
		if e := t.At(p); e.Kind == session.KindContextEdit || e.Kind == session.KindArchive {
			if target := t.Find(e.Target); target != session.NoPos && !w.copied[target] {
				w.copied[p] = false
			}
		}
	}
	if !slices.Contains(w.copied, true) {
		return session.NewFile{}, fmt.Errorf("%w: there is nothing to export there but labels and edits of what stands elsewhere", session.ErrInvalid)
	}
	file, err := w.file(keep, from, m)
	if h := t.Header(); h.Newer {
		file.Left = fmt.Sprintf("The file has version %d of the format, as its source has, which is newer than this program knows: check that the agent reads it.", h.Version)
	}
	return file, err
}

// newForker leaves labels out: they are set again at the end.
func (d *dialect) newForker(t *session.Tree, keep []session.Pos, src session.Source, m session.Mint) *forker {
	w := &forker{dialect: d, tree: t, src: src, old: t.Header().Migrated, copied: make([]bool, t.Len()), skipped: map[session.Pos]session.Pos{}}
	w.fresh = fresh{mint: m, taken: func(id string) bool { return t.Find(id) != session.NoPos }}
	w.names = names{minted: map[string]string{}, recorded: w.recorded}
	for _, p := range keep {
		if t.At(p).Kind != session.KindLabel {
			w.copied[p] = true
		}
	}
	return w
}

// file writes the entries in the order of keep: each hangs on the copied one above
// it, and what a compaction keeps begins at an entry that is copied. Lines of an old
// version are migrated; all others stay as they are, but for what is said here.
func (w *forker) file(keep []session.Pos, from string, m session.Mint) (session.NewFile, error) {
	order := slices.DeleteFunc(slices.Clone(keep), func(p session.Pos) bool { return !w.copied[p] })
	file := w.head(from, m)
	w.lines = make([]session.FileLine, 0, len(order))
	for _, p := range order {
		if err := w.name(p); err != nil {
			return session.NewFile{}, err
		}
	}
	for _, p := range order {
		if err := w.entry(p); err != nil {
			return session.NewFile{}, err
		}
	}
	file.Lines = append(file.Lines, w.lines...)
	file.Tail = w.tail(keep, order[len(order)-1], m.Now)
	return file, nil
}

// leaf is where the agent stands in the new file: where it stood, if that is in it.
// A fork's is the end of its path.
func (w *forker) leaf(keep []session.Pos, last session.Pos) session.Pos {
	at := w.tree.Leaf()
	if !w.closed || !slices.Contains(keep, at) {
		return last // of a path, its end
	}
	if !w.copied[at] {
		at = w.above(at)
	}
	if at == session.NoPos {
		return last
	}
	return at
}

// above is the copied entry that the entry at p hangs on.
func (w *forker) above(p session.Pos) session.Pos {
	var passed []session.Pos
	at := w.tree.Parent(p)
	for at != session.NoPos && !w.copied[at] {
		if known, ok := w.skipped[at]; ok {
			at = known
			break
		}
		passed = append(passed, at)
		at = w.tree.Parent(at)
	}
	for _, q := range passed {
		w.skipped[q] = at
	}
	return at
}

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
