package session

// spine builds the rows of the spine layout. Lane 0 is the path to the session's leaf.
// Every other branch is a branch row below the entry it leaves, followed by its own
// rows one lane further right if it is open. The view colors lanes and opens the
// branches on its path; it never moves a row.
type spine struct {
	*Tree
	view            View
	outline         *Outline
	stats           *subtreeStats
	queryHits       *queryHits
	archivedEntries []bool     // archived and hidden; nil if there are none
	holdsVisible    []bool     // the subtree has a visible entry; nil if branches are shown without one
	onLeafPath      entryMarks // path to the session's leaf
	onViewedPath    entryMarks // path to the viewed leaf
	onSelectedPath  entryMarks // path to the selected entry
	runs            []laneRun
	pending         []spineStep
	resumePoints    resumePointRing
}

// laneRun is the rows of one lane below one branch row.
type laneRun struct {
	branchRow int32 // index of its branch row, or -1 for the top
	lane      int16
	rows      int32
	title     Pos // entry that the branch row displays; it has no row if it would be the first one
}

// spineStep is a chain whose rows are to be added, or a branch.
type spineStep struct {
	pos      Pos
	run      int32
	isBranch bool
}

func (t *Tree) buildSpineOutline(v View, o *Outline) {
	s := &spine{Tree: t, view: v, outline: o, stats: t.computeStats(),
		onLeafPath: t.leafPath(), onViewedPath: t.markPath(v.Leaf), onSelectedPath: t.markPath(v.Entry),
		runs: []laneRun{{branchRow: -1, title: NoPos}}}
	s.archivedEntries = s.markArchivedEntries()
	s.holdsVisible = s.subtreesWithVisible()
	s.queryHits = s.findQueryHits()
	o.Branches, o.Agents, o.Visible = t.countBranches(), t.AgentCount(), s.countVisible()
	for _, root := range s.orderedRoots() {
		s.addRootRows(root)
	}
	s.finishRows()
	t.markLeafAndCursor(v, o)
	if s.queryHits != nil {
		o.Found = t.listFound(s.queryHits.own, v, o)
	}
}

// orderedRoots returns the roots, the one with the leaf first, or only the view's root.
func (s *spine) orderedRoots() []Pos {
	if root := s.viewRoot(); root != NoPos {
		return []Pos{root}
	}
	order := make([]Pos, 0, len(s.roots))
	for _, r := range s.roots {
		if s.onLeafPath.isMarked(r) {
			order = append(order, r)
		}
	}
	for _, r := range s.roots {
		if !s.onLeafPath.isMarked(r) && !s.isHiddenSubtree(r) {
			order = append(order, r)
		}
	}
	return order
}

// viewRoot returns the entry that the view starts with, NoPos for all roots.
func (s *spine) viewRoot() Pos {
	if s.view.Root == "" {
		return NoPos
	}
	return s.FindID(s.view.Root)
}

// addRootRows adds the rows of one root.
func (s *spine) addRootRows(root Pos) {
	first := s.outline.Rows.Len()
	s.pending = append(s.pending, spineStep{pos: root})
	s.runPending()
	if first < s.outline.Rows.Len() {
		r := s.outline.Rows.At(first)
		r.RuleAbove, r.First, r.startsRoot = first > 0, true, true
	}
}

// runPending adds the rows of all pending steps.
func (s *spine) runPending() {
	for len(s.pending) > 0 {
		step := s.pending[len(s.pending)-1]
		s.pending = s.pending[:len(s.pending)-1]
		if step.isBranch {
			s.addBranchRow(step.pos, step.run)
		} else {
			s.addChain(step.pos, step.run)
		}
	}
}

// addChain adds the rows from p down to the next fork, and queues the branches there
// and the continuation.
func (s *spine) addChain(p Pos, run int32) {
	for p != NoPos {
		s.recordResumePoint(p, run)
		if s.entries[p].StartsThread() && (s.runs[run].rows > 0 || s.runs[run].branchRow < 0) {
			s.addRow(Row{Kind: RowSessionHeader, Pos: p, Title: p, Lane: s.runs[run].lane, OnPath: s.onViewedPath.isMarked(p)}, run, false)
		}
		s.addEntryRows(p, run, false)
		next := s.nextInLane(p)
		kids := s.childIndex.childrenAt(p)
		if len(kids) > 1 || len(kids) == 1 && next == NoPos && (s.entries[kids[0]].StartsThread() || s.traits[kids[0]].hasAnyTrait(traitMetadata)) {
			s.addBookkeepingRows(p, next, run)
			if s.queueBranches(kids, next, run) {
				return
			}
		}
		p = next
	}
}

// queueBranches queues the branches next to next, oldest first, then next. It returns
// false if there are none.
func (s *spine) queueBranches(kids []Pos, next Pos, run int32) bool {
	depth := len(s.pending)
	if next != NoPos {
		s.pending = append(s.pending, spineStep{pos: next, run: run})
	}
	for i := len(kids) - 1; i >= 0; i-- {
		if k := kids[i]; k != next && s.isShownBranch(k) {
			s.pending = append(s.pending, spineStep{pos: k, run: run, isBranch: true})
		}
	}
	if len(s.pending) > depth && !s.pending[len(s.pending)-1].isBranch {
		s.pending = s.pending[:depth]
	}
	return len(s.pending) > depth
}

// nextInLane returns the child that continues p's lane: the one with the leaf in its
// subtree, else the newest that is not only bookkeeping. A thread of an agent or
// another session is a branch even if there is no other child.
func (s *spine) nextInLane(p Pos) Pos {
	return s.mainChild(p, s.onLeafPath, s.stats, s.isHiddenSubtree)
}

// isHiddenSubtree reports whether the subtree at p is archived and hidden. It is
// visible if it has the leaf or the viewed or selected entry.
func (s *spine) isHiddenSubtree(p Pos) bool {
	return s.view.Filter != FilterAll && s.isArchived(p) && !s.onLeafPath.isMarked(p) && !s.onViewedPath.isMarked(p) && !s.onSelectedPath.isMarked(p)
}

// isShownBranch reports whether the subtree at p is shown as a branch.
func (s *spine) isShownBranch(p Pos) bool {
	return s.stats.conversational[p] && !s.isHiddenSubtree(p) && (s.holdsVisible == nil || s.holdsVisible[p])
}

// addBranchRow adds the branch row of a branch and, if it is open, queues its rows.
func (s *spine) addBranchRow(head Pos, run int32) {
	title := s.titleEntry(head)
	preset := s.view.DefaultOpen || s.onViewedPath.isMarked(head) || s.onSelectedPath.isMarked(head)
	open := preset
	if set, ok := s.view.Open[s.entries[title].ID]; ok { // by the id of the visible row
		open = set
	}
	if set, ok := s.view.Open[s.entries[head].ID]; ok {
		open = set
	}
	stub := Row{Kind: RowBranch, Pos: head, Title: title, Lane: min(s.runs[run].lane+1, maxLane), Count: s.stats.sizeBelow(head),
		DefaultOpen: preset, LeafOnly: s.isLeafOnly(head, title), OnPath: s.onViewedPath.isMarked(head), First: true}
	stub.Open = (open || s.view.OpenAll) && !stub.LeafOnly
	stub.Hit = s.queryHits.hasHitBelow(head)
	if stub.Open {
		stub.Hit = s.queryHits.isHit(title)
	}
	s.addRow(stub, run, false)
	if stub.Open {
		s.runs = append(s.runs, laneRun{branchRow: int32(s.outline.Rows.Len() - 1), lane: stub.Lane, title: title})
		s.pending = append(s.pending, spineStep{pos: head, run: int32(len(s.runs) - 1)})
	}
}

// isLeafOnly reports whether no row would follow the branch row.
func (s *spine) isLeafOnly(head, title Pos) bool {
	for p := head; p != NoPos; {
		if p != title && s.hasOwnRow(p) || s.showsCallRows() && s.hasOpenCall(s.At(p)) {
			return false
		}
		next := s.nextInLane(p)
		for _, k := range s.childIndex.childrenAt(p) {
			if k != next && (s.isShownBranch(k) || !s.stats.conversational[k] && !s.isHiddenSubtree(k) && s.hasBookkeepingRow(k)) {
				return false
			}
		}
		p = next
	}
	return true
}

// addRow appends a row to a run.
func (s *spine) addRow(r Row, run int32, aside bool) {
	s.runs[run].rows++
	r.PosInRun = s.runs[run].rows
	r.ParentRow, r.OffChain, r.run = s.runs[run].branchRow, aside, run
	s.outline.Rows.pushRow(r)
}

// finishRows sets what depends on all rows.
func (s *spine) finishRows() {
	s.countRuns()
	s.drawLanesFrom(0)
}

// drawLanesFrom draws the lanes of the rows from index first on, and saves a resume
// point.
func (s *spine) drawLanesFrom(first int) *laneState {
	l := newLanes(&s.outline.Rows, first)
	at := max(s.saveResumePoint(), first)
	l.drawLanes(&s.outline.Rows, at, s.outline.Rows.Len())
	if r := s.outline.resumeState; r != nil {
		r.below, r.path = l.below[0], l.path[0]
	}
	l.drawLanes(&s.outline.Rows, first, at)
	return l
}

// countRuns stores how many rows each run has.
func (s *spine) countRuns() {
	s.outline.runSizes = make([]int32, len(s.runs))
	for i := range s.runs {
		s.outline.runSizes[i] = s.runs[i].rows
	}
}

// countVisible returns how many entries pass the filter, in open and closed branches.
func (s *spine) countVisible() int {
	n := 0
	for p := range s.entries {
		if s.archivedEntries == nil || !s.archivedEntries[p] {
			n += s.countShown(Pos(p))
		}
	}
	return n
}
