package pi

import (
	"fmt"
	"slices"

	"sessiontree/internal/session"
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
	if c := oneFile(t, &part); c != nil {
		file, err := d.extract(c.tree, part, from, c.elsewhere(src), m)
		if err == nil {
			c.back(&file)
		}
		return file, err
	}
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
