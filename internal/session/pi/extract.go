package pi

import (
	"fmt"
	"slices"

	"sessiontree/internal/session"
)

// entryCopier makes a new file of some entries of a session.
type entryCopier struct {
	*dialect
	tree           *session.Tree
	source         session.LineReader
	newIDs         idGenerator
	idNames        idTable
	isOldVersion   bool
	copied         []bool                      // by position
	skipped        map[session.Pos]session.Pos // entries that are not copied, and the copied one above each
	isClosed       bool                        // nothing may name an entry that is left out
	isWholeSession bool                        // every entry is copied, labels too
	resumeAt       session.Pos                 // the entry at which the file is to be continued, NoPos: where the session is
	lines          []session.FileLine
}

// extractSelection makes a session file of a part, as fork does of a path. The leaf stays the
// leaf if it is in the part. Nothing in the file names an entry that is not: edits and
// archivings of such are left out. Of the whole session every line is copied where it
// stands, so that reading it gives the same tree.
func (d *dialect) extractSelection(t *session.Tree, part session.Selection, from string, src session.LineReader, m session.IDSource) (session.NewFile, error) {
	if c := singleFilePart(t, &part); c != nil {
		file, err := d.extractSelection(c.tree, part, from, c.sourceInFile(src), m)
		if err == nil {
			c.restorePositions(&file)
		}
		return file, err
	}
	w := d.newEntryCopier(t, part.Keep, src, m)
	w.isClosed, w.resumeAt = true, part.Leaf
	keep := slices.Clone(part.Keep)
	if w.isWholeSession = !part.AnnotationsInSidecar && len(keep) == t.Len() && (part.Leaf == session.NoPos || part.Leaf == t.Leaf()); w.isWholeSession {
		slices.Sort(keep)
		for _, p := range keep {
			w.copied[p] = true
		}
	}
	for _, p := range keep {
		if e := t.At(p); e.Kind == session.KindContextEdit || e.Kind == session.KindArchive {
			if target := t.FindID(e.Target()); target != session.NoPos && !w.copied[target] {
				w.copied[p] = false
			}
		}
	}
	if !w.titleInHeader && !w.isWholeSession {
		w.dropTrailingNames()
	}
	if !slices.Contains(w.copied, true) {
		return session.NewFile{}, fmt.Errorf("%w: there is nothing to export there but labels and edits of what stands elsewhere", session.ErrInvalid)
	}
	file, err := w.buildFile(keep, from, m)
	if h := t.Header(); h.IsNewerVersion {
		file.LossWarning = fmt.Sprintf("The file has version %d of the format, as its source has, which is newer than this program knows: check that the agent reads it.", h.Version)
	}
	return file, err
}

// dropTrailingNames leaves names out that stand last on a path and are not in force: behind them
// the name in force would have to be set again, and that line would be the leaf. What
// they are attached to becomes the leaf instead.
func (w *entryCopier) dropTrailingNames() {
	var names []session.Pos
	name := w.tree.Header().Name
	at := w.resumeAt
	for at != session.NoPos && (!w.copied[at] || w.changesName(at, &name)) {
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

// newEntryCopier leaves labels out: they are set again at the end.
func (d *dialect) newEntryCopier(t *session.Tree, keep []session.Pos, src session.LineReader, m session.IDSource) *entryCopier {
	w := &entryCopier{dialect: d, tree: t, source: src, resumeAt: session.NoPos, isOldVersion: t.Header().Migrated, copied: make([]bool, t.Len()), skipped: map[session.Pos]session.Pos{}}
	w.newIDs = idGenerator{ids: m, taken: func(id string) bool { return t.FindID(id) != session.NoPos }}
	w.idNames = idTable{minted: map[string]string{}, recorded: w.recordedIDOf}
	for _, p := range keep {
		if t.At(p).Kind != session.KindLabel {
			w.copied[p] = true
		}
	}
	return w
}

// buildFile writes the entries in the order of keep: each hangs on the copied one above
// it, and what a compaction keeps begins at an entry that is copied. Lines of an old
// version are migrated; all others stay as they are, but for what is said here.
func (w *entryCopier) buildFile(keep []session.Pos, from string, m session.IDSource) (session.NewFile, error) {
	order := slices.DeleteFunc(slices.Clone(keep), func(p session.Pos) bool { return !w.copied[p] })
	file := w.newFileHead(from, m)
	w.lines = make([]session.FileLine, 0, len(order))
	for _, p := range order {
		if err := w.assignID(p); err != nil {
			return session.NewFile{}, err
		}
	}
	last, err := w.copyInOrder(order)
	file.Lines = append(file.Lines, w.lines...)
	if err == nil {
		file.Trailer = w.makeTrailer(keep, last, m.Now)
	}
	return file, err
}

// newLeaf is where the agent stands in the new file: where it is to, else where it stood
// if that is in the file. A fork's is the end of its path.
func (w *entryCopier) newLeaf(keep []session.Pos, last session.Pos) session.Pos {
	at := w.resumeAt
	if at == session.NoPos {
		at = w.tree.Leaf()
	}
	if !w.isClosed || !slices.Contains(keep, at) {
		return last // of a path, its end
	}
	if !w.copied[at] {
		at = w.copiedAncestor(at)
	}
	if at == session.NoPos {
		return last
	}
	return at
}

// copiedAncestor is the copied entry that the entry at p hangs on.
func (w *entryCopier) copiedAncestor(p session.Pos) session.Pos {
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
