package session

import (
	"cmp"
	"slices"
)

// Tip is where a branch ends, and what is told of the branch.
type Tip struct {
	Pos  Pos // the branch's last entry: where an agent that goes on there stands
	Last Pos // its last entry that is not bookkeeping; Pos itself when it has none
	// Fork is the entry at which it leaves other branches, NoPos when it does
	// nowhere, or before the first entry.
	Fork Pos
	// Prompt is the first prompt below Fork; when there is none, the last one
	// above; else NoPos.
	Prompt  Pos
	Entries int   // from below Fork to Pos
	Time    int64 // of the newest of them, ms or NoTime
	Current bool  // the leaf
}

// Tips lists the ends of all branches: the current one first, then by time, newest
// first. A branch of nothing but bookkeeping is none, and one that was archived
// or is an agent's neither, unless the leaf stands there.
func (t *Tree) Tips() []Tip {
	f := tipFinder{Tree: t, branches: make([]int32, len(t.entries)), above: map[Pos]Pos{}, head: NoPos, agents: t.ofAgents()}
	f.count()
	var tips []Tip
	path := t.onPath(t.leaf)
	for p := range Pos(len(t.entries)) {
		if !path[p] && f.ends(p) {
			tips = append(tips, f.tip(f.end(p), p))
		}
	}
	if t.leaf != NoPos {
		tips = append(tips, f.tip(t.leaf, f.lastSpoken()))
	}
	slices.SortStableFunc(tips, func(a, b Tip) int {
		if a.Current != b.Current {
			return map[bool]int{true: -1, false: 1}[a.Current]
		}
		return cmp.Or(cmp.Compare(b.Time, a.Time), t.compareFound(b.Pos, a.Pos))
	})
	return tips
}

// tipFinder counts what a list of tips needs once for the tree.
type tipFinder struct {
	*Tree
	facts    *facts
	branches []int32     // per entry, the children that are branches to a reader
	roots    int32       // the same before the first entry
	hidden   []bool      // archived, or below what was; nil when nothing is
	above    map[Pos]Pos // the last prompt on the path to an entry
	agents   marks       // what agents did
	// head begins a branch that counts only because the leaf stands there, NoPos
	// when there is none such.
	head Pos
}

func (f *tipFinder) count() {
	f.facts = f.subtrees()
	if len(f.Tree.hidden) > 0 {
		f.hidden = make([]bool, len(f.entries))
		for _, p := range f.preorder(NoPos) {
			up := f.parent[p]
			f.hidden[p] = f.archived(p) || up != NoPos && f.hidden[up]
		}
	}
	for p := range Pos(len(f.entries)) {
		if f.branch(p) {
			*f.below(f.parent[p])++
		}
	}
	top := NoPos
	for p := f.leaf; p != NoPos && !f.branch(p); p = f.parent[p] {
		top = p
	}
	if top != NoPos && *f.below(f.parent[top]) > 0 {
		*f.below(f.parent[top])++
		f.head = top
	}
}

// below counts the branches that begin at p.
func (f *tipFinder) below(p Pos) *int32 {
	if p == NoPos {
		return &f.roots
	}
	return &f.branches[p]
}

func (f *tipFinder) shown(p Pos) bool { return (f.hidden == nil || !f.hidden[p]) && !f.agents.at(p) }

func (f *tipFinder) branch(p Pos) bool {
	return f.facts.talk[p] && f.shown(p) || p == f.head && p != NoPos
}

// alone reports whether no other branch begins where p does.
func (f *tipFinder) alone(p Pos) bool {
	beside := *f.below(f.parent[p])
	if f.branch(p) {
		beside--
	}
	return beside == 0
}

// ends reports whether the conversation of a branch ends at p.
func (f *tipFinder) ends(p Pos) bool {
	return f.branches[p] == 0 && f.shown(p) && f.entries[p].talks()
}

// lastSpoken is the last entry on the path to the leaf that is not bookkeeping, when
// no branch begins below it; else the leaf.
func (f *tipFinder) lastSpoken() Pos {
	for p := f.leaf; p != NoPos; p = f.parent[p] {
		if f.ends(p) {
			return p
		}
	}
	return f.leaf
}

// end is the last entry of the branch whose conversation ends at p: the newest of
// the bookkeeping below.
func (f *tipFinder) end(p Pos) Pos {
	for {
		kids := slices.DeleteFunc(slices.Clone(f.kids.of(p)), func(k Pos) bool { return f.facts.talk[k] || f.looks[k].is(looksMetadata) })
		if len(kids) == 0 {
			return p
		}
		p = kids[len(kids)-1]
	}
}

// tip tells of the branch that ends at end.
func (f *tipFinder) tip(end, last Pos) Tip {
	tip := Tip{Pos: end, Last: last, Prompt: NoPos, Time: NoTime, Current: end == f.leaf}
	at := end
	for ; ; at = f.parent[at] {
		e := f.At(at)
		tip.Entries += int(f.looks[at].weight())
		tip.Time = max(tip.Time, e.Time)
		if e.Kind == KindUser {
			tip.Prompt = at
		}
		if f.parent[at] == NoPos || !f.alone(at) {
			break
		}
	}
	tip.Fork = f.parent[at]
	if tip.Prompt == NoPos {
		tip.Prompt = f.promptAbove(tip.Fork)
	}
	return tip
}

// promptAbove is the last prompt on the path to p. What is passed on the way is
// kept, so that each entry is passed once.
func (f *tipFinder) promptAbove(p Pos) Pos {
	found, known := NoPos, false
	var passed []Pos
	for ; p != NoPos && !known; p = f.parent[p] {
		if found, known = f.above[p]; known {
			break
		}
		passed = append(passed, p)
		if f.entries[p].Kind == KindUser {
			found, known = p, true
		}
	}
	if !known {
		found = NoPos
	}
	for _, at := range passed {
		f.above[at] = found
	}
	return found
}
