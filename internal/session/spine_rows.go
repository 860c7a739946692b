package session

// entry makes the rows of the entry at p: its own, and one for each of its tool
// calls that has no result.
func (s *spine) entry(p Pos, run int32, aside bool) {
	row := Row{Pos: p, Title: p, Lane: s.runs[run].lane, OnPath: s.path.at(p), Hit: s.match.at(p)}
	own := true
	switch {
	case p == s.leaf && s.entries[p].Has(FlagBranchMark):
		row.Kind = RowMark
		s.add(row, run, aside)
	case !s.shows(p):
		own = false
	case p == s.runs[run].title && s.runs[run].rows == 0:
		// The stub shows it.
	default:
		s.add(row, run, aside)
	}
	if s.looks[p].is(looksCalling) && s.callRows() {
		row.Kind, row.Hit = RowCall, row.Hit && !own
		s.openCalls(s.At(p), row, run, aside)
	}
}

// holding marks the entries at or below which something is visible. It is nil
// where branches are shown without: only filters that pick a few entries leave out
// the others' branches.
func (s *spine) holding() []bool {
	if s.view.Filter == FilterDefault || s.view.Filter == FilterAll {
		return nil
	}
	own := make([]bool, len(s.entries))
	for p := range own {
		own[p] = s.visible(Pos(p))
	}
	holds := make([]bool, len(own))
	s.markUp(own, holds)
	return holds
}

// callRows reports whether tool calls without a result have rows.
func (s *spine) callRows() bool {
	return s.view.Filter == FilterDefault || s.view.Filter == FilterAll
}

// maxCalls bounds the calls of one answer that get a row; a Row counts no
// further.
const maxCalls = 1<<15 - 1

func (s *spine) openCalls(e *Entry, row Row, run int32, aside bool) {
	for i := range min(len(e.Calls), maxCalls) {
		if s.Answer(e.Calls[i].ID) == NoPos {
			row.Call = int16(i)
			s.add(row, run, aside)
		}
	}
}

// shows reports whether the entry at p has a row of its own under the filter.
func (s *spine) shows(p Pos) bool {
	l := s.looks[p]
	if l.is(looksUsage) || !s.passes(p, s.view.Filter) {
		return false
	}
	if s.view.Filter == FilterAll || s.view.Filter == FilterLabeledOnly || !l.is(looksWordless) {
		return true
	}
	return p == s.leaf && !s.waits(s.At(p)) // an answer without words is shown where the agent stands
}

// waits reports whether a tool call of e has no result, and so a row.
func (s *spine) waits(e *Entry) bool {
	for i := range e.Calls {
		if s.Answer(e.Calls[i].ID) == NoPos {
			return true
		}
	}
	return false
}

// quiet deals with the bookkeeping branches beside next: they are no branches
// to a reader. Where a filter asks for their lines these stand under their
// parent, else one row says how many there are, and they stand under that when it
// is opened.
func (s *spine) quiet(p, next Pos, run int32) {
	var folded [3][]Pos
	for _, k := range s.kids.of(p) {
		if k == next || s.facts.talk[k] {
			continue
		}
		for _, q := range s.below(k) {
			if s.listsQuiet() {
				s.entry(q, run, true)
			} else if !s.looks[q].is(looksUsage | looksMetadata) {
				sort := s.entries[q].quietSort()
				folded[sort] = append(folded[sort], q)
			}
		}
	}
	for _, lines := range folded {
		if len(lines) > 0 && s.foldsQuiet() {
			s.fold(p, lines, run)
		}
	}
}

// quietSort groups what is folded: settings, commands, artifacts.
func (e *Entry) quietSort() int {
	switch {
	case e.Has(FlagArtifact):
		return 2
	case e.Has(FlagCommand):
		return 1
	}
	return 0
}

// fold makes the row of the lines folded under p and, when it is open, theirs. It
// is opened by the id of its first line: that of p may open a branch.
func (s *spine) fold(p Pos, lines []Pos, run int32) {
	lane, first := s.runs[run].lane, lines[0]
	open := s.view.OpenAll || s.view.Open[s.entries[first].ID]
	s.add(Row{Kind: RowFold, Pos: p, Title: first, Lane: lane, Count: int32(len(lines)), Open: open}, run, true)
	if !open {
		return
	}
	s.runs = append(s.runs, laneRun{stub: int32(s.o.Rows.Len() - 1), lane: lane, title: NoPos})
	inside := int32(len(s.runs) - 1)
	for _, q := range lines {
		s.add(Row{Pos: q, Title: q, Lane: lane, OnPath: s.path.at(q)}, inside, true)
	}
}

func (s *spine) listsQuiet() bool {
	return s.view.Filter == FilterAll || s.view.Filter == FilterLabeledOnly
}

func (s *spine) foldsQuiet() bool {
	return s.view.Filter == FilterDefault || s.view.Filter == FilterNoTools
}

// quietRow reports whether something of the bookkeeping branch at k has a row.
func (s *spine) quietRow(k Pos) bool {
	for _, q := range s.below(k) {
		if s.listsQuiet() && s.shows(q) || s.foldsQuiet() && !s.looks[q].is(looksUsage|looksMetadata) {
			return true
		}
	}
	return false
}

// below lists the subtree at p depth first.
func (t *Tree) below(p Pos) []Pos {
	var order []Pos
	stack := []Pos{p}
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		order = append(order, p)
		kids := t.kids.of(p)
		for i := len(kids) - 1; i >= 0; i-- {
			stack = append(stack, kids[i])
		}
	}
	return order
}
