package session

// spine builds the rows of the spine layout. Lane 0 is the path to the session's
// leaf. Every other branch is a stub under the entry it leaves, followed by its
// rows one lane further in when it is open. What is viewed colours lanes and
// opens the branches on its path; it never moves a row.
type spine struct {
	*Tree
	view  View
	o     *Outline
	facts *facts
	match *hits
	gone  []bool // archived and out of sight; nil when nothing is
	holds []bool // the subtree holds a visible entry; nil when a branch is shown without one
	leafy marks  // on the path to the session's leaf
	path  marks  // on the viewed path
	near  marks  // on the path to the selected entry
	runs  []laneRun
	todo  []spineStep
	last  checkpoints
}

// laneRun is the rows of one lane under one stub.
type laneRun struct {
	stub  int32 // index of its row, -1 at the top
	lane  int16
	rows  int32
	title Pos // shown by the stub; no row of its own when it would be the first
}

// spineStep is a chain to go down, or a branch to make a stub for.
type spineStep struct {
	pos  Pos
	run  int32
	stub bool
}

func (t *Tree) spineOutline(v View, o *Outline) {
	s := &spine{Tree: t, view: v, o: o, facts: t.subtrees(),
		leafy: t.leafPath(), path: t.onPath(v.Leaf), near: t.onPath(v.Entry),
		runs: []laneRun{{stub: -1, title: NoPos}}}
	s.gone = s.outOfSight()
	s.holds = s.holding()
	s.match = s.hits()
	o.Branches, o.Agents, o.Visible = t.countBranches(), t.Agents(), s.countVisible()
	for _, root := range s.spines() {
		s.root(root)
	}
	s.finish()
	t.mark(v, o)
	if s.match != nil {
		o.Found = t.find(s.match.own, v, o)
	}
}

// spines lists the roots, the one holding the leaf first; or the entry alone that
// the view begins with.
func (s *spine) spines() []Pos {
	if root := s.viewRoot(); root != NoPos {
		return []Pos{root}
	}
	order := make([]Pos, 0, len(s.roots))
	for _, r := range s.roots {
		if s.leafy.at(r) {
			order = append(order, r)
		}
	}
	for _, r := range s.roots {
		if !s.leafy.at(r) && !s.hides(r) {
			order = append(order, r)
		}
	}
	return order
}

// viewRoot is the entry that the view begins with, NoPos when it shows all roots.
func (s *spine) viewRoot() Pos {
	if s.view.Root == "" {
		return NoPos
	}
	return s.Find(s.view.Root)
}

// root makes the rows of one root.
func (s *spine) root(root Pos) {
	first := s.o.Rows.Len()
	s.todo = append(s.todo, spineStep{pos: root})
	s.steps()
	if first < s.o.Rows.Len() {
		r := s.o.Rows.At(first)
		r.Rule, r.First, r.fresh = first > 0, true, true
	}
}

// steps makes the rows of all that is to be done.
func (s *spine) steps() {
	for len(s.todo) > 0 {
		step := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		if step.stub {
			s.branch(step.pos, step.run)
		} else {
			s.chain(step.pos, step.run)
		}
	}
}

// chain makes the rows from p down to the next fork and leaves the branches
// there, and what goes on after them, to be done.
func (s *spine) chain(p Pos, run int32) {
	for p != NoPos {
		s.noteCheckpoint(p, run)
		if s.entries[p].Begins() && (s.runs[run].rows > 0 || s.runs[run].stub < 0) {
			s.add(Row{Kind: RowHead, Pos: p, Title: p, Lane: s.runs[run].lane, OnPath: s.path.at(p)}, run, false)
		}
		s.entry(p, run, false)
		next := s.onward(p)
		kids := s.kids.of(p)
		if len(kids) > 1 || len(kids) == 1 && next == NoPos && (s.entries[kids[0]].Begins() || s.looks[kids[0]].is(looksMetadata)) {
			s.quiet(p, next, run)
			if s.fork(kids, next, run) {
				return
			}
		}
		p = next
	}
}

// fork leaves the branches beside next to be done, oldest first, then next. It
// answers false when there are none.
func (s *spine) fork(kids []Pos, next Pos, run int32) bool {
	depth := len(s.todo)
	if next != NoPos {
		s.todo = append(s.todo, spineStep{pos: next, run: run})
	}
	for i := len(kids) - 1; i >= 0; i-- {
		if k := kids[i]; k != next && s.branches(k) {
			s.todo = append(s.todo, spineStep{pos: k, run: run, stub: true})
		}
	}
	if len(s.todo) > depth && !s.todo[len(s.todo)-1].stub {
		s.todo = s.todo[:depth]
	}
	return len(s.todo) > depth
}

// onward is the child in which p's lane goes on: the one holding the leaf, else
// the newest that is not only bookkeeping. A line of an agent or of another
// session is a branch even where nothing else goes on.
func (s *spine) onward(p Pos) Pos { return s.next(p, s.hides) }

func (s *spine) next(p Pos, hides func(Pos) bool) Pos {
	kids := s.kids.of(p)
	last, talk := NoPos, NoPos
	for _, k := range kids {
		if s.leafy.at(k) {
			return k
		}
		if !hides(k) && !s.entries[k].Begins() && !s.looks[k].is(looksMetadata) {
			last = k
			if s.facts.talk[k] {
				talk = k
			}
		}
	}
	if talk != NoPos {
		return talk
	}
	return last
}

// hides reports whether the subtree at p is archived and out of sight: it is
// shown all the same when it holds the leaf, or what the reader looks at.
func (s *spine) hides(p Pos) bool { return s.view.Filter != FilterAll && s.shelved(p) }

// shelved is hides whatever the filter.
func (s *spine) shelved(p Pos) bool {
	return s.archived(p) && !s.leafy.at(p) && !s.path.at(p) && !s.near.at(p)
}

// branches reports whether the subtree at p is shown as a branch beside another.
func (s *spine) branches(p Pos) bool {
	return s.facts.talk[p] && !s.hides(p) && (s.holds == nil || s.holds[p])
}

// branch makes the stub of a branch and, when it is open, leaves its rows to be
// done.
func (s *spine) branch(head Pos, run int32) {
	title := s.title(head)
	preset := s.view.Unfolded || s.path.at(head) || s.near.at(head)
	open := preset
	if set, ok := s.view.Open[s.entries[title].ID]; ok { // by the id of the row one sees
		open = set
	}
	if set, ok := s.view.Open[s.entries[head].ID]; ok {
		open = set
	}
	stub := Row{Kind: RowStub, Pos: head, Title: title, Lane: min(s.runs[run].lane+1, maxLane), Count: s.facts.sizeOf(head),
		Preset: preset, Alone: s.alone(head, title), OnPath: s.path.at(head), First: true}
	stub.Open = (open || s.view.OpenAll) && !stub.Alone
	stub.Hit = s.match.in(head)
	if stub.Open {
		stub.Hit = s.match.at(title)
	}
	s.add(stub, run, false)
	if stub.Open {
		s.runs = append(s.runs, laneRun{stub: int32(s.o.Rows.Len() - 1), lane: stub.Lane, title: title})
		s.todo = append(s.todo, spineStep{pos: head, run: int32(len(s.runs) - 1)})
	}
}

// title is the entry whose text a stub shows: the first prompt or worded answer
// of the branch, so that a row inside never says what the stub said; else the
// first entry that is no setting. No filter changes it.
func (s *spine) title(head Pos) Pos {
	first := NoPos
	for p := head; p != NoPos; p = s.next(p, s.shelved) {
		l := s.looks[p]
		if s.entries[p].Kind == KindUser || s.entries[p].Kind == KindAssistant && !l.is(looksWordless) {
			return p
		}
		if first == NoPos && !l.is(looksWordless|looksSetting|looksUsage) {
			first = p
		}
	}
	if first != NoPos {
		return first
	}
	return head
}

// alone reports whether no row would follow the stub of a branch.
func (s *spine) alone(head, title Pos) bool {
	for p := head; p != NoPos; {
		if p != title && s.shows(p) || s.callRows() && s.waits(s.At(p)) {
			return false
		}
		next := s.onward(p)
		for _, k := range s.kids.of(p) {
			if k != next && (s.branches(k) || !s.facts.talk[k] && !s.hides(k) && s.quietRow(k)) {
				return false
			}
		}
		p = next
	}
	return true
}

// add appends a row that has the level of run.
func (s *spine) add(r Row, run int32, aside bool) {
	s.runs[run].rows++
	r.Nth = s.runs[run].rows
	r.Up, r.Aside, r.run = s.runs[run].stub, aside, run
	s.o.Rows.add(r)
}

// finish sets what is known only when all rows are there.
func (s *spine) finish() {
	s.countRuns()
	s.drawFrom(0)
}

// drawFrom draws the lanes of the rows from index first on, and keeps a checkpoint.
func (s *spine) drawFrom(first int) *lanes {
	l := newLanes(&s.o.Rows, first)
	at := max(s.keepCheckpoint(), first)
	l.draw(&s.o.Rows, at, s.o.Rows.Len())
	if r := s.o.resume; r != nil {
		r.below, r.path = l.below[0], l.path[0]
	}
	l.draw(&s.o.Rows, first, at)
	return l
}

// countRuns notes how many rows each run has.
func (s *spine) countRuns() {
	s.o.runs = make([]int32, len(s.runs))
	for i := range s.runs {
		s.o.runs[i] = s.runs[i].rows
	}
}

// countVisible counts the entries that pass the filter, in open and closed
// branches.
func (s *spine) countVisible() int {
	n := 0
	for p := range s.entries {
		if s.gone == nil || !s.gone[p] {
			n += s.countShown(Pos(p))
		}
	}
	return n
}

// outOfSight marks the entries of archived branches; nil when there are none.
func (s *spine) outOfSight() []bool {
	if len(s.hidden) == 0 {
		return nil
	}
	gone := make([]bool, len(s.entries))
	for _, p := range s.preorder(NoPos) {
		up := s.parent[p]
		gone[p] = s.hides(p) || up != NoPos && gone[up]
	}
	return gone
}

// countBranches counts the branches beside the spines' own paths, and the
// further roots. What agents did is counted by Agents.
func (t *Tree) countBranches() int {
	if known := t.branches.Load(); known != nil {
		return *known
	}
	n := t.countFans()
	t.branches.Store(&n)
	return n
}

func (t *Tree) countFans() int {
	f, n := t.subtrees(), 0
	leafy, ofAgent := t.leafPath(), t.ofAgents()
	count := func(group []Pos) {
		own := 1 // a group of branches goes on in one of them
		for _, k := range group {
			if f.talk[k] && !t.archived(k) && !ofAgent.at(k) {
				n++
			} else if leafy.at(k) {
				own = 0
			}
		}
		n -= own
	}
	for _, fan := range t.kids.fans {
		before := n
		count(fan)
		n = max(n, before)
	}
	if len(t.roots) > 1 {
		before := n
		count(t.roots)
		n = max(n, before)
	}
	return n
}
