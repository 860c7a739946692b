package view

import (
	"context"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/web/components"
)

// StretchPage is a page of a stretch: whatever path is read through it, it is the
// same.
type StretchPage struct {
	Stretch, Entries int

	b      *Builder
	sess   Shown
	page   *page
	limits limits
}

// Items reads the bodies of the entries of p and returns what the page shows. It is
// safe to call for several pages at once.
func (p StretchPage) Items(ctx context.Context) ([]components.ItemModel, error) {
	bodies, err := readBodies(ctx, p.sess.Session, p.page)
	if err != nil {
		return nil, err
	}
	items, _ := newItemBuilder(p.b, p.page, bodies, p.limits).items()
	return items, nil
}

// stretches knows how far each stretch has been made into pages.
type stretches struct {
	b     *Builder
	sess  Shown
	all   []session.Stretch
	scene Scene
	path  []session.Pos // to the tip that is worked on
	depth []int         // entries above each stretch on its path
	edits map[string]*editMark
	leaf  session.Pos
	// edited: there are context edits. lastEdits is, by index on the path, the last
	// entry so far that changed a file.
	edited    bool
	lastEdits []session.Pos

	left int // bytes of code that may still be coloured
}

// stretchHighlight is how much code of all pages together is coloured: that of some
// thousand entries. The pages that come first, those of the path to the leaf,
// have it.
const stretchHighlight = 128 << 10

// limits gives a page its share of the colours by its number of entries.
func (w *stretches) limits(entries int) limits {
	l := w.sess.Stand.limits()
	l.colours = min(max(l.colours*entries/pageEntries, 1<<10), l.colours, w.left)
	w.left -= l.colours
	return l
}

// StretchPages calls fn with the pages of all stretches of a session that does not change
// meanwhile; those of one stretch come in order, those of the path to the leaf first.
// What the rest of a path says of an entry is taken from the path that goes on as
// Stretch.Tip says. No page reaches beyond its stretch.
func (b *Builder) StretchPages(sess Shown, all []session.Stretch, fn func(StretchPage) error) error {
	w := &stretches{b: b, sess: sess, all: all, depth: make([]int, len(all)), left: stretchHighlight}
	for i, s := range all {
		if s.Up >= 0 {
			w.depth[i] = w.depth[s.Up] + all[s.Up].Size
		}
	}
	sess.Read(func(t *session.Tree, _ store.Rev) { w.prepare(t) })
	for _, i := range readingOrder(all, w.depth, w.leaf) {
		w.aim(i)
		if err := w.pages(i, fn); err != nil {
			return err
		}
	}
	return nil
}

// prepare learns what all paths need of the tree.
func (w *stretches) prepare(t *session.Tree) {
	w.leaf = t.Leaf()
	for p := range session.Pos(t.Len()) {
		w.edited = w.edited || t.At(p).Kind == session.KindContextEdit
	}
}

// aim looks at the path to the tip of the i-th stretch. It shares what stands above the
// stretch with the path before.
func (w *stretches) aim(i int) {
	tip := w.all[i].Tip
	if n := len(w.path); n > 0 && w.path[n-1] == tip {
		return
	}
	w.sess.Read(func(t *session.Tree, rev store.Rev) {
		v := session.View{Leaf: tip, Entry: session.NoPos}
		w.scene = Scene{Key: w.sess.Key(), Rev: rev, Tree: t, Params: Pin(t, Params{}, v), View: v, Stand: w.sess.Stand}
		w.lead(t, tip, w.all[i].First, w.depth[i])
		if w.edited {
			w.edits = contextEdits(t, w.path)
		}
	})
}

// lead makes w.path the path to tip. Its entry at depth is first, and those above are
// the path's already, or it is a new root's.
func (w *stretches) lead(t *session.Tree, tip, first session.Pos, depth int) {
	w.path, w.lastEdits = w.path[:depth], w.lastEdits[:depth]
	for p := tip; ; p = t.Parent(p) {
		w.path = append(w.path, p)
		if p == first {
			break
		}
	}
	slices.Reverse(w.path[depth:])
	last := session.NoPos
	if depth > 0 {
		last = w.lastEdits[depth-1]
	}
	for _, p := range w.path[depth:] {
		if changesFile(t.At(p)) {
			last = p
		}
		w.lastEdits = append(w.lastEdits, last)
	}
}

// pages makes the pages of the i-th stretch.
func (w *stretches) pages(i int, fn func(StretchPage) error) error {
	from, end := w.depth[i], w.depth[i]+w.all[i].Size
	for from < end {
		var pg *page
		w.sess.Read(func(t *session.Tree, _ store.Rev) {
			to := min(withResults(t, w.path[:end], min(from+pageEntries, end)), end)
			pg = newPage(w.scene, w.path, from, to)
			for k := from; k < to; k++ {
				pg.entries = append(pg.entries, takeEntry(w.scene, w.path, k, w.edits))
			}
			pg.takeLateResults(w.scene, w.path[:end], to, w.edits)
		})
		pg.path.lastEdit = w.lastEdits[len(w.lastEdits)-1]
		pg.path.atEnd = false // what stands at the end of a path is told by EndItems
		if err := fn(StretchPage{i, pg.shown, w.b, w.sess, pg, w.limits(pg.shown)}); err != nil {
			return err
		}
		from += pg.shown
	}
	return nil
}

// EndItems are what stands behind the last entry of a path: of the path to the leaf,
// of another one, and of the one before the first entry.
func (b *Builder) EndItems(s Scene) (leaf, other, none components.ItemModel) {
	end := func(total int, atLeaf bool) components.ItemModel {
		pg := &page{stand: s.Stand, atLeaf: atLeaf, path: pathEnds{total: total, entries: s.Tree.Count(), header: s.Tree.Header()}}
		return newItemBuilder(b, pg, nil, s.Stand.limits()).end()
	}
	return end(1, true), end(1, false), end(0, false)
}
