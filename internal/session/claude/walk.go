package claude

import "slices"

// walker lays the entries of one session after the other onto lines.
type walker struct {
	*arrangement
	below
	seen     []bool
	segments []segment
	segOf    []int32            // by node on a line: its segment + 1
	side     []rungID           // by node that was put onto a line beside its way on: by which rung
	taken    map[string]bool    // names of branches
	decided  map[int32]decision // by fork
	heads    map[int32]bool     // entries that compactions go on from
}

// decision is what the ladder made of a fork.
type decision struct {
	step
	rung rungID
	fork fork
}

func newWalker(a *arrangement) *walker {
	n := len(a.nodes)
	return &walker{arrangement: a, below: a.measure(), seen: make([]bool, n), segOf: make([]int32, n), side: make([]rungID, n),
		taken: map[string]bool{}, decided: map[int32]decision{}, heads: map[int32]bool{}}
}

// start is where a segment begins.
type start struct {
	at   int32
	name string
}

// session walks the roots of a session by time. Members are its nodes.
func (w *walker) session(members []int32) {
	var roots []int32
	for _, p := range members {
		if up := w.parent[p]; up == none || !w.sameSession(p, up) {
			roots = append(roots, p)
		}
	}
	w.byStamp(roots)
	for _, r := range roots {
		w.walk(start{r, w.lineFor(r)})
	}
}

// lineFor is the line that a root begins or goes on with. A compaction goes on
// where the conversation stood before it.
func (w *walker) lineFor(root int32) string {
	n := w.nodes[root]
	if n.boundary && w.parent[root] == none {
		for _, id := range append([]string{n.logical}, n.kept...) {
			p, ok := w.byID[id]
			if !ok || !w.sameSession(p, root) {
				continue
			}
			w.heads[p] = true // also when it is folded: it may come onto a branch
			if w.segOf[p] != 0 {
				return w.segments[w.segOf[p]-1].name
			}
		}
	}
	return n.session
}

// walk follows one root, and what forks below it, breadth first.
func (w *walker) walk(first start) {
	for queue := []start{first}; len(queue) > 0; queue = queue[1:] {
		queue = append(queue, w.segment(queue[0])...)
	}
}

// segment lays one stretch down and answers where others begin.
func (w *walker) segment(from start) []start {
	if w.seen[from.at] {
		return nil
	}
	w.segments = append(w.segments, segment{name: from.name})
	return w.lay(len(w.segments)-1, from.at)
}

// lay goes on with a segment from an entry.
func (w *walker) lay(seg int, from int32) (more []start) {
	s := &w.segments[seg]
	begun := len(s.ids)
	for at := from; at != none && !w.seen[at]; {
		w.seen[at] = true
		s.ids = append(s.ids, at)
		children := w.own(at)
		switch len(children) {
		case 0:
			at = none
		case 1:
			at = children[0]
		default:
			d := w.decide(at, children)
			w.decided[at] = d
			s.ids = w.stitch(s.ids, d.stitch, d.rung)
			w.fold(d.drop, d.rung)
			if d.step.fork {
				more = append(more, w.branches(s.name, d.queue)...)
			} else {
				for _, k := range d.queue {
					more = append(more, start{k, s.name})
				}
			}
			at = d.next
		}
	}
	for _, p := range s.ids[begun:] {
		w.segOf[p] = int32(seg) + 1
	}
	return more
}

// decide climbs the ladder at a fork.
func (w *walker) decide(at int32, children []int32) decision {
	aside, rest := w.structural(children)
	if len(aside) > 0 && len(rest) <= 1 {
		d := decision{step{stitch: aside, next: none}, rungStructural, fork{at, rungStructural, false, len(rest)}}
		if len(rest) == 1 {
			d.next = rest[0]
		}
		return d
	}
	for _, r := range ladder {
		if s, ok := r.try(w, kids{at, rest}); ok {
			s.stitch = append(aside, s.stitch...)
			return decision{s, r.id, fork{at, r.id, len(aside) > 0, len(rest)}}
		}
	}
	panic("the last rung takes every fork")
}

// stitch puts entries onto the line and folds what is below them.
func (w *walker) stitch(ids, entries []int32, rung rungID) []int32 {
	for _, p := range entries {
		w.seen[p], w.side[p] = true, rung
	}
	ids = append(ids, entries...)
	for _, p := range entries {
		w.fold(w.own(p), rung)
	}
	return ids
}

// fold hides entries, and all of their session below them, that are on no line.
func (w *walker) fold(tops []int32, rung rungID) {
	todo := slices.Clone(tops)
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if w.seen[p] {
			continue // an anchor that was lifted, its own children are folded there
		}
		w.seen[p] = true
		w.rung[p] = rung
		todo = append(todo, w.own(p)...)
	}
}

// own lists the children of an entry in its own session, by time.
func (w *walker) own(p int32) []int32 {
	all := w.kids[p]
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
	w.byStamp(own)
	return own
}

// byTime joins lists by time.
func (w *walker) byTime(lists ...[]int32) []int32 {
	all := slices.Concat(lists...)
	w.byStamp(all)
	return all
}

// branches names the lines of the branches at a fork by the first characters of
// their first ids, and by more of them where those are not unique.
func (w *walker) branches(line string, firsts []int32) []start {
	starts := make([]start, len(firsts))
	for n := branchPart; ; n++ {
		met := map[string]bool{}
		short := false
		for i, p := range firsts {
			part, whole := cutRunes(w.nodes[p].id, n)
			name := line + "@" + part
			short = short || (met[name] || w.taken[name]) && !whole
			met[name] = true
			starts[i] = start{p, name}
		}
		if !short {
			for name := range met {
				w.taken[name] = true
			}
			return starts
		}
	}
}

// cutRunes returns the first n characters of s. whole reports whether that is all
// of it.
func cutRunes(s string, n int) (part string, whole bool) {
	for i := range s {
		if n == 0 {
			return s[:i], false
		}
		n--
	}
	return s, true
}
