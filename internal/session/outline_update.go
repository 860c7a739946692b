package session

import "slices"

// A session that is followed grows below its leaf, and of its rows only the last ones
// change. So an outline keeps a checkpoint some way above the leaf, and the next
// outline of the same view shares the rows above and makes those below anew.

// resumePoint is a step of the first lane on the path to the leaf, at which no branch
// is left to be done.
type resumePoint struct {
	pos          Pos   // the entry whose rows follow
	row          int   // index of the first of them
	runs         int   // runs begun above
	firstRunRows int32 // rows of the first run above
}

// resumeState is what an outline knows of the state it was made of.
type resumeState struct {
	resumePoint
	entries     int // of the tree
	shape       int // see Tree.shape
	leaf        Pos
	leafCount   int // what the leaf adds to Visible
	leafRow     int // index of the row with the leaf tag
	view        View
	viewedPath  entryMarks // the path of a view that does not follow the leaf, else nil
	below, path bool       // what lanes say of the first lane at the checkpoint
}

const (
	// steps above the leaf at which a checkpoint is kept: results that come late for
	// calls below it cost no more than others.
	resumePointSteps = 64
	// rows below a checkpoint where there is a choice.
	maxRowsBelowResumePoint = 1024
	// new entries for which an outline is made anew.
	maxResumedEntries = 1024
)

// resumePointRing are the last ones that the builder passed.
type resumePointRing struct {
	ring [resumePointSteps]resumePoint
	n    int
}

// recordResumePoint notes that the rows of the entry at p follow.
func (s *spine) recordResumePoint(p Pos, run int32) {
	if run == 0 && len(s.pending) == 0 && s.onLeafPath.isMarked(p) {
		s.resumePoints.ring[s.resumePoints.n%resumePointSteps] = resumePoint{p, s.outline.Rows.Len(), len(s.runs), s.runs[0].rows}
		s.resumePoints.n++
	}
}

// saveResumePoint gives the outline the checkpoint farthest above the leaf, among the
// last ones, that has not too many rows below. It returns the index of the first row
// below it, 0 where there is none.
func (s *spine) saveResumePoint() int {
	if s.queryHits != nil || s.holdsVisible != nil || len(s.archivedIDs) > 0 || s.resumePoints.n == 0 {
		return 0
	}
	var c resumePoint
	for i := max(0, s.resumePoints.n-resumePointSteps); i < s.resumePoints.n; i++ {
		if c = s.resumePoints.ring[i%resumePointSteps]; s.outline.Rows.Len()-c.row <= maxRowsBelowResumePoint {
			break
		}
	}
	r := &resumeState{resumePoint: c, entries: len(s.entries), shape: s.shapeVersion, leaf: s.leaf, leafCount: s.countShown(s.leaf), view: s.view}
	if s.view.Leaf != s.leaf {
		r.viewedPath = s.onViewedPath
	}
	s.outline.resumeState = r
	return c.row
}

// UpdateOutline is Outline for a view whose outline was old before the tree grew. Only
// Leaf and Entry of the view may be others. Where the tree grew below its leaf the cost
// is that of the new rows, and the others are shared with old.
func (t *Tree) UpdateOutline(old *Outline, v View) *Outline {
	if old != nil && old.resumeState != nil && t.grewBelow(old.resumeState) {
		if s, ok := t.resumeSpine(old, v); ok && s.rebuildTail(old) {
			return s.outline
		}
	}
	return t.Outline(v)
}

// grewBelow reports whether all that changed in the tree since r is what was added
// below the leaf, and whether no row above the checkpoint changes by it.
func (t *Tree) grewBelow(r *resumeState) bool {
	n := len(t.entries)
	if r.shape != t.shapeVersion || n < r.entries || n-r.entries > maxResumedEntries || t.leaf != r.leaf && int(t.leaf) < r.entries {
		return false
	}
	near := t.pathUpTo(r.leaf, r.pos)
	for p := Pos(r.entries); p < Pos(n); p++ {
		if up := t.parent[p]; up >= p || up != r.leaf && int(up) < r.entries {
			return false
		}
		if e := t.entries[p]; e.Kind == KindToolResult && !t.isCallNear(e.CallID(), r.entries, near) {
			return false
		}
	}
	return true
}

// pathUpTo lists the entries from p up to top, which is above it.
func (t *Tree) pathUpTo(p, top Pos) (steps []Pos) {
	for ; p != NoPos; p = t.parent[p] {
		if steps = append(steps, p); p == top {
			break
		}
	}
	return steps
}

// isCallNear reports whether the call that a new result answers is made in one of the
// entries near, or in one from position first on.
func (t *Tree) isCallNear(id string, first int, near []Pos) bool {
	if id == "" {
		return true
	}
	at := t.callIndex.first.findNumber(id)
	if at < 0 {
		return true
	}
	p := t.callIndex.refs[at].pos
	return !t.callIndex.repeated && (int(p) >= first || slices.Contains(near, p))
}

// resumeSpine returns the builder as it was at the checkpoint of old. ok is false when
// the view shows another path than it did.
func (t *Tree) resumeSpine(old *Outline, v View) (s *spine, ok bool) {
	r := old.resumeState
	s = &spine{Tree: t, view: v, stats: t.computeStats(), onLeafPath: t.leafPath(), runs: make([]laneRun, r.runs),
		outline: &Outline{Selected: -1, Entries: t.EntryCount(), Branches: t.countBranches(), Agents: t.AgentCount(), Rows: old.Rows.firstRows(r.row)}}
	switch {
	case v.Leaf == t.leaf && r.view.Leaf == r.leaf:
		s.onViewedPath = s.onLeafPath
	case v.Leaf != r.view.Leaf:
		return nil, false
	case r.viewedPath != nil:
		s.onViewedPath = r.viewedPath
	default:
		s.onViewedPath = t.markPath(v.Leaf)
	}
	switch {
	case v.Entry == NoPos && r.view.Entry == NoPos:
	case v.Entry == t.leaf && r.view.Entry == r.leaf:
		s.onSelectedPath = s.onLeafPath
	case v.Entry != r.view.Entry:
		return nil, false
	default:
		s.onSelectedPath = t.markPath(v.Entry)
	}
	if root := s.viewRoot(); int(root) >= r.entries { // it came just now
		return nil, false
	}
	for i := range s.runs {
		s.runs[i].rows = old.runSizes[i]
	}
	s.runs[0] = laneRun{branchRow: -1, rows: r.firstRunRows, title: NoPos}
	s.updateVisibleCount(old)
	return s, true
}

// updateVisibleCount counts the visible entries by those of old. Whether the leaf that was is
// shown depended on its being the leaf.
func (s *spine) updateVisibleCount(old *Outline) {
	r := old.resumeState
	s.outline.Visible = old.Visible - r.leafCount + s.countShown(r.leaf)
	for p := Pos(r.entries); p < Pos(len(s.entries)); p++ {
		s.outline.Visible += s.countShown(p)
	}
}

// countShown returns what the entry at p adds to the number of visible ones.
func (s *spine) countShown(p Pos) int {
	if !s.hasOwnRow(p) {
		return 0
	}
	return int(s.traits[p].countWeight())
}

// rebuildTail makes the rows below the checkpoint of old. It reports whether they go with
// those above it.
func (s *spine) rebuildTail(old *Outline) bool {
	r := old.resumeState
	s.pending = append(s.pending, spineStep{pos: r.pos})
	s.runPending()
	if r.row == 0 && s.outline.Rows.Len() > 0 {
		first := s.outline.Rows.At(0)
		first.First, first.startsRoot = true, true
	}
	for _, root := range s.orderedRoots()[1:] {
		s.addRootRows(root)
	}
	s.countRuns()
	if l := s.drawLanesFrom(r.row); l.below[0] != r.below || l.path[0] != r.path {
		return false
	}
	return s.markTail(old)
}

// markTail puts the marks of Tree.mark on rows below the checkpoint of old. It reports
// whether they belong there.
func (s *spine) markTail(old *Outline) bool {
	r := old.resumeState
	rows := s.indexRows(s.outline, r.row)
	leaf := s.findNearestRow(rows, s.leaf, r.pos)
	if leaf < 0 || r.leafRow < r.row { // the tag cannot be taken from a row above
		return false
	}
	s.outline.setLeafRow(leaf)
	at, was := s.view.cursorEntry(), r.view.cursorEntry()
	switch {
	case at == s.leaf:
		s.outline.Selected = leaf
	case at == was && old.Selected < r.row && !slices.Contains(s.pathUpTo(r.leaf, r.pos), at):
		s.outline.Selected = old.Selected
	default:
		s.outline.Selected = s.findNearestRow(rows, at, r.pos)
	}
	return s.outline.Selected >= 0
}
