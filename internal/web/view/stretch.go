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
	Items            []components.ItemModel
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
}

// StretchPages makes the pages of all stretches of a session that does not change
// meanwhile; those of one stretch come in order, those of the path to the leaf first.
// What the rest of a path says of an entry is taken from the path that goes on as
// Stretch.Tip says. No page reaches beyond its stretch.
func (b *Builder) StretchPages(ctx context.Context, sess Shown, all []session.Stretch, fn func(StretchPage) error) error {
	w := &stretches{b: b, sess: sess, all: all, depth: make([]int, len(all))}
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
		if err := w.pages(ctx, i, fn); err != nil {
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
func (w *stretches) pages(ctx context.Context, i int, fn func(StretchPage) error) error {
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
		bodies, err := readBodies(ctx, w.sess.Session, pg)
		if err != nil {
			return err
		}
		items, _ := newItemBuilder(w.b, pg, bodies, w.sess.Stand.limits()).items()
		if err := fn(StretchPage{i, pg.shown, items}); err != nil {
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
