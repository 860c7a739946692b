package path

import (
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// segmentEntries is the number of entries of a page of a segment.
const segmentEntries = 50

// SegmentPage is a page of a segment. It is the same on every path through the segment.
type SegmentPage struct {
	*Page
	Segment, Entries int

	limits itemLimits
}

// SegmentItems returns the items of a page with the bodies of its entries. It may be called
// concurrently for several pages.
func (r *Renderer) SegmentItems(p *SegmentPage, bodies []session.Body) []components.Item {
	items, _ := newItemBuilder(r, p.Page, bodies, p.limits).buildItems()
	return items
}

// SegmentPager divides the segments of a session that does not change meanwhile into pages.
// The pages of a segment come in order, those of the path to the leaf first. What a page
// says about later entries refers to the path to the segment's Tip. A page never spans
// segments.
type SegmentPager struct {
	segments []session.Segment
	scene    view.Scene
	order    []int         // of the segments that are left
	segment  int           // the current one
	from     int           // index on the path of the next page
	end      int           // index of the end of the segment
	path     []session.Pos // to the tip of the current segment
	depth    []int         // number of entries above each segment
	edits    map[string]*contextEdit
	// hasContextEdits is set if the tree has context edits. lastFileEdits holds, by index on
	// the path, the last entry so far that changed a file.
	hasContextEdits bool
	lastFileEdits   []session.Pos

	budget int // bytes of code that may still be highlighted
}

// segmentHighlightBytes limits the highlighted code of all pages: that of about a thousand
// entries. The first pages, those of the path to the leaf, use it.
const segmentHighlightBytes = 128 << 10

// NewSegmentPager returns a pager of all segments of the scene's tree.
func NewSegmentPager(s view.Scene, all []session.Segment) *SegmentPager {
	w := &SegmentPager{scene: s, segments: all, depth: make([]int, len(all)), budget: segmentHighlightBytes}
	for i, segment := range all {
		if segment.ParentIndex >= 0 {
			w.depth[i] = w.depth[segment.ParentIndex] + all[segment.ParentIndex].Size
		}
	}
	for p := range session.Pos(s.Tree.Len()) {
		w.hasContextEdits = w.hasContextEdits || s.Tree.At(p).Kind == session.KindContextEdit
	}
	w.order = segmentOrder(all, w.depth, s.Tree.Leaf())
	return w
}

// takeLimits returns the limits of a page. Its share of the budget is proportional to its
// entries.
func (w *SegmentPager) takeLimits(entries int) itemLimits {
	l := entryLimits(w.scene.Audience)
	l.highlight = min(max(l.highlight*entries/segmentEntries, 1<<10), l.highlight, w.budget)
	w.budget -= l.highlight
	return l
}

// NextPage copies the next page out of the tree, which must be locked. It returns nil after
// the last page.
func (w *SegmentPager) NextPage() *SegmentPage {
	for w.from == w.end {
		if len(w.order) == 0 {
			return nil
		}
		w.selectSegment(w.order[0])
		w.order = w.order[1:]
	}
	t := w.scene.Tree
	to := min(extendToResults(t, w.path[:w.end], min(w.from+segmentEntries, w.end)), w.end)
	pg := newPathPage(w.scene, w.path, w.from, to)
	for k := w.from; k < to; k++ {
		pg.entries = append(pg.entries, copyPathEntry(w.scene, w.path, k, w.edits))
	}
	pg.copyLateResults(w.scene, w.path[:w.end], to, w.edits)
	pg.copyCosts(w.scene)
	pg.path.lastFileEdit = w.lastFileEdits[len(w.lastFileEdits)-1]
	pg.path.atEnd = false // EndItems describes the end of a path
	w.from = to
	return &SegmentPage{pg, w.segment, pg.shown, w.takeLimits(pg.shown)}
}

// selectSegment makes the i-th segment and the path to its tip current. It keeps the part
// above the segment, which the previous path shares.
func (w *SegmentPager) selectSegment(i int) {
	w.segment, w.from, w.end = i, w.depth[i], w.depth[i]+w.segments[i].Size
	tip := w.segments[i].Tip
	if n := len(w.path); n > 0 && w.path[n-1] == tip {
		return
	}
	t := w.scene.Tree
	w.scene.View = outline.View{Leaf: tip, Entry: session.NoPos}
	w.scene.Params = view.PinPath(t, view.Params{}, w.scene.View)
	w.extendPath(tip, w.segments[i].First, w.depth[i])
	if w.hasContextEdits {
		w.edits = lastContextEdits(t, w.path)
	}
}

// extendPath makes w.path the path to tip. The entry at depth is first; the entries above
// it are in w.path already, or first is a root.
func (w *SegmentPager) extendPath(tip, first session.Pos, depth int) {
	t := w.scene.Tree
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

// EndItems returns the items after the last entry: of the path to the leaf, of another
// path, and of the empty path.
func (r *Renderer) EndItems(s view.Scene) (leaf, other, none *components.PathEnd) {
	end := func(total int, atLeaf bool) *components.PathEnd {
		pg := &Page{config: s.Config, audience: s.Audience, atLeaf: atLeaf, path: pathInfo{total: total, entries: s.Tree.EntryCount(), metadata: s.Tree.Len() - s.Tree.EntryCount(), header: s.Tree.Header()}}
		return newItemBuilder(r, pg, nil, entryLimits(s.Audience)).pathEnd()
	}
	return end(1, true), end(1, false), end(0, false)
}
