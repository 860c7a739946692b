package claude

import "slices"

// rungID names a rung of the ladder.
type rungID uint8

// The rungs, tried in this order where an entry has several children in its own
// session. All but the last say that the fork is an artifact of recording.
const (
	rungStructural   rungID = iota + 1 // hooks, progress and the like beside at most one other child
	rungToolResult                     // results beside the answer that went on without waiting for them
	rungDeadEnd                        // a call that led nowhere beside the result that went on
	rungPassthrough                    // the conversation goes on below a progress line
	rungContinuation                   // the answer went on while a tool was running
	rungReplay                         // compaction wrote the same turn again
	rungRewind                         // the user went back: branches
)

// deepest is how far below an entry the ladder looks before it takes it for
// alive.
const deepest = 20

// branchPart is how much of an id tells a branch from its siblings.
const branchPart = 12

// kids are the children at a fork that rung 1 left, by time.
type kids struct {
	at   int32
	rest []int32
}

// step is what a rung decided.
type step struct {
	stitch []int32 // go onto the line here; what is below them is folded
	next   int32   // where the line goes on, or none
	queue  []int32 // children that begin segments of their own, on the same line
	fork   bool    // they begin branches instead
	drop   []int32 // are folded with all that is below them
}

// rung is one rung of the ladder.
type rung struct {
	id  rungID
	try func(*walker, kids) (step, bool)
}

// ladder is the rungs after the first, which may set children aside and pass the
// others on.
var ladder = []rung{
	{rungToolResult, (*walker).toolResult},
	{rungDeadEnd, (*walker).deadEnd},
	{rungPassthrough, (*walker).passthrough},
	{rungContinuation, (*walker).continuation},
	{rungReplay, (*walker).replay},
	{rungRewind, (*walker).rewind},
}

// structural is rung 1: children that only record what the agent's machinery did
// are put onto the line by time.
func (w *walker) structural(children []int32) (aside, rest []int32) {
	for _, k := range children {
		if w.nodes[k].class == classStructural && !w.spoken[k] {
			aside = append(aside, k)
		} else {
			rest = append(rest, k)
		}
	}
	return aside, rest
}

// sorted splits children into users, assistants and the others. ok is false when
// one of the others has conversation below it, or a side is empty.
func (w *walker) sorted(ks kids) (users, assistants, others []int32, ok bool) {
	for _, k := range ks.rest {
		switch w.nodes[k].class {
		case classUser:
			users = append(users, k)
		case classAssistant:
			assistants = append(assistants, k)
		default:
			if w.spoken[k] {
				return nil, nil, nil, false
			}
			others = append(others, k)
		}
	}
	return users, assistants, others, len(users) > 0 && len(assistants) > 0
}

// anySpoken reports whether conversation stands below one of ps.
func (w *walker) anySpoken(ps []int32) bool {
	return slices.ContainsFunc(ps, func(p int32) bool { return w.spoken[p] })
}

func (w *walker) toolResult(ks kids) (step, bool) {
	users, assistants, others, ok := w.sorted(ks)
	if !ok || len(assistants) != 1 || w.anySpoken(users) {
		return step{}, false
	}
	return step{stitch: w.byTime(users, others), next: assistants[0]}, true
}

func (w *walker) deadEnd(ks kids) (step, bool) {
	users, assistants, others, ok := w.sorted(ks)
	if !ok || !w.anySpoken(users) {
		return step{}, false
	}
	next := none
	var ended []int32
	for _, u := range users {
		switch {
		case w.height[u] == 0:
			ended = append(ended, u)
		case next != none:
			return step{}, false
		default:
			next = u
		}
	}
	if next == none {
		return step{}, false
	}
	for _, p := range assistants {
		if w.height[p] > deepest {
			return step{}, false
		}
	}
	return step{stitch: w.byTime(ended, assistants, others, w.anchors(assistants)), next: next}, true
}

// anchors finds below dead ends the entries that agents hang on: they stay on
// the line. They are found depth first, the last child before the others, which
// decides where times are equal.
func (w *walker) anchors(tops []int32) (found []int32) {
	type place struct {
		at    int32
		depth int
	}
	for _, top := range tops {
		for todo := []place{{top, 0}}; len(todo) > 0; {
			p := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if p.depth >= deepest {
				continue
			}
			if p.depth > 0 && w.nodes[p.at].anchors() {
				found = append(found, p.at)
			}
			for _, k := range w.own(p.at) {
				todo = append(todo, place{k, p.depth + 1})
			}
		}
	}
	return found
}

// anchors reports whether an agent may hang on the entry.
func (n *node) anchors() bool {
	return n.class == classUser && n.agent != "" || n.class == classAssistant && n.spawns
}

func (w *walker) passthrough(ks kids) (step, bool) {
	s := step{next: none}
	for _, k := range ks.rest {
		switch {
		case !w.spoken[k]:
			s.stitch = append(s.stitch, k)
		case w.nodes[k].class == classStructural && s.next == none:
			s.next = k
		default:
			return step{}, false
		}
	}
	return s, s.next != none
}

func (w *walker) continuation(ks kids) (step, bool) {
	parent := w.nodes[ks.at]
	if parent.class != classAssistant || len(parent.calls) == 0 {
		return step{}, false
	}
	var answers, results bool
	for _, k := range ks.rest {
		n := w.nodes[k]
		switch {
		case n.class == classAssistant:
			answers = true
		case n.class == classUser && len(n.results) > 0 && within(n.results, parent.calls):
			results = true
		default:
			return step{}, false
		}
	}
	return step{next: none, queue: ks.rest}, answers && results
}

// within reports whether every one of ids is among all.
func within(ids, all []string) bool {
	return !slices.ContainsFunc(ids, func(id string) bool { return !slices.Contains(all, id) })
}

func (w *walker) replay(ks kids) (step, bool) {
	for _, k := range ks.rest[1:] {
		if w.nodes[k].stamp != w.nodes[ks.rest[0]].stamp {
			return step{}, false
		}
	}
	return step{next: ks.rest[0], drop: ks.rest[1:]}, true
}

func (w *walker) rewind(ks kids) (step, bool) {
	return step{next: none, queue: ks.rest, fork: true}, true
}
