package outline

import "sessiontree/internal/session"

// spine builds the rows of the spine layout. Lane 0 is the path to the session's leaf.
// Every other branch is a branch row below the entry it leaves, followed by its own
// rows one lane further right if it is open. The view colors lanes and opens the
// branches on its path; it never moves a row.
type spine struct {
	tree            *session.Tree
	view            View
	outline         *Outline
	subtrees        *session.Subtrees
	queryHits       *queryHits
	archivedEntries []bool        // archived and hidden; nil if there are none
	holdsVisible    []bool        // the subtree has a visible entry; nil if branches are shown without one
	onLeafPath      session.Marks // path to the session's leaf
	onViewedPath    session.Marks // path to the viewed leaf
	onSelectedPath  session.Marks // path to the selected entry
	runs            []laneRun
	pending         []spineStep
	resumePoints    resumePointRing
}

// laneRun is the rows of one lane below one branch row.
type laneRun struct {
	branchRow int32 // index of its branch row, or -1 for the top
	lane      int16
	rows      int32
	title     session.Pos // entry that the branch row displays; it has no row if it would be the first one
}

// spineStep is a chain whose rows are to be added, or a branch.
type spineStep struct {
	pos      session.Pos
	run      int32
	isBranch bool
}

func buildSpineOutline(t *session.Tree, v View, o *Outline) {
	s := &spine{tree: t, view: v, outline: o, subtrees: t.Subtrees(),
		onLeafPath: t.LeafPath(), onViewedPath: t.MarkPath(v.Leaf), onSelectedPath: t.MarkPath(v.Entry),
		runs: []laneRun{{branchRow: -1, title: session.NoPos}}}
	s.archivedEntries = s.markArchivedEntries()
	s.holdsVisible = s.subtreesWithVisible()
	s.queryHits = s.findQueryHits()
	o.Branches, o.Agents, o.Visible = s.subtrees.BranchCount(), s.subtrees.AgentCount(), s.countVisible()
	for _, root := range s.orderedRoots() {
		s.addRootRows(root)
	}
	s.finishRows()
	markLeafAndCursor(t, v, o)
	if s.queryHits != nil {
		o.Found = listFound(t, s.queryHits.own, s.queryHits.foldedIn, v, o)
	}
}

// orderedRoots returns the roots, the one with the leaf first, or only the view's root.
func (s *spine) orderedRoots() []session.Pos {
	if root := s.viewRoot(); root != session.NoPos {
		return []session.Pos{root}
	}
	order := make([]session.Pos, 0, len(s.tree.Roots()))
	for _, r := range s.tree.Roots() {
		if s.onLeafPath.Has(r) {
			order = append(order, r)
		}
	}
	for _, r := range s.tree.Roots() {
		if !s.onLeafPath.Has(r) && !s.isHiddenSubtree(r) {
			order = append(order, r)
		}
	}
	return order
}

// viewRoot returns the entry that the view starts with, NoPos for all roots.
func (s *spine) viewRoot() session.Pos {
	if s.view.Root == "" {
		return session.NoPos
	}
	return s.tree.FindID(s.view.Root)
}

// addRootRows adds the rows of one root.
func (s *spine) addRootRows(root session.Pos) {
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
func (s *spine) addChain(p session.Pos, run int32) {
	for p != session.NoPos {
		s.recordResumePoint(p, run)
		if s.tree.At(p).StartsThread() && (s.runs[run].rows > 0 || s.runs[run].branchRow < 0) {
			s.addRow(Row{Kind: RowSessionHeader, Pos: p, Title: p, Lane: s.runs[run].lane, OnPath: s.onViewedPath.Has(p)}, run, false)
		}
		s.addEntryRows(p, run, false)
		next := s.nextInLane(p)
		kids := s.tree.Children(p)
		if len(kids) > 1 || len(kids) == 1 && next == session.NoPos && (s.tree.At(kids[0]).StartsThread() || s.tree.Traits(kids[0]).HasAny(session.TraitMetadata)) {
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
func (s *spine) queueBranches(kids []session.Pos, next session.Pos, run int32) bool {
	depth := len(s.pending)
	if next != session.NoPos {
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
func (s *spine) nextInLane(p session.Pos) session.Pos {
	return s.subtrees.MainChild(p, s.isHiddenSubtree)
}

// isHiddenSubtree reports whether the subtree at p is archived and hidden. It is
// visible if it has the leaf or the viewed or selected entry.
func (s *spine) isHiddenSubtree(p session.Pos) bool {
	return s.view.Filter != FilterAll && s.tree.IsArchived(p) && !s.onLeafPath.Has(p) && !s.onViewedPath.Has(p) && !s.onSelectedPath.Has(p)
}

// isShownBranch reports whether the subtree at p is shown as a branch.
func (s *spine) isShownBranch(p session.Pos) bool {
	return s.subtrees.IsConversation(p) && !s.isHiddenSubtree(p) && (s.holdsVisible == nil || s.holdsVisible[p])
}

// addBranchRow adds the branch row of a branch and, if it is open, queues its rows.
func (s *spine) addBranchRow(head session.Pos, run int32) {
	title := s.tree.TitleEntry(head)
	preset := s.view.DefaultOpen || s.onViewedPath.Has(head) || s.onSelectedPath.Has(head)
	open := preset
	if set, ok := s.view.Open[s.tree.At(title).ID]; ok { // by the id of the visible row
		open = set
	}
	if set, ok := s.view.Open[s.tree.At(head).ID]; ok {
		open = set
	}
	row := Row{Kind: RowBranch, Pos: head, Title: title, Lane: min(s.runs[run].lane+1, maxLane), Count: int32(s.subtrees.Size(head)),
		OnPath: s.onViewedPath.Has(head), SpineRow: SpineRow{DefaultOpen: preset, LeafOnly: s.isLeafOnly(head, title), First: true}}
	row.Open = (open || s.view.OpenAll) && !row.LeafOnly
	row.Hit = s.queryHits.hasHitBelow(head)
	if row.Open {
		row.Hit = s.queryHits.isHit(title)
	}
	s.addRow(row, run, false)
	if row.Open {
		s.runs = append(s.runs, laneRun{branchRow: int32(s.outline.Rows.Len() - 1), lane: row.Lane, title: title})
		s.pending = append(s.pending, spineStep{pos: head, run: int32(len(s.runs) - 1)})
	}
}

// isLeafOnly reports whether no row would follow the branch row.
func (s *spine) isLeafOnly(head, title session.Pos) bool {
	for p := head; p != session.NoPos; {
		if p != title && s.hasOwnRow(p) || s.showsCallRows() && s.hasOpenCall(s.tree.At(p)) {
			return false
		}
		next := s.nextInLane(p)
		for _, k := range s.tree.Children(p) {
			if k != next && (s.isShownBranch(k) || !s.subtrees.IsConversation(k) && !s.isHiddenSubtree(k) && s.hasBookkeepingRow(k)) {
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
