package outline

import (
	"slices"

	"sessiontree/internal/session"
)

// A watched session grows below its leaf, which only changes its last rows. So an
// outline keeps a resume point some way above the leaf, and the next outline of the
// same view shares the rows above and makes those below again.

// resumePoint is a step of the first lane on the path to the leaf at which no branch is
// pending.
type resumePoint struct {
	pos          session.Pos // the entry whose rows follow
	row          int         // index of the first of them
	runs         int         // number of runs started above
	firstRunRows int32       // number of rows of the first run above
}

// resumeState is the state that an outline was made from.
type resumeState struct {
	resumePoint
	entries     int // number of entries in the tree
	shape       int // see Tree.shapeVersion
	leaf        session.Pos
	leafCount   int // how many visible entries the leaf counts as
	leafRow     int // index of the row with the leaf tag
	view        View
	viewedPath  session.Marks // path of a view that does not follow the leaf, else nil
	below, path bool          // state of the first lane at the resume point
}

const (
	// how many steps above the leaf a resume point is: a late result for a call below
	// it can still be added.
	resumePointSteps = 64
	// preferred maximum of rows below a resume point.
	maxRowsBelowResumePoint = 1024
	// maximum of new entries; for more the outline is made from scratch.
	maxResumedEntries = 1024
)

// resumePointRing holds the last resume points that the builder passed.
type resumePointRing struct {
	ring [resumePointSteps]resumePoint
	n    int
}

// recordResumePoint records that the rows of the entry at p follow.
func (s *spine) recordResumePoint(p session.Pos, run int32) {
	if run == 0 && len(s.pending) == 0 && s.onLeafPath.Has(p) {
		s.resumePoints.ring[s.resumePoints.n%resumePointSteps] = resumePoint{p, s.outline.Rows.Len(), len(s.runs), s.runs[0].rows}
		s.resumePoints.n++
	}
}

// saveResumePoint sets the outline's resume point: among the last ones, the one
// farthest above the leaf that does not have too many rows below. It returns the index
// of the first row below it, 0 if there is none.
func (s *spine) saveResumePoint() int {
	if s.queryHits != nil || s.holdsVisible != nil || s.tree.HasArchived() || s.resumePoints.n == 0 {
		return 0
	}
	var c resumePoint
	for i := max(0, s.resumePoints.n-resumePointSteps); i < s.resumePoints.n; i++ {
		if c = s.resumePoints.ring[i%resumePointSteps]; s.outline.Rows.Len()-c.row <= maxRowsBelowResumePoint {
			break
		}
	}
	r := &resumeState{resumePoint: c, entries: s.tree.Len(), shape: s.tree.ShapeVersion(), leaf: s.tree.Leaf(), leafCount: s.countShown(s.tree.Leaf()), view: s.view}
	if s.view.Leaf != s.tree.Leaf() {
		r.viewedPath = s.onViewedPath
	}
	s.outline.resumeState = r
	return c.row
}

// Update is Build for a view whose outline was old before the tree grew. Only
// Leaf and Entry of the view may differ. If the tree grew below its leaf, the cost is
// that of the new rows, and the others are shared with old.
func Update(t *session.Tree, old *Outline, v View) *Outline {
	if old != nil && old.resumeState != nil && grewBelow(t, old.resumeState) {
		if s, ok := resumeSpine(t, old, v); ok && s.rebuildTail(old) {
			return s.outline
		}
	}
	return Build(t, v)
}

// grewBelow reports whether the tree has only grown below the leaf since r, without a
// change to rows above the resume point.
func grewBelow(t *session.Tree, r *resumeState) bool {
	n := t.Len()
	if r.shape != t.ShapeVersion() || n < r.entries || n-r.entries > maxResumedEntries || t.Leaf() != r.leaf && int(t.Leaf()) < r.entries {
		return false
	}
	near := pathUpTo(t, r.leaf, r.pos)
	for p := session.Pos(r.entries); p < session.Pos(n); p++ {
		if up := t.Parent(p); up >= p || up != r.leaf && int(up) < r.entries {
			return false
		}
		if e := t.At(p); e.Kind == session.KindToolResult && !isCallNear(t, e.CallID(), r.entries, near) {
			return false
		}
	}
	return true
}

// pathUpTo returns the entries from p up to its ancestor top.
func pathUpTo(t *session.Tree, p, top session.Pos) (steps []session.Pos) {
	for ; p != session.NoPos; p = t.Parent(p) {
		if steps = append(steps, p); p == top {
			break
		}
	}
	return steps
}

// isCallNear reports whether the call of a new result is in one of the entries near, or
// in one from position first on.
func isCallNear(t *session.Tree, id string, first int, near []session.Pos) bool {
	if id == "" {
		return true
	}
	p, _, unique := t.FindCall(id)
	return p == session.NoPos || unique && (int(p) >= first || slices.Contains(near, p))
}

// resumeSpine returns the builder as it was at the resume point of old. ok is false if
// the view shows another path.
func resumeSpine(t *session.Tree, old *Outline, v View) (s *spine, ok bool) {
	r, subtrees := old.resumeState, t.Subtrees()
	s = &spine{tree: t, view: v, subtrees: subtrees, onLeafPath: t.LeafPath(), runs: make([]laneRun, r.runs),
		outline: &Outline{Selected: -1, Entries: t.EntryCount(), Branches: subtrees.BranchCount(), Agents: subtrees.AgentCount(), Rows: old.Rows.firstRows(r.row)}}
	switch {
	case v.Leaf == t.Leaf() && r.view.Leaf == r.leaf:
		s.onViewedPath = s.onLeafPath
	case v.Leaf != r.view.Leaf:
		return nil, false
	case r.viewedPath != nil:
		s.onViewedPath = r.viewedPath
	default:
		s.onViewedPath = t.MarkPath(v.Leaf)
	}
	switch {
	case v.Entry == session.NoPos && r.view.Entry == session.NoPos:
	case v.Entry == t.Leaf() && r.view.Entry == r.leaf:
		s.onSelectedPath = s.onLeafPath
	case v.Entry != r.view.Entry:
		return nil, false
	default:
		s.onSelectedPath = t.MarkPath(v.Entry)
	}
	if root := s.viewRoot(); int(root) >= r.entries { // it is a new entry
		return nil, false
	}
	for i := range s.runs {
		s.runs[i].rows = old.runSizes[i]
	}
	s.runs[0] = laneRun{branchRow: -1, rows: r.firstRunRows, title: session.NoPos}
	s.updateVisibleCount(old)
	return s, true
}

// updateVisibleCount counts the visible entries from those of old. The former leaf may
// be hidden now.
func (s *spine) updateVisibleCount(old *Outline) {
	r := old.resumeState
	s.outline.Visible = old.Visible - r.leafCount + s.countShown(r.leaf)
	for p := session.Pos(r.entries); p < session.Pos(s.tree.Len()); p++ {
		s.outline.Visible += s.countShown(p)
	}
}

// countShown returns how many visible entries the one at p counts as.
func (s *spine) countShown(p session.Pos) int {
	if !s.hasOwnRow(p) {
		return 0
	}
	return int(s.tree.Traits(p).CountWeight())
}

// rebuildTail makes the rows below the resume point of old. It reports whether they
// match those above it.
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
	return s.markLeafAndCursorBelow(old)
}

// markLeafAndCursorBelow sets the marks of markLeafAndCursor on rows below the resume point of old.
// It reports whether they belong there.
func (s *spine) markLeafAndCursorBelow(old *Outline) bool {
	r := old.resumeState
	rows := indexRows(s.tree, s.outline, r.row)
	leaf := findNearestRow(s.tree, rows, s.tree.Leaf(), r.pos)
	if leaf < 0 || r.leafRow < r.row { // the tag cannot be removed from a row above
		return false
	}
	s.outline.setLeafRow(leaf)
	at, was := s.view.cursorEntry(), r.view.cursorEntry()
	switch {
	case at == s.tree.Leaf():
		s.outline.Selected = leaf
	case at == was && old.Selected < r.row && !slices.Contains(pathUpTo(s.tree, r.leaf, r.pos), at):
		s.outline.Selected = old.Selected
	default:
		s.outline.Selected = findNearestRow(s.tree, rows, at, r.pos)
	}
	return s.outline.Selected >= 0
}
