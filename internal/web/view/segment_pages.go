package view

import (
	"context"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/session/store"
	"sessiontree/web/components"
)

// SegmentPage is a page of a segment. It is the same on every path through the segment.
type SegmentPage struct {
	Segment, Entries int

	b       *Builder
	session SessionView
	page    *pathPage
	limits  itemLimits
}

// BuildItems reads the bodies of the page and returns its items. It may be called
// concurrently for several pages.
func (p SegmentPage) BuildItems(ctx context.Context) ([]components.ItemModel, error) {
	bodies, err := readPageBodies(ctx, p.session.Session, p.page)
	if err != nil {
		return nil, err
	}
	items, _ := newItemBuilder(p.b, p.page, bodies, p.limits).buildItems()
	return items, nil
}

// segmentPager divides segments into pages.
type segmentPager struct {
	b        *Builder
	sess     SessionView
	segments []session.Segment
	scene    Scene
	path     []session.Pos // to the tip of the current segment
	depth    []int         // number of entries above each segment
	edits    map[string]*contextEdit
	leaf     session.Pos
	// hasContextEdits is set if the tree has context edits. lastFileEdits holds, by index on
	// the path, the last entry so far that changed a file.
	hasContextEdits bool
	lastFileEdits   []session.Pos

	budget int // bytes of code that may still be highlighted
}

// segmentHighlightBytes limits the highlighted code of all pages: that of about a thousand
// entries. The first pages, those of the path to the leaf, use it.
const segmentHighlightBytes = 128 << 10

// takeLimits returns the limits of a page. Its share of the budget is proportional to its
// entries.
func (w *segmentPager) takeLimits(entries int) itemLimits {
	l := w.sess.Audience.entryLimits()
	l.highlight = min(max(l.highlight*entries/pageEntries, 1<<10), l.highlight, w.budget)
	w.budget -= l.highlight
	return l
}

// VisitSegmentPages calls fn with the pages of all segments of a session that must not
// change meanwhile. The pages of a segment come in order, those of the path to the leaf
// first. What a page says about later entries refers to the path to the segment's Tip. A
// page never spans segments.
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

// scanTree collects what all paths need from the tree.
func (w *segmentPager) scanTree(t *session.Tree) {
	w.leaf = t.Leaf()
	for p := range session.Pos(t.Len()) {
		w.hasContextEdits = w.hasContextEdits || t.At(p).Kind == session.KindContextEdit
	}
}

// selectSegment makes the path to the tip of the i-th segment current. It keeps the part
// above the segment, which the previous path shares.
func (w *segmentPager) selectSegment(i int) {
	tip := w.segments[i].Tip
	if n := len(w.path); n > 0 && w.path[n-1] == tip {
		return
	}
	w.sess.ReadTree(func(t *session.Tree, rev store.Revision) {
		v := outline.View{Leaf: tip, Entry: session.NoPos}
		w.scene = Scene{Key: w.sess.Key(), Rev: rev, Tree: t, Params: PinPath(t, Params{}, v), View: v, Audience: w.sess.Audience}
		w.extendPath(t, tip, w.segments[i].First, w.depth[i])
		if w.hasContextEdits {
			w.edits = lastContextEdits(t, w.path)
		}
	})
}

// extendPath makes w.path the path to tip. The entry at depth is first; the entries above
// it are in w.path already, or first is a root.
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
		if t.At(p).ChangesFile() {
			last = p
		}
		w.lastFileEdits = append(w.lastFileEdits, last)
	}
}

// visitPages calls fn with the pages of the i-th segment.
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
		pg.path.atEnd = false // EndItems describes the end of a path
		if err := fn(SegmentPage{i, pg.shown, w.b, w.sess, pg, w.takeLimits(pg.shown)}); err != nil {
			return err
		}
		from += pg.shown
	}
	return nil
}

// EndItems returns the items after the last entry: of the path to the leaf, of another
// path, and of the empty path.
func (b *Builder) EndItems(s Scene) (leaf, other, none components.ItemModel) {
	end := func(total int, atLeaf bool) components.ItemModel {
		pg := &pathPage{audience: s.Audience, atLeaf: atLeaf, path: pathInfo{total: total, entries: s.Tree.EntryCount(), header: s.Tree.Header()}}
		return newItemBuilder(b, pg, nil, s.Audience.entryLimits()).endItem()
	}
	return end(1, true), end(1, false), end(0, false)
}
