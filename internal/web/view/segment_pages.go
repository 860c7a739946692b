package view

import (
	"context"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/web/components"
)

// SegmentPage is a page of a stretch: whatever path is read through it, it is the
// same.
type SegmentPage struct {
	Segment, Entries int

	b       *Builder
	session SessionView
	page    *pathPage
	limits  itemLimits
}

// BuildItems reads the bodies of the entries of p and returns what the page shows. It is
// safe to call for several pages at once.
func (p SegmentPage) BuildItems(ctx context.Context) ([]components.ItemModel, error) {
	bodies, err := readPageBodies(ctx, p.session.Session, p.page)
	if err != nil {
		return nil, err
	}
	items, _ := newItemBuilder(p.b, p.page, bodies, p.limits).buildItems()
	return items, nil
}

// segmentPager knows how far each stretch has been made into pages.
type segmentPager struct {
	b        *Builder
	sess     SessionView
	segments []session.Segment
	scene    Scene
	path     []session.Pos // to the tip that is worked on
	depth    []int         // entries above each stretch on its path
	edits    map[string]*contextEdit
	leaf     session.Pos
	// hasContextEdits: there are context edits. lastEdits is, by index on the path, the last
	// entry so far that changed a file.
	hasContextEdits bool
	lastFileEdits   []session.Pos

	budget int // bytes of code that may still be coloured
}

// segmentHighlightBytes is how much code of all pages together is coloured: that of some
// thousand entries. The pages that come first, those of the path to the leaf,
// have it.
const segmentHighlightBytes = 128 << 10

// takeLimits gives a page its share of the colours by its number of entries.
func (w *segmentPager) takeLimits(entries int) itemLimits {
	l := w.sess.Audience.entryLimits()
	l.highlight = min(max(l.highlight*entries/pageEntries, 1<<10), l.highlight, w.budget)
	w.budget -= l.highlight
	return l
}

// VisitSegmentPages calls fn with the pages of all stretches of a session that does not change
// meanwhile; those of one stretch come in order, those of the path to the leaf first.
// What the rest of a path says of an entry is taken from the path that goes on as
// Stretch.Tip says. No page reaches beyond its stretch.
func (b *Builder) VisitSegmentPages(sess SessionView, all []session.Segment, fn func(SegmentPage) error) error {
	w := &segmentPager{b: b, sess: sess, segments: all, depth: make([]int, len(all)), budget: segmentHighlightBytes}
	for i, s := range all {
		if s.ParentIndex >= 0 {
			w.depth[i] = w.depth[s.ParentIndex] + all[s.ParentIndex].Size
		}
	}
	sess.ReadTree(func(t *session.Tree, _ store.Revision) { w.scanTree(t) })
	for _, i := range segmentOrder(all, w.depth, w.leaf) {
		w.selectSegment(i)
		if err := w.visitPages(i, fn); err != nil {
			return err
		}
	}
	return nil
}

// scanTree learns what all paths need of the tree.
func (w *segmentPager) scanTree(t *session.Tree) {
	w.leaf = t.Leaf()
	for p := range session.Pos(t.Len()) {
		w.hasContextEdits = w.hasContextEdits || t.At(p).Kind == session.KindContextEdit
	}
}

// selectSegment looks at the path to the tip of the i-th stretch. It shares what stands above the
// stretch with the path before.
func (w *segmentPager) selectSegment(i int) {
	tip := w.segments[i].Tip
	if n := len(w.path); n > 0 && w.path[n-1] == tip {
		return
	}
	w.sess.ReadTree(func(t *session.Tree, rev store.Revision) {
		v := session.View{Leaf: tip, Entry: session.NoPos}
		w.scene = Scene{Key: w.sess.Key(), Rev: rev, Tree: t, Params: PinPath(t, Params{}, v), View: v, Audience: w.sess.Audience}
		w.extendPath(t, tip, w.segments[i].First, w.depth[i])
		if w.hasContextEdits {
			w.edits = lastContextEdits(t, w.path)
		}
	})
}

// extendPath makes w.path the path to tip. Its entry at depth is first, and those above are
// the path's already, or it is a new root's.
func (w *segmentPager) extendPath(t *session.Tree, tip, first session.Pos, depth int) {
	w.path, w.lastFileEdits = w.path[:depth], w.lastFileEdits[:depth]
	for p := tip; ; p = t.Parent(p) {
		w.path = append(w.path, p)
		if p == first {
			break
		}
	}
	slices.Reverse(w.path[depth:])
	last := session.NoPos
	if depth > 0 {
		last = w.lastFileEdits[depth-1]
	}
	for _, p := range w.path[depth:] {
		if changesFile(t.At(p)) {
			last = p
		}
		w.lastFileEdits = append(w.lastFileEdits, last)
	}
}

// visitPages makes the pages of the i-th stretch.
func (w *segmentPager) visitPages(i int, fn func(SegmentPage) error) error {
	from, end := w.depth[i], w.depth[i]+w.segments[i].Size
	for from < end {
		var pg *pathPage
		w.sess.ReadTree(func(t *session.Tree, _ store.Revision) {
			to := min(extendToResults(t, w.path[:end], min(from+pageEntries, end)), end)
			pg = newPathPage(w.scene, w.path, from, to)
			for k := from; k < to; k++ {
				pg.entries = append(pg.entries, copyPathEntry(w.scene, w.path, k, w.edits))
			}
			pg.copyLateResults(w.scene, w.path[:end], to, w.edits)
		})
		pg.path.lastFileEdit = w.lastFileEdits[len(w.lastFileEdits)-1]
		pg.path.atEnd = false // what stands at the end of a path is told by EndItems
		if err := fn(SegmentPage{i, pg.shown, w.b, w.sess, pg, w.takeLimits(pg.shown)}); err != nil {
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
		pg := &pathPage{audience: s.Audience, atLeaf: atLeaf, path: pathInfo{total: total, entries: s.Tree.EntryCount(), header: s.Tree.Header()}}
		return newItemBuilder(b, pg, nil, s.Audience.entryLimits()).endItem()
	}
	return end(1, true), end(1, false), end(0, false)
}
