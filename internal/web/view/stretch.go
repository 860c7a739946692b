package view

import (
	"cmp"
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
	left  int // bytes of code that may still be coloured
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
	leaf := session.NoPos
	sess.Read(func(t *session.Tree, _ store.Rev) { leaf = t.Leaf() })
	order := make([]int, len(all))
	for i, s := range all {
		order[i] = i
		if s.Up >= 0 {
			w.depth[i] = w.depth[s.Up] + all[s.Up].Size
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := all[i].Tip, all[j].Tip
		if (a == leaf) != (b == leaf) {
			return cmp.Compare(btoi(b == leaf), btoi(a == leaf))
		}
		return cmp.Compare(a, b)
	})
	for _, i := range order {
		w.aim(all[i].Tip)
		if err := w.pages(i, fn); err != nil {
			return err
		}
	}
	return nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// aim looks at the path to a tip.
func (w *stretches) aim(tip session.Pos) {
	if w.path != nil && w.path[len(w.path)-1] == tip {
		return
	}
	w.sess.Read(func(t *session.Tree, rev store.Rev) {
		v := session.View{Leaf: tip, Entry: session.NoPos}
		w.scene = Scene{Key: w.sess.Key(), Rev: rev, Tree: t, Params: Pin(t, Params{}, v), View: v, Stand: w.sess.Stand}
		w.path = t.Path(tip)
		w.edits = contextEdits(t, w.path)
	})
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
