package dag

import "slices"

// Rung names a rung of the ladder.
type Rung uint8

// The rungs, in the order in which they are tried at an entry with several children in its own
// session. All but the last classify the fork as an artifact of recording.
const (
	rungStructural   Rung = iota + 1 // hooks, progress and the like next to at most one other child
	rungToolResult                   // results next to the answer that continued without waiting for them
	rungDeadEnd                      // a call without continuation next to a result with one
	rungPassthrough                  // the conversation continues below a progress line
	rungContinuation                 // the answer continued while a tool was running
	rungReplay                       // a compaction recorded the same turn again
	rungRewind                       // the user went back: branches
)

// Reason returns the reason, for viewers, why an entry is folded.
func (r Rung) Reason() string {
	switch r {
	case rungStructural:
		return "duplicate record of a hook or progress line"
	case rungToolResult:
		return "duplicate record below a tool result"
	case rungDeadEnd:
		return "unused tool call"
	case rungPassthrough:
		return "duplicate record of a progress line in the conversation"
	case rungReplay:
		return "duplicate record written by a compaction"
	}
	return ""
}

// maxLadderDepth is how far below an entry the ladder looks. Longer chains count as continued.
const maxLadderDepth = 20

// branchIDLength is the number of characters of an id in a branch's name.
const branchIDLength = 12

// forkChildren are the children of a fork that remain after rung 1, by time.
type forkChildren struct {
	at       int32
	children []int32
}

// rungResult is the decision of a rung.
type rungResult struct {
	inline        []int32 // appended to the thread, with their subtrees folded
	next          int32   // the next entry of the thread, or NoNode
	segmentStarts []int32 // children that begin other segments of the same thread
	isBranch      bool    // the segments begin branches instead
	folded        []int32 // folded with their subtrees
}

// rung is one rung of the ladder.
type rung struct {
	id  Rung
	try func(*Threads, forkChildren) (rungResult, bool)
}

// ladder is the rungs after the first. Rung 1 may remove children and leave the rest to the others.
var ladder = []rung{
	{rungToolResult, (*Threads).tryToolResult},
	{rungDeadEnd, (*Threads).tryDeadEnd},
	{rungPassthrough, (*Threads).tryPassthrough},
	{rungContinuation, (*Threads).tryContinuation},
	{rungReplay, (*Threads).tryReplay},
	{rungRewind, (*Threads).tryRewind},
}

// splitStructural is rung 1. structural is the children that only record the agent's internals;
// they are appended to the thread by time.
func (ts *Threads) splitStructural(children []int32) (structural, rest []int32) {
	for _, k := range children {
		if ts.Graph.Nodes[k].Class == ClassStructural && !ts.stats.hasMessageBelow[k] {
			structural = append(structural, k)
		} else {
			rest = append(rest, k)
		}
	}
	return structural, rest
}

// splitByClass splits children into users, assistants and others. ok is false if one of the others
// has messages below it, or if there are no users or no assistants.
func (ts *Threads) splitByClass(ks forkChildren) (users, assistants, others []int32, ok bool) {
	for _, k := range ks.children {
		switch ts.Graph.Nodes[k].Class {
		case ClassUser:
			users = append(users, k)
		case ClassAssistant:
			assistants = append(assistants, k)
		default:
			if ts.stats.hasMessageBelow[k] {
				return nil, nil, nil, false
			}
			others = append(others, k)
		}
	}
	return users, assistants, others, len(users) > 0 && len(assistants) > 0
}

// anyMessageBelow reports whether one of ps has a message below it.
func (ts *Threads) anyMessageBelow(ps []int32) bool {
	return slices.ContainsFunc(ps, func(p int32) bool { return ts.stats.hasMessageBelow[p] })
}

func (ts *Threads) tryToolResult(ks forkChildren) (rungResult, bool) {
	users, assistants, others, ok := ts.splitByClass(ks)
	if !ok || len(assistants) != 1 || ts.anyMessageBelow(users) {
		return rungResult{}, false
	}
	return rungResult{inline: ts.mergeByTime(users, others), next: assistants[0]}, true
}

func (ts *Threads) tryDeadEnd(ks forkChildren) (rungResult, bool) {
	users, assistants, others, ok := ts.splitByClass(ks)
	if !ok || !ts.anyMessageBelow(users) {
		return rungResult{}, false
	}
	next := NoNode
	var ended []int32
	for _, u := range users {
		switch {
		case ts.stats.heightBelow[u] == 0:
			ended = append(ended, u)
		case next != NoNode:
			return rungResult{}, false
		default:
			next = u
		}
	}
	if next == NoNode {
		return rungResult{}, false
	}
	for _, p := range assistants {
		if ts.stats.heightBelow[p] > maxLadderDepth {
			return rungResult{}, false
		}
	}
	return rungResult{inline: ts.mergeByTime(ended, assistants, others, ts.findAgentAnchors(assistants)), next: next}, true
}

// findAgentAnchors returns the entries below dead ends that agents are attached to; they stay in
// the thread. The search is depth first and visits the last child first, which decides the order of
// equal times.
func (ts *Threads) findAgentAnchors(tops []int32) (found []int32) {
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
			if p.depth > 0 && ts.Graph.Nodes[p.at].canStartAgent() {
				found = append(found, p.at)
			}
			for _, k := range ts.sessionChildren(p.at) {
				todo = append(todo, place{k, p.depth + 1})
			}
		}
	}
	return found
}

// canStartAgent reports whether an agent may be attached to the entry.
func (n *Node) canStartAgent() bool {
	return n.Class == ClassUser && n.Agent != "" || n.Class == ClassAssistant && n.Spawns
}

func (ts *Threads) tryPassthrough(ks forkChildren) (rungResult, bool) {
	s := rungResult{next: NoNode}
	for _, k := range ks.children {
		switch {
		case !ts.stats.hasMessageBelow[k]:
			s.inline = append(s.inline, k)
		case ts.Graph.Nodes[k].Class == ClassStructural && s.next == NoNode:
			s.next = k
		default:
			return rungResult{}, false
		}
	}
	return s, s.next != NoNode
}

func (ts *Threads) tryContinuation(ks forkChildren) (rungResult, bool) {
	parent := ts.Graph.Nodes[ks.at]
	if parent.Class != ClassAssistant || len(parent.Calls) == 0 {
		return rungResult{}, false
	}
	var answers, results bool
	for _, k := range ks.children {
		n := ts.Graph.Nodes[k]
		switch {
		case n.Class == ClassAssistant:
			answers = true
		case n.Class == ClassUser && len(n.Results) > 0 && isSubset(n.Results, parent.Calls):
			results = true
		default:
			return rungResult{}, false
		}
	}
	return rungResult{next: NoNode, segmentStarts: ks.children}, answers && results
}

// isSubset reports whether all contains every one of ids.
func isSubset(ids, all []string) bool {
	return !slices.ContainsFunc(ids, func(id string) bool { return !slices.Contains(all, id) })
}

func (ts *Threads) tryReplay(ks forkChildren) (rungResult, bool) {
	for _, k := range ks.children[1:] {
		if ts.Graph.Nodes[k].Stamp != ts.Graph.Nodes[ks.children[0]].Stamp {
			return rungResult{}, false
		}
	}
	return rungResult{next: ks.children[0], folded: ks.children[1:]}, true
}

func (ts *Threads) tryRewind(ks forkChildren) (rungResult, bool) {
	return rungResult{next: NoNode, segmentStarts: ks.children, isBranch: true}, true
}
