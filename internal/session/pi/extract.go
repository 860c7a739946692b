package pi

import (
	"fmt"
	"slices"

	"sessiontree/internal/session"
)

// entryCopier builds a new file of some entries of a session.
type entryCopier struct {
	*dialect
	tree           *session.Tree
	source         session.LineReader
	newIDs         idGenerator
	idNames        idTable
	isOldVersion   bool
	copied         []bool                      // by position
	skipped        map[session.Pos]session.Pos // for entries that are not copied, the nearest copied ancestor
	isClosed       bool                        // no line may name an omitted entry
	isWholeSession bool                        // every entry is copied, including labels
	resumeAt       session.Pos                 // the entry at which the file is to be continued, NoPos for the session's leaf
	lines          []session.FileLine
}

// extractSelection makes a session file of a selection, as forkPath does of a path. The leaf stays
// the leaf if it is selected. No line names an omitted entry: edits and archivings of such entries
// are omitted too. If the whole session is selected, every line is copied to its place, so that
// the new file has the same tree.
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
		return session.NewFile{}, fmt.Errorf("%w: nothing to export there but labels and edits of entries elsewhere", session.ErrInvalid)
	}
	file, err := w.buildFile(keep, from, m)
	if h := t.Header(); h.IsNewerVersion {
		file.LossWarning = fmt.Sprintf("The file has version %d of the format, as its source has, which is newer than this program knows: check that the agent reads it.", h.Version)
	}
	return file, err
}

// dropTrailingNames omits the lines at the end of a path that give the session an outdated name.
// Otherwise the current name would have to be set after them, and that line would be the leaf.
// Their parent becomes the leaf instead.
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
		return // nothing else is selected
	}
	for _, p := range names {
		w.copied[p] = false
	}
}

// newEntryCopier returns a copier of the entries in keep, except labels, which the trailer sets.
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

// buildFile writes the entries in the order of keep. The parent of each is its nearest copied
// ancestor, and a compaction keeps from a copied entry. Lines of an old version are migrated; all
// others keep their remaining bytes.
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

// newLeaf returns the leaf of the new file: the entry to continue at, else the session's leaf if it
// is selected. A fork's leaf is the end of its path.
func (w *entryCopier) newLeaf(keep []session.Pos, last session.Pos) session.Pos {
	at := w.resumeAt
	if at == session.NoPos {
		at = w.tree.Leaf()
	}
	if !w.isClosed || !slices.Contains(keep, at) {
		return last // the end of a path
	}
	if !w.copied[at] {
		at = w.copiedAncestor(at)
	}
	if at == session.NoPos {
		return last
	}
	return at
}

// copiedAncestor returns the nearest copied ancestor of the entry at p.
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
