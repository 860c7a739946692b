package outline

import "sessiontree/internal/session"

// addEntryRows adds the rows of the entry at p: its own, and one for each of its tool
// calls without a result.
func (s *spine) addEntryRows(p session.Pos, run int32, aside bool) {
	row := Row{Pos: p, Title: p, Lane: s.runs[run].lane, OnPath: s.onViewedPath.Has(p), Hit: s.queryHits.isHit(p)}
	own := true
	switch {
	case p == s.tree.Leaf() && s.tree.At(p).HasFlag(session.FlagBranchMark):
		row.Kind = RowBranchMark
		s.addRow(row, run, aside)
	case !s.hasOwnRow(p):
		own = false
	case p == s.runs[run].title && s.runs[run].rows == 0:
		// The branch row shows it.
	default:
		s.addRow(row, run, aside)
	}
	if s.tree.Traits(p).HasAny(session.TraitCalls) && s.showsCallRows() {
		row.Kind, row.Hit = RowCall, row.Hit && !own
		s.addOpenCallRows(s.tree.At(p), row, run, aside)
	}
}

// subtreesWithVisible marks the entries whose subtree has a visible entry. It returns
// nil for filters that show every branch: only filters that select few entries hide the
// branches of others.
func (s *spine) subtreesWithVisible() []bool {
	if s.view.Filter == FilterDefault || s.view.Filter == FilterAll {
		return nil
	}
	own := make([]bool, s.tree.Len())
	for p := range own {
		own[p] = s.isVisible(session.Pos(p))
		if s.view.Filter == FilterFailed { // prompts alone are not worth a branch
			own[p] = own[p] && (s.tree.Traits(session.Pos(p)).HasAny(session.TraitFailed) || s.isSelectedHit(session.Pos(p)))
		}
	}
	holds := make([]bool, len(own))
	markAncestors(s.tree, own, holds)
	return holds
}

// showsCallRows reports whether tool calls without a result have rows.
func (s *spine) showsCallRows() bool {
	return s.view.Filter == FilterDefault || s.view.Filter == FilterAll || s.view.Filter == FilterFailed
}

// maxCallRows limits the number of calls of one answer with a row, because Row.Call is
// an int16.
const maxCallRows = 1<<15 - 1

func (s *spine) addOpenCallRows(e *session.Entry, row Row, run int32, aside bool) {
	for i := range min(len(e.Calls()), maxCallRows) {
		if s.hasCallRow(&e.Calls()[i]) {
			row.Call = int16(i)
			s.addRow(row, run, aside)
		}
	}
}

// passesView reports whether the entry at p passes the filter, or is a selected hit that
// the filter would hide. The calls of an answer have rows of their own.
func (s *spine) passesView(p session.Pos) bool {
	if s.view.Filter == FilterFailed && s.tree.Traits(p).HasAny(session.TraitOutcomes) && p != s.tree.Leaf() {
		return false
	}
	return passesFilter(s.tree, p, s.view.Filter) || s.isSelectedHit(p)
}

// isSelectedHit reports whether p is a hit that the reader has selected. The leaf does not
// count: it is selected by default.
func (s *spine) isSelectedHit(p session.Pos) bool {
	return p == s.view.Entry && p != s.tree.Leaf() && s.view.MatchesEntry != nil && s.view.MatchesEntry(p)
}

// hasOwnRow reports whether the entry at p has a row of its own under the filter.
func (s *spine) hasOwnRow(p session.Pos) bool {
	l := s.tree.Traits(p)
	if l.HasAny(session.TraitUsage) || !s.passesView(p) {
		return false
	}
	if s.view.Filter == FilterAll || s.view.Filter == FilterLabeledOnly || !l.HasAny(session.TraitWordless) {
		return true
	}
	return p == s.tree.Leaf() && !s.hasOpenCall(s.tree.At(p)) // a wordless answer has a row if it is the leaf
}

// hasCallRow reports whether a call has a row: it has no result, or under FilterFailed its
// line records that it failed.
func (s *spine) hasCallRow(c *session.ToolCall) bool {
	if s.view.Filter == FilterFailed && (c.Outcome == nil || !c.Outcome.Failed) {
		return false
	}
	return s.tree.FindToolResult(c.ID) == session.NoPos
}

// hasOpenCall reports whether a tool call of e has a row of its own.
func (s *spine) hasOpenCall(e *session.Entry) bool {
	for i := range e.Calls() {
		if s.hasCallRow(&e.Calls()[i]) {
			return true
		}
	}
	return false
}

// addBookkeepingRows adds the rows of bookkeeping branches next to next, which are not
// shown as branches. If the filter lists their lines, they follow their parent; else
// one row says how many there are, and they follow it when it is open.
func (s *spine) addBookkeepingRows(p, next session.Pos, run int32) {
	var folded [3][]session.Pos
	for _, k := range s.tree.Children(p) {
		if k == next || s.subtrees.IsConversation(k) {
			continue
		}
		for _, q := range subtreeEntries(s.tree, k) {
			if s.listsBookkeeping() {
				s.addEntryRows(q, run, true)
			} else if !s.tree.Traits(q).HasAny(session.TraitUsage | session.TraitMetadata) {
				sort := foldedGroupKind(s.tree.At(q))
				folded[sort] = append(folded[sort], q)
			}
		}
	}
	for _, lines := range folded {
		if len(lines) > 0 && s.foldsBookkeeping() {
			s.addFoldedGroup(p, lines, run)
		}
	}
}

// foldedGroupKind returns the group in which an entry is folded: settings, commands or
// artifacts.
func foldedGroupKind(e *session.Entry) int {
	switch {
	case e.HasFlag(session.FlagArtifact):
		return 2
	case e.HasFlag(session.FlagCommand):
		return 1
	}
	return 0
}

// addFoldedGroup adds the row of the lines folded under p and, if it is open, their
// rows. It is opened by the id of its first line, because that of p may open a branch.
func (s *spine) addFoldedGroup(p session.Pos, lines []session.Pos, run int32) {
	lane, first := s.runs[run].lane, lines[0]
	open := s.view.OpenAll || s.view.Open[s.tree.At(first).ID]
	s.addRow(Row{Kind: RowFoldedGroup, Pos: p, Title: first, Lane: lane, Count: int32(len(lines)), Open: open,
		Hit: s.addFoldedHits(lines, int32(s.outline.Rows.Len()+1), open)}, run, true)
	if !open {
		return
	}
	s.runs = append(s.runs, laneRun{branchRow: int32(s.outline.Rows.Len() - 1), lane: lane, title: session.NoPos})
	inside := int32(len(s.runs) - 1)
	for _, q := range lines {
		s.addRow(Row{Pos: q, Title: q, Lane: lane, OnPath: s.onViewedPath.Has(q), Hit: s.queryHits.isHit(q)}, inside, true)
	}
}

func (s *spine) listsBookkeeping() bool {
	return s.view.Filter == FilterAll || s.view.Filter == FilterLabeledOnly
}

func (s *spine) foldsBookkeeping() bool {
	return s.view.Filter == FilterDefault || s.view.Filter == FilterNoTools
}

// hasBookkeepingRow reports whether an entry of the bookkeeping branch at k has a row.
func (s *spine) hasBookkeepingRow(k session.Pos) bool {
	for _, q := range subtreeEntries(s.tree, k) {
		if s.listsBookkeeping() && s.hasOwnRow(q) || s.foldsBookkeeping() && !s.tree.Traits(q).HasAny(session.TraitUsage|session.TraitMetadata) {
			return true
		}
	}
	return false
}

// subtreeEntries returns the subtree at p depth first.
func subtreeEntries(t *session.Tree, p session.Pos) []session.Pos {
	var order []session.Pos
	stack := []session.Pos{p}
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		order = append(order, p)
		kids := t.Children(p)
		for i := len(kids) - 1; i >= 0; i-- {
			stack = append(stack, kids[i])
		}
	}
	return order
}

// markArchivedEntries marks the entries of archived branches; it returns nil if there
// are none.
func (s *spine) markArchivedEntries() []bool {
	if !s.tree.HasArchived() {
		return nil
	}
	gone := make([]bool, s.tree.Len())
	for _, p := range s.tree.Preorder(session.NoPos) {
		up := s.tree.Parent(p)
		gone[p] = s.isHiddenSubtree(p) || up != session.NoPos && gone[up]
	}
	return gone
}

// countVisible returns how many entries pass the filter, in open and closed branches.
func (s *spine) countVisible() int {
	n := 0
	for p := range s.tree.Len() {
		if s.archivedEntries == nil || !s.archivedEntries[p] {
			n += s.countShown(session.Pos(p))
		}
	}
	return n
}
