package claude

import "slices"

// decision is the ladder's decision at a fork.
type decision struct {
	rungResult
	rung rungID
	fork forkDecision
}

// segmentStart is the first entry of a segment and the name of its thread.
type segmentStart struct {
	at   int32
	name string
}

// threadSession threads the roots of a session by time. members are the session's nodes.
func (ts *threader) threadSession(members []int32) {
	var roots []int32
	for _, p := range members {
		if up := ts.graph.parent[p]; up == noNode || !ts.graph.sameSession(p, up) {
			roots = append(roots, p)
		}
	}
	ts.graph.sortByStamp(roots)
	for _, r := range roots {
		ts.threadRoot(segmentStart{r, ts.threadForRoot(r)})
	}
}

// threadForRoot returns the name of the thread that a root begins or continues. A compaction
// continues the thread of the conversation before it.
func (ts *threader) threadForRoot(root int32) string {
	n := ts.graph.nodes[root]
	if n.boundary && ts.graph.parent[root] == noNode {
		for _, id := range append([]string{n.logical}, n.keptIDs...) {
			p, ok := ts.graph.byID[id]
			if !ok || !ts.graph.sameSession(p, root) {
				continue
			}
			ts.compactionHeads[p] = true // also if it is folded now: it may be moved to a branch later
			if ts.segmentOf[p] != 0 {
				return ts.segments[ts.segmentOf[p]-1].name
			}
		}
	}
	return n.session
}

// threadRoot threads a root and all forks below it, breadth first.
func (ts *threader) threadRoot(first segmentStart) {
	for queue := []segmentStart{first}; len(queue) > 0; queue = queue[1:] {
		queue = append(queue, ts.startSegment(queue[0])...)
	}
}

// startSegment begins a segment and returns the starts of the segments after it.
func (ts *threader) startSegment(from segmentStart) []segmentStart {
	if ts.visited[from.at] {
		return nil
	}
	ts.segments = append(ts.segments, segment{name: from.name})
	return ts.extendSegment(len(ts.segments)-1, from.at)
}

// extendSegment appends entries to a segment, beginning with from. It returns the starts of the
// segments after it.
func (ts *threader) extendSegment(seg int, from int32) (more []segmentStart) {
	s := &ts.segments[seg]
	begun := len(s.nodes)
	for at := from; at != noNode && !ts.visited[at]; {
		ts.visited[at] = true
		s.nodes = append(s.nodes, at)
		children := ts.sessionChildren(at)
		switch len(children) {
		case 0:
			at = noNode
		case 1:
			at = children[0]
		default:
			d := ts.decideFork(at, children)
			ts.decided[at] = d
			s.nodes = ts.inlineNodes(s.nodes, d.inline, d.rung)
			ts.foldSubtrees(d.folded, d.rung)
			if d.rungResult.isBranch {
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
func (ts *threader) decideFork(at int32, children []int32) decision {
	structural, rest := ts.splitStructural(children)
	if len(structural) > 0 && len(rest) <= 1 {
		d := decision{rungResult{inline: structural, next: noNode}, rungStructural, forkDecision{at, rungStructural, false, len(rest)}}
		if len(rest) == 1 {
			d.next = rest[0]
		}
		return d
	}
	for _, r := range ladder {
		if s, ok := r.try(ts, forkChildren{at, rest}); ok {
			s.inline = append(structural, s.inline...)
			return decision{s, r.id, forkDecision{at, r.id, len(structural) > 0, len(rest)}}
		}
	}
	panic("the last rung takes every fork")
}

// inlineNodes appends entries to the thread and folds their subtrees.
func (ts *threader) inlineNodes(ids, entries []int32, rung rungID) []int32 {
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
func (ts *threader) foldSubtrees(tops []int32, rung rungID) {
	todo := slices.Clone(tops)
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if ts.visited[p] {
			continue // an anchor in the thread, whose own children were folded already
		}
		ts.visited[p] = true
		ts.foldedBy[p] = rung
		todo = append(todo, ts.sessionChildren(p)...)
	}
}

// sessionChildren lists the children of an entry in its own session, by time.
func (ts *threader) sessionChildren(p int32) []int32 {
	all := ts.graph.children[p]
	switch {
	case len(all) == 0:
		return nil
	case len(all) == 1 && ts.graph.sameSession(all[0], p):
		return all
	}
	var own []int32
	for _, k := range all {
		if ts.graph.sameSession(k, p) {
			own = append(own, k)
		}
	}
	ts.graph.sortByStamp(own)
	return own
}

// mergeByTime concatenates lists and sorts them by time.
func (ts *threader) mergeByTime(lists ...[]int32) []int32 {
	all := slices.Concat(lists...)
	ts.graph.sortByStamp(all)
	return all
}

// branchStarts names the threads of the branches at a fork by the first characters of their first
// ids, and by more characters where names would not be unique.
func (ts *threader) branchStarts(line string, firsts []int32) []segmentStart {
	starts := make([]segmentStart, len(firsts))
	for n := branchIDLength; ; n++ {
		met := map[string]bool{}
		short := false
		for i, p := range firsts {
			part, whole := cutRunes(ts.graph.nodes[p].id, n)
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
