package claude

import "slices"

// threader assigns the entries of one session after the other to threads.
type threader struct {
	*threadGraph
	subtreeStats
	visited         []bool
	segments        []segment
	segmentOf       []int32            // by node in a thread: its segment + 1
	inlinedBy       []rungID           // by node that was inlined at a fork: the rung that inlined it
	branchNames     map[string]bool    // names of branches in use
	decided         map[int32]decision // by fork
	compactionHeads map[int32]bool     // entries that compactions continue
}

// decision is the ladder's decision at a fork.
type decision struct {
	rungResult
	rung rungID
	fork forkDecision
}

func newThreader(a *threadGraph) *threader {
	n := len(a.nodes)
	return &threader{threadGraph: a, subtreeStats: a.measureSubtrees(), visited: make([]bool, n), segmentOf: make([]int32, n), inlinedBy: make([]rungID, n),
		branchNames: map[string]bool{}, decided: map[int32]decision{}, compactionHeads: map[int32]bool{}}
}

// segmentStart is the first entry of a segment and the name of its thread.
type segmentStart struct {
	at   int32
	name string
}

// threadSession threads the roots of a session by time. members are the session's nodes.
func (w *threader) threadSession(members []int32) {
	var roots []int32
	for _, p := range members {
		if up := w.parent[p]; up == noNode || !w.sameSession(p, up) {
			roots = append(roots, p)
		}
	}
	w.sortByStamp(roots)
	for _, r := range roots {
		w.threadRoot(segmentStart{r, w.threadForRoot(r)})
	}
}

// threadForRoot returns the name of the thread that a root begins or continues. A compaction
// continues the thread of the conversation before it.
func (w *threader) threadForRoot(root int32) string {
	n := w.nodes[root]
	if n.boundary && w.parent[root] == noNode {
		for _, id := range append([]string{n.logical}, n.keptIDs...) {
			p, ok := w.byID[id]
			if !ok || !w.sameSession(p, root) {
				continue
			}
			w.compactionHeads[p] = true // also if it is folded now: it may be moved to a branch later
			if w.segmentOf[p] != 0 {
				return w.segments[w.segmentOf[p]-1].name
			}
		}
	}
	return n.session
}

// threadRoot threads a root and all forks below it, breadth first.
func (w *threader) threadRoot(first segmentStart) {
	for queue := []segmentStart{first}; len(queue) > 0; queue = queue[1:] {
		queue = append(queue, w.startSegment(queue[0])...)
	}
}

// startSegment begins a segment and returns the starts of the segments after it.
func (w *threader) startSegment(from segmentStart) []segmentStart {
	if w.visited[from.at] {
		return nil
	}
	w.segments = append(w.segments, segment{name: from.name})
	return w.extendSegment(len(w.segments)-1, from.at)
}

// extendSegment appends entries to a segment, beginning with from. It returns the starts of the
// segments after it.
func (w *threader) extendSegment(seg int, from int32) (more []segmentStart) {
	s := &w.segments[seg]
	begun := len(s.nodes)
	for at := from; at != noNode && !w.visited[at]; {
		w.visited[at] = true
		s.nodes = append(s.nodes, at)
		children := w.sessionChildren(at)
		switch len(children) {
		case 0:
			at = noNode
		case 1:
			at = children[0]
		default:
			d := w.decideFork(at, children)
			w.decided[at] = d
			s.nodes = w.inlineNodes(s.nodes, d.inline, d.rung)
			w.foldSubtrees(d.folded, d.rung)
			if d.rungResult.isBranch {
				more = append(more, w.branchStarts(s.name, d.segmentStarts)...)
			} else {
				for _, k := range d.segmentStarts {
					more = append(more, segmentStart{k, s.name})
				}
			}
			at = d.next
		}
	}
	for _, p := range s.nodes[begun:] {
		w.segmentOf[p] = int32(seg) + 1
	}
	return more
}

// decideFork decides a fork with the first rung that applies.
func (w *threader) decideFork(at int32, children []int32) decision {
	structural, rest := w.splitStructural(children)
	if len(structural) > 0 && len(rest) <= 1 {
		d := decision{rungResult{inline: structural, next: noNode}, rungStructural, forkDecision{at, rungStructural, false, len(rest)}}
		if len(rest) == 1 {
			d.next = rest[0]
		}
		return d
	}
	for _, r := range ladder {
		if s, ok := r.try(w, forkChildren{at, rest}); ok {
			s.inline = append(structural, s.inline...)
			return decision{s, r.id, forkDecision{at, r.id, len(structural) > 0, len(rest)}}
		}
	}
	panic("the last rung takes every fork")
}

// inlineNodes appends entries to the thread and folds their subtrees.
func (w *threader) inlineNodes(ids, entries []int32, rung rungID) []int32 {
	for _, p := range entries {
		w.visited[p], w.inlinedBy[p] = true, rung
	}
	ids = append(ids, entries...)
	for _, p := range entries {
		w.foldSubtrees(w.sessionChildren(p), rung)
	}
	return ids
}

// foldSubtrees folds entries and their descendants in the session, except those in a thread.
func (w *threader) foldSubtrees(tops []int32, rung rungID) {
	todo := slices.Clone(tops)
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if w.visited[p] {
			continue // an anchor in the thread, whose own children were folded already
		}
		w.visited[p] = true
		w.foldedBy[p] = rung
		todo = append(todo, w.sessionChildren(p)...)
	}
}

// sessionChildren lists the children of an entry in its own session, by time.
func (w *threader) sessionChildren(p int32) []int32 {
	all := w.children[p]
	switch {
	case len(all) == 0:
		return nil
	case len(all) == 1 && w.sameSession(all[0], p):
		return all
	}
	var own []int32
	for _, k := range all {
		if w.sameSession(k, p) {
			own = append(own, k)
		}
	}
	w.sortByStamp(own)
	return own
}

// mergeByTime concatenates lists and sorts them by time.
func (w *threader) mergeByTime(lists ...[]int32) []int32 {
	all := slices.Concat(lists...)
	w.sortByStamp(all)
	return all
}

// branchStarts names the threads of the branches at a fork by the first characters of their first
// ids, and by more characters where names would not be unique.
func (w *threader) branchStarts(line string, firsts []int32) []segmentStart {
	starts := make([]segmentStart, len(firsts))
	for n := branchIDLength; ; n++ {
		met := map[string]bool{}
		short := false
		for i, p := range firsts {
			part, whole := cutRunes(w.nodes[p].id, n)
			name := line + "@" + part
			short = short || (met[name] || w.branchNames[name]) && !whole
			met[name] = true
			starts[i] = segmentStart{p, name}
		}
		if !short {
			for name := range met {
				w.branchNames[name] = true
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
