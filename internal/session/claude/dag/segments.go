package dag

import "slices"

// Decision is the ladder's decision at a fork.
type Decision struct {
	rungResult
	Rung             Rung
	AfterStructural  bool // rung 1 removed children before
	ChildrenToDecide int  // number of children after rung 1
}

// segmentStart is the first entry of a segment and the name of its thread.
type segmentStart struct {
	at   int32
	name string
}

// threadSession threads the roots of a session by time. members are the session's nodes.
func (ts *Threads) threadSession(members []int32) {
	var roots []int32
	for _, p := range members {
		if up := ts.Graph.Parent[p]; up == NoNode || !ts.Graph.sameSession(p, up) {
			roots = append(roots, p)
		}
	}
	ts.Graph.sortByStamp(roots)
	for _, r := range roots {
		ts.threadRoot(segmentStart{r, ts.threadForRoot(r)})
	}
}

// threadForRoot returns the name of the thread that a root begins or continues. A compaction
// continues the thread of the conversation before it.
func (ts *Threads) threadForRoot(root int32) string {
	n := ts.Graph.Nodes[root]
	if n.Boundary && ts.Graph.Parent[root] == NoNode {
		for _, id := range append([]string{n.Logical}, n.KeptIDs...) {
			p, ok := ts.Graph.byID[id]
			if !ok || !ts.Graph.sameSession(p, root) {
				continue
			}
			ts.compactionHeads[p] = true // also if it is folded now: it may be moved to a branch later
			if ts.segmentOf[p] != 0 {
				return ts.segments[ts.segmentOf[p]-1].name
			}
		}
	}
	return n.Session
}

// threadRoot threads a root and all forks below it, breadth first.
func (ts *Threads) threadRoot(first segmentStart) {
	for queue := []segmentStart{first}; len(queue) > 0; queue = queue[1:] {
		queue = append(queue, ts.startSegment(queue[0])...)
	}
}

// startSegment begins a segment and returns the starts of the segments after it.
func (ts *Threads) startSegment(from segmentStart) []segmentStart {
	if ts.visited[from.at] {
		return nil
	}
	ts.segments = append(ts.segments, segment{name: from.name})
	return ts.extendSegment(len(ts.segments)-1, from.at)
}

// extendSegment appends entries to a segment, beginning with from. It returns the starts of the
// segments after it.
func (ts *Threads) extendSegment(seg int, from int32) (more []segmentStart) {
	s := &ts.segments[seg]
	begun := len(s.nodes)
	for at := from; at != NoNode && !ts.visited[at]; {
		ts.visited[at] = true
		s.nodes = append(s.nodes, at)
		children := ts.sessionChildren(at)
		switch len(children) {
		case 0:
			at = NoNode
		case 1:
			at = children[0]
		default:
			d := ts.decideFork(at, children)
			ts.Decided[at] = d
			s.nodes = ts.inlineNodes(s.nodes, d.inline, d.Rung)
			ts.foldSubtrees(d.folded, d.Rung)
			if d.isBranch {
				more = append(more, ts.branchStarts(s.name, d.segmentStarts)...)
			} else {
				for _, k := range d.segmentStarts {
					more = append(more, segmentStart{k, s.name})
				}
			}
			at = d.next
		}
	}
	for _, p := range s.nodes[begun:] {
		ts.segmentOf[p] = int32(seg) + 1
	}
	return more
}

// decideFork decides a fork with the first rung that applies.
func (ts *Threads) decideFork(at int32, children []int32) Decision {
	structural, rest := ts.splitStructural(children)
	if len(structural) > 0 && len(rest) <= 1 {
		d := Decision{rungResult{inline: structural, next: NoNode}, rungStructural, false, len(rest)}
		if len(rest) == 1 {
			d.next = rest[0]
		}
		return d
	}
	for _, r := range ladder {
		if s, ok := r.try(ts, forkChildren{at, rest}); ok {
			s.inline = append(structural, s.inline...)
			return Decision{s, r.id, len(structural) > 0, len(rest)}
		}
	}
	panic("the last rung takes every fork")
}

// inlineNodes appends entries to the thread and folds their subtrees.
func (ts *Threads) inlineNodes(ids, entries []int32, rung Rung) []int32 {
	for _, p := range entries {
		ts.visited[p], ts.inlinedBy[p] = true, rung
	}
	ids = append(ids, entries...)
	for _, p := range entries {
		ts.foldSubtrees(ts.sessionChildren(p), rung)
	}
	return ids
}

// foldSubtrees folds entries and their descendants in the session, except those in a thread.
func (ts *Threads) foldSubtrees(tops []int32, rung Rung) {
	todo := slices.Clone(tops)
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if ts.visited[p] {
			continue // an anchor in the thread, whose own children were folded already
		}
		ts.visited[p] = true
		ts.FoldedBy[p] = rung
		todo = append(todo, ts.sessionChildren(p)...)
	}
}

// sessionChildren lists the children of an entry in its own session, by time.
func (ts *Threads) sessionChildren(p int32) []int32 {
	all := ts.Graph.Children[p]
	switch {
	case len(all) == 0:
		return nil
	case len(all) == 1 && ts.Graph.sameSession(all[0], p):
		return all
	}
	var own []int32
	for _, k := range all {
		if ts.Graph.sameSession(k, p) {
			own = append(own, k)
		}
	}
	ts.Graph.sortByStamp(own)
	return own
}

// mergeByTime concatenates lists and sorts them by time.
func (ts *Threads) mergeByTime(lists ...[]int32) []int32 {
	all := slices.Concat(lists...)
	ts.Graph.sortByStamp(all)
	return all
}

// branchStarts names the threads of the branches at a fork by the first characters of their first
// ids, and by more characters where names would not be unique.
func (ts *Threads) branchStarts(line string, firsts []int32) []segmentStart {
	starts := make([]segmentStart, len(firsts))
	for n := branchIDLength; ; n++ {
		met := map[string]bool{}
		short := false
		for i, p := range firsts {
			part, whole := cutRunes(ts.Graph.Nodes[p].ID, n)
			name := line + "@" + part
			short = short || (met[name] || ts.branchNames[name]) && !whole
			met[name] = true
			starts[i] = segmentStart{p, name}
		}
		if !short {
			for name := range met {
				ts.branchNames[name] = true
			}
			return starts
		}
	}
}

// cutRunes returns the first n characters of s. whole reports whether that is all of s.
func cutRunes(s string, n int) (part string, whole bool) {
	for i := range s {
		if n == 0 {
			return s[:i], false
		}
		n--
	}
	return s, true
}
