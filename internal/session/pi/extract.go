package pi

import (
	"cmp"
	"fmt"
	"math"
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
	whole   bool                        // every entry is copied, labels too
	end     session.Pos                 // the entry at which the file is to be continued, NoPos: where the session is
	lines   []session.FileLine
}

// extract makes a session file of a part, as fork does of a path. The leaf stays the
// leaf if it is in the part. Nothing in the file names an entry that is not: edits and
// archivings of such are left out. Of the whole session every line is copied where it
// stands, so that reading it gives the same tree.
func (d *dialect) extract(t *session.Tree, part session.Part, from string, src session.Source, m session.Mint) (session.NewFile, error) {
	w := d.newForker(t, part.Keep, src, m)
	w.closed, w.end = true, part.Leaf
	keep := slices.Clone(part.Keep)
	if w.whole = !part.Bare && len(keep) == t.Len() && (part.Leaf == session.NoPos || part.Leaf == t.Leaf()); w.whole {
		slices.Sort(keep)
		for _, p := range keep {
			w.copied[p] = true
		}
	}
	for _, p := range keep {
		if e := t.At(p); e.Kind == session.KindContextEdit || e.Kind == session.KindArchive {
			if target := t.Find(e.Target); target != session.NoPos && !w.copied[target] {
				w.copied[p] = false
			}
		}
	}
	if !w.titled && !w.whole {
		w.dropEnd()
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

// dropEnd leaves names out that stand last on a path and are not in force: behind them
// the name in force would have to be set again, and that line would be the leaf. What
// they are attached to becomes the leaf instead.
func (w *forker) dropEnd() {
	var names []session.Pos
	name := w.tree.Header().Name
	at := w.end
	for at != session.NoPos && (!w.copied[at] || w.renames(at, &name)) {
		if w.copied[at] {
			names = append(names, at)
		}
		at = w.tree.Parent(at)
	}
	if at == session.NoPos {
		return // there is nothing else
	}
	for _, p := range names {
		w.copied[p] = false
	}
}

// newForker leaves labels out: they are set again at the end.
func (d *dialect) newForker(t *session.Tree, keep []session.Pos, src session.Source, m session.Mint) *forker {
	w := &forker{dialect: d, tree: t, src: src, end: session.NoPos, old: t.Header().Migrated, copied: make([]bool, t.Len()), skipped: map[session.Pos]session.Pos{}}
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
	last, err := w.entries(order)
	file.Lines = append(file.Lines, w.lines...)
	if err == nil {
		file.Tail = w.tail(keep, last, m.Now)
	}
	return file, err
}

// entries writes the entries in order, and returns the last one.
func (w *forker) entries(order []session.Pos) (last session.Pos, err error) {
	steps := []recordStep{}
	for _, p := range order {
		steps = append(steps, recordStep{pos: p})
	}
	if w.whole {
		steps = recordOrder(w.tree, order)
	}
	for _, s := range steps {
		if err == nil {
			err = w.entry(s.pos)
		}
		if err == nil && s.again {
			err = w.standIn()
		}
	}
	return steps[len(steps)-1].pos, err
}

// standIn makes the last line one that stands for an entry recorded again later. It
// counts for nothing but the place.
func (w *forker) standIn() (err error) {
	l := &w.lines[len(w.lines)-1]
	if l.Text == nil {
		l.Text, err = w.src(l.Pos)
	}
	l.Pos = session.NoPos
	return err
}

// recordStep is the line of an entry in the order in which lines are written.
type recordStep struct {
	pos   session.Pos
	again bool // its id is recorded again later, and that line counts
}

// recordOrder lists the lines of entries such that reading them gives these positions,
// the same leaf and the same labels. An entry stands where its id was recorded first,
// but its last line counts: where other lines came between, it is written twice.
func recordOrder(t *session.Tree, order []session.Pos) []recordStep {
	line := func(p session.Pos) int32 { return t.At(p).Span.Line }
	var later []session.Pos // entries that are recorded again
	first := int32(math.MaxInt32)
	for i := len(order) - 1; i >= 0; i-- {
		if line(order[i]) > first {
			later = append(later, order[i])
		}
		first = min(first, line(order[i]))
	}
	slices.SortFunc(later, func(a, b session.Pos) int { return cmp.Compare(line(a), line(b)) })
	moved := make(map[session.Pos]bool, len(later))
	for _, p := range later {
		moved[p] = true
	}
	steps := make([]recordStep, 0, len(order)+len(later))
	for _, p := range order {
		for len(later) > 0 && !moved[p] && line(later[0]) < line(p) {
			steps, later = append(steps, recordStep{pos: later[0]}), later[1:]
		}
		steps = append(steps, recordStep{p, moved[p]})
	}
	for _, p := range later {
		steps = append(steps, recordStep{pos: p})
	}
	return steps
}

// leaf is where the agent stands in the new file: where it is to, else where it stood
// if that is in the file. A fork's is the end of its path.
func (w *forker) leaf(keep []session.Pos, last session.Pos) session.Pos {
	at := w.end
	if at == session.NoPos {
		at = w.tree.Leaf()
	}
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
