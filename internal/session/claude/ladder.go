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

// maxLadderDepth is how far below an entry the ladder looks before it takes it for
// alive.
const maxLadderDepth = 20

// branchIDLength is how much of an id tells a branch from its siblings.
const branchIDLength = 12

// forkChildren are the children at a fork that rung 1 left, by time.
type forkChildren struct {
	at       int32
	children []int32
}

// rungResult is what a rung decided.
type rungResult struct {
	inline        []int32 // go onto the line here; what is below them is folded
	next          int32   // where the line goes on, or none
	segmentStarts []int32 // children that begin segments of their own, on the same line
	isBranch      bool    // they begin branches instead
	folded        []int32 // are folded with all that is below them
}

// rung is one rung of the ladder.
type rung struct {
	id  rungID
	try func(*threader, forkChildren) (rungResult, bool)
}

// ladder is the rungs after the first, which may set children aside and pass the
// others on.
var ladder = []rung{
	{rungToolResult, (*threader).tryToolResult},
	{rungDeadEnd, (*threader).tryDeadEnd},
	{rungPassthrough, (*threader).tryPassthrough},
	{rungContinuation, (*threader).tryContinuation},
	{rungReplay, (*threader).tryReplay},
	{rungRewind, (*threader).tryRewind},
}

// splitStructural is rung 1: children that only record what the agent's machinery did
// are put onto the line by time.
func (w *threader) splitStructural(children []int32) (aside, rest []int32) {
	for _, k := range children {
		if w.nodes[k].class == classStructural && !w.hasMessageBelow[k] {
			aside = append(aside, k)
		} else {
			rest = append(rest, k)
		}
	}
	return aside, rest
}

// splitByClass splits children into users, assistants and the others. ok is false when
// one of the others has conversation below it, or a side is empty.
func (w *threader) splitByClass(ks forkChildren) (users, assistants, others []int32, ok bool) {
	for _, k := range ks.children {
		switch w.nodes[k].class {
		case classUser:
			users = append(users, k)
		case classAssistant:
			assistants = append(assistants, k)
		default:
			if w.hasMessageBelow[k] {
				return nil, nil, nil, false
			}
			others = append(others, k)
		}
	}
	return users, assistants, others, len(users) > 0 && len(assistants) > 0
}

// anyMessageBelow reports whether conversation stands below one of ps.
func (w *threader) anyMessageBelow(ps []int32) bool {
	return slices.ContainsFunc(ps, func(p int32) bool { return w.hasMessageBelow[p] })
}

func (w *threader) tryToolResult(ks forkChildren) (rungResult, bool) {
	users, assistants, others, ok := w.splitByClass(ks)
	if !ok || len(assistants) != 1 || w.anyMessageBelow(users) {
		return rungResult{}, false
	}
	return rungResult{inline: w.mergeByTime(users, others), next: assistants[0]}, true
}

func (w *threader) tryDeadEnd(ks forkChildren) (rungResult, bool) {
	users, assistants, others, ok := w.splitByClass(ks)
	if !ok || !w.anyMessageBelow(users) {
		return rungResult{}, false
	}
	next := noNode
	var ended []int32
	for _, u := range users {
		switch {
		case w.heightBelow[u] == 0:
			ended = append(ended, u)
		case next != noNode:
			return rungResult{}, false
		default:
			next = u
		}
	}
	if next == noNode {
		return rungResult{}, false
	}
	for _, p := range assistants {
		if w.heightBelow[p] > maxLadderDepth {
			return rungResult{}, false
		}
	}
	return rungResult{inline: w.mergeByTime(ended, assistants, others, w.findAgentAnchors(assistants)), next: next}, true
}

// findAgentAnchors finds below dead ends the entries that agents hang on: they stay on
// the line. They are found depth first, the last child before the others, which
// decides where times are equal.
func (w *threader) findAgentAnchors(tops []int32) (found []int32) {
	type place struct {
		at    int32
		depth int
	}
	for _, top := range tops {
		for todo := []place{{top, 0}}; len(todo) > 0; {
			p := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if p.depth >= maxLadderDepth {
				continue
			}
			if p.depth > 0 && w.nodes[p.at].canStartAgent() {
				found = append(found, p.at)
			}
			for _, k := range w.sessionChildren(p.at) {
				todo = append(todo, place{k, p.depth + 1})
			}
		}
	}
	return found
}

// canStartAgent reports whether an agent may hang on the entry.
func (n *node) canStartAgent() bool {
	return n.class == classUser && n.agent != "" || n.class == classAssistant && n.spawns
}

func (w *threader) tryPassthrough(ks forkChildren) (rungResult, bool) {
	s := rungResult{next: noNode}
	for _, k := range ks.children {
		switch {
		case !w.hasMessageBelow[k]:
			s.inline = append(s.inline, k)
		case w.nodes[k].class == classStructural && s.next == noNode:
			s.next = k
		default:
			return rungResult{}, false
		}
	}
	return s, s.next != noNode
}

func (w *threader) tryContinuation(ks forkChildren) (rungResult, bool) {
	parent := w.nodes[ks.at]
	if parent.class != classAssistant || len(parent.calls) == 0 {
		return rungResult{}, false
	}
	var answers, results bool
	for _, k := range ks.children {
		n := w.nodes[k]
		switch {
		case n.class == classAssistant:
			answers = true
		case n.class == classUser && len(n.results) > 0 && isSubset(n.results, parent.calls):
			results = true
		default:
			return rungResult{}, false
		}
	}
	return rungResult{next: noNode, segmentStarts: ks.children}, answers && results
}

// isSubset reports whether every one of ids is among all.
func isSubset(ids, all []string) bool {
	return !slices.ContainsFunc(ids, func(id string) bool { return !slices.Contains(all, id) })
}

func (w *threader) tryReplay(ks forkChildren) (rungResult, bool) {
	for _, k := range ks.children[1:] {
		if w.nodes[k].stamp != w.nodes[ks.children[0]].stamp {
			return rungResult{}, false
		}
	}
	return rungResult{next: ks.children[0], folded: ks.children[1:]}, true
}

func (w *threader) tryRewind(ks forkChildren) (rungResult, bool) {
	return rungResult{next: noNode, segmentStarts: ks.children, isBranch: true}, true
}
