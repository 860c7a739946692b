package session

import "slices"

// A session that is followed grows below its leaf, and of its rows only the last ones
// change. So an outline keeps a checkpoint some way above the leaf, and the next
// outline of the same view shares the rows above and makes those below anew.

// checkpoint is a step of the first lane on the path to the leaf, at which no branch
// is left to be done.
type checkpoint struct {
	pos  Pos   // the entry whose rows follow
	row  int   // index of the first of them
	runs int   // runs begun above
	own  int32 // rows of the first run above
}

// resume is what an outline knows of the state it was made of.
type resume struct {
	checkpoint
	entries     int // of the tree
	shape       int // see Tree.shape
	leaf        Pos
	leafCount   int // what the leaf adds to Visible
	leafRow     int // index of the row with the leaf tag
	view        View
	viewed      marks // the path of a view that does not follow the leaf, else nil
	below, path bool  // what lanes say of the first lane at the checkpoint
}

const (
	// steps above the leaf at which a checkpoint is kept: results that come late for
	// calls below it cost no more than others.
	checkpointSteps = 64
	// rows below a checkpoint where there is a choice.
	checkpointRows = 1024
	// new entries for which an outline is made anew.
	maxResumed = 1024
)

// checkpoints are the last ones that the builder passed.
type checkpoints struct {
	ring [checkpointSteps]checkpoint
	n    int
}

// noteCheckpoint notes that the rows of the entry at p follow.
func (s *spine) noteCheckpoint(p Pos, run int32) {
	if run == 0 && len(s.todo) == 0 && s.leafy.at(p) {
		s.last.ring[s.last.n%checkpointSteps] = checkpoint{p, s.o.Rows.Len(), len(s.runs), s.runs[0].rows}
		s.last.n++
	}
}

// keepCheckpoint gives the outline the checkpoint farthest above the leaf, among the
// last ones, that has not too many rows below. It returns the index of the first row
// below it, 0 where there is none.
func (s *spine) keepCheckpoint() int {
	if s.match != nil || s.holds != nil || len(s.hidden) > 0 || s.last.n == 0 {
		return 0
	}
	var c checkpoint
	for i := max(0, s.last.n-checkpointSteps); i < s.last.n; i++ {
		if c = s.last.ring[i%checkpointSteps]; s.o.Rows.Len()-c.row <= checkpointRows {
			break
		}
	}
	r := &resume{checkpoint: c, entries: len(s.entries), shape: s.shape, leaf: s.leaf, leafCount: s.countShown(s.leaf), view: s.view}
	if s.view.Leaf != s.leaf {
		r.viewed = s.path
	}
	s.o.resume = r
	return c.row
}

// OutlineAfter is Outline for a view whose outline was old before the tree grew. Only
// Leaf and Entry of the view may be others. Where the tree grew below its leaf the cost
// is that of the new rows, and the others are shared with old.
func (t *Tree) OutlineAfter(old *Outline, v View) *Outline {
	if old != nil && old.resume != nil && t.grewBelow(old.resume) {
		if s, ok := t.resumeSpine(old, v); ok && s.again(old) {
			return s.o
		}
	}
	return t.Outline(v)
}

// grewBelow reports whether all that changed in the tree since r is what was added
// below the leaf, and whether no row above the checkpoint changes by it.
func (t *Tree) grewBelow(r *resume) bool {
	n := len(t.entries)
	if r.shape != t.shape || n < r.entries || n-r.entries > maxResumed || t.leaf != r.leaf && int(t.leaf) < r.entries {
		return false
	}
	near := t.stepsUp(r.leaf, r.pos)
	for p := Pos(r.entries); p < Pos(n); p++ {
		if up := t.parent[p]; up >= p || up != r.leaf && int(up) < r.entries {
			return false
		}
		if e := t.entries[p]; e.Kind == KindToolResult && !t.callIsNear(e.Call, r.entries, near) {
			return false
		}
	}
	return true
}

// stepsUp lists the entries from p up to top, which is above it.
func (t *Tree) stepsUp(p, top Pos) (steps []Pos) {
	for ; p != NoPos; p = t.parent[p] {
		if steps = append(steps, p); p == top {
			break
		}
	}
	return steps
}

// callIsNear reports whether the call that a new result answers is made in one of the
// entries near, or in one from position first on.
func (t *Tree) callIsNear(id string, first int, near []Pos) bool {
	if id == "" {
		return true
	}
	at := t.calls.first.find(id)
	if at < 0 {
		return true
	}
	p := t.calls.refs[at].pos
	return !t.calls.repeated && (int(p) >= first || slices.Contains(near, p))
}

// resumeSpine returns the builder as it was at the checkpoint of old. ok is false when
// the view shows another path than it did.
func (t *Tree) resumeSpine(old *Outline, v View) (s *spine, ok bool) {
	r := old.resume
	s = &spine{Tree: t, view: v, facts: t.subtrees(), leafy: t.leafPath(), runs: make([]laneRun, r.runs),
		o: &Outline{Selected: -1, Entries: t.Count(), Branches: t.countBranches(), Agents: t.Agents(), Rows: old.Rows.first(r.row)}}
	switch {
	case v.Leaf == t.leaf && r.view.Leaf == r.leaf:
		s.path = s.leafy
	case v.Leaf != r.view.Leaf:
		return nil, false
	case r.viewed != nil:
		s.path = r.viewed
	default:
		s.path = t.onPath(v.Leaf)
	}
	switch {
	case v.Entry == NoPos && r.view.Entry == NoPos:
	case v.Entry == t.leaf && r.view.Entry == r.leaf:
		s.near = s.leafy
	case v.Entry != r.view.Entry:
		return nil, false
	default:
		s.near = t.onPath(v.Entry)
	}
	if root := s.viewRoot(); int(root) >= r.entries { // it came just now
		return nil, false
	}
	for i := range s.runs {
		s.runs[i].rows = old.runs[i]
	}
	s.runs[0] = laneRun{stub: -1, rows: r.own, title: NoPos}
	s.countNew(old)
	return s, true
}

// countNew counts the visible entries by those of old. Whether the leaf that was is
// shown depended on its being the leaf.
func (s *spine) countNew(old *Outline) {
	r := old.resume
	s.o.Visible = old.Visible - r.leafCount + s.countShown(r.leaf)
	for p := Pos(r.entries); p < Pos(len(s.entries)); p++ {
		s.o.Visible += s.countShown(p)
	}
}

// countShown returns what the entry at p adds to the number of visible ones.
func (s *spine) countShown(p Pos) int {
	if !s.shows(p) {
		return 0
	}
	return int(s.looks[p].weight())
}

// again makes the rows below the checkpoint of old. It reports whether they go with
// those above it.
func (s *spine) again(old *Outline) bool {
	r := old.resume
	s.todo = append(s.todo, spineStep{pos: r.pos})
	s.steps()
	if r.row == 0 && s.o.Rows.Len() > 0 {
		first := s.o.Rows.At(0)
		first.First, first.fresh = true, true
	}
	for _, root := range s.spines()[1:] {
		s.root(root)
	}
	s.countRuns()
	if l := s.drawFrom(r.row); l.below[0] != r.below || l.path[0] != r.path {
		return false
	}
	return s.markNew(old)
}

// markNew puts the marks of Tree.mark on rows below the checkpoint of old. It reports
// whether they belong there.
func (s *spine) markNew(old *Outline) bool {
	r := old.resume
	rows := s.indexRows(s.o, r.row)
	leaf := s.nearest(rows, s.leaf, r.pos)
	if leaf < 0 || r.leafRow < r.row { // the tag cannot be taken from a row above
		return false
	}
	s.o.setLeaf(leaf)
	at, was := s.view.cursor(), r.view.cursor()
	switch {
	case at == s.leaf:
		s.o.Selected = leaf
	case at == was && old.Selected < r.row && !slices.Contains(s.stepsUp(r.leaf, r.pos), at):
		s.o.Selected = old.Selected
	default:
		s.o.Selected = s.nearest(rows, at, r.pos)
	}
	return s.o.Selected >= 0
}
