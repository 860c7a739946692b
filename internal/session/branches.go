package session

import "cmp"

// NewestLeaf follows the last child from p down, skipping bookkeeping branches next to
// conversation. It returns the leaf if that is in the subtree.
func (f *Subtrees) NewestLeaf(p Pos) Pos {
	t := f.tree
	if p == NoPos || t.LeafPath().Has(p) {
		return t.leaf
	}
	for {
		next := f.newestChild(p)
		if next == NoPos {
			return p
		}
		p = next
	}
}

// newestChild returns the child that continues p: the last one that is not only
// bookkeeping, else the last one. It skips metadata.
func (f *Subtrees) newestChild(p Pos) Pos {
	t := f.tree
	last := NoPos
	kids := t.childIndex.childrenAt(p)
	for i := len(kids) - 1; i >= 0; i-- {
		switch k := kids[i]; {
		case t.entries[k].StartsThread(), t.traits[k].HasAny(TraitMetadata):
		case f.conversational[k] && !t.IsArchived(k):
			return k
		case last == NoPos:
			last = k
		}
	}
	return last
}

// SiblingBranches returns p and its siblings that are visible branches (neither only
// bookkeeping nor archived) in time order; only p if there are none. For a root these
// are the roots in file order. An agent or metadata is not an alternative to its
// siblings: it is only returned for itself, and then alone.
func (f *Subtrees) SiblingBranches(p Pos) []Pos {
	t, all := f.tree, f.tree.roots
	if up := t.parent[p]; up != NoPos {
		all = t.childIndex.childrenAt(up)
	}
	if len(all) == 1 {
		return all
	}
	if t.entries[p].HasFlag(FlagAgent) || t.traits[p].HasAny(TraitMetadata) {
		return []Pos{p}
	}
	branches := make([]Pos, 0, len(all))
	for _, s := range all {
		if s == p || f.conversational[s] && !t.IsArchived(s) && !t.entries[s].HasFlag(FlagAgent) {
			branches = append(branches, s)
		}
	}
	return branches
}

// AgentCount returns how many agents have entries in the tree.
func (f *Subtrees) AgentCount() int { return f.agents }

// BranchCount returns the number of branches off the trunks, plus the further roots.
// It does not count agents, see AgentCount.
func (f *Subtrees) BranchCount() int {
	t := f.tree
	if known := t.branchCount.Load(); known != nil {
		return *known
	}
	n := f.countForkBranches()
	t.branchCount.Store(&n)
	return n
}

func (f *Subtrees) countForkBranches() int {
	t, n := f.tree, 0
	leafy, ofAgent := t.LeafPath(), f.markAgentEntries()
	count := func(group []Pos) {
		own := 1 // one branch of the group continues the lane
		for _, k := range group {
			if f.conversational[k] && !t.IsArchived(k) && !ofAgent.Has(k) {
				n++
			} else if leafy.Has(k) {
				own = 0
			}
		}
		n -= own
	}
	for _, fan := range t.childIndex.forks {
		before := n
		count(fan)
		n = max(n, before)
	}
	if len(t.roots) > 1 {
		before := n
		count(t.roots)
		n = max(n, before)
	}
	return n
}

// markAgentEntries marks the entries of agents: those of their threads and all
// descendants, except sessions attached there. It returns nil if there is no agent.
func (f *Subtrees) markAgentEntries() Marks {
	t := f.tree
	if f.agents == 0 {
		return nil
	}
	m := make(Marks, len(t.entries))
	for _, p := range t.Preorder(NoPos) {
		up, e := t.parent[p], t.entries[p]
		m[p] = e.HasFlag(FlagAgent) || up != NoPos && m[up] && !e.HasFlag(FlagSession)
	}
	return m
}

// MainChild returns the child of p in which p's branch continues: the one that holds
// the leaf, else the newest that is more than bookkeeping, else the newest. It skips threads
// of agents and other sessions, metadata and entries that hides excludes.
func (f *Subtrees) MainChild(p Pos, hides func(Pos) bool) Pos {
	t, last, talk := f.tree, NoPos, NoPos
	leafy := t.LeafPath()
	for _, k := range t.childIndex.childrenAt(p) {
		if leafy.Has(k) {
			return k
		}
		if !hides(k) && !t.entries[k].StartsThread() && !t.traits[k].HasAny(TraitMetadata) {
			last = k
			if f.conversational[k] {
				talk = k
			}
		}
	}
	if talk != NoPos {
		return talk
	}
	return last
}

// BranchTitle returns the title of the branch that begins with the entry head. A thread
// of an agent or of another session has the title that ThreadTitle returns. Every other
// branch has the text of its first prompt or assistant message with text as its title,
// so that no row below repeats the title. If there is none, it is the text of the first
// entry that is not a setting.
func (t *Tree) BranchTitle(head Pos) (text string, entry Pos) {
	if t.entries[head].StartsThread() {
		text = t.ThreadTitle(head)
	}
	return text, t.TitleEntry(head)
}

// BranchTitleText returns the title of the branch that begins with the entry head as plain
// text: that of BranchTitle, else the text of its entry, else the text of the entry's row.
func BranchTitleText(t *Tree, head Pos) string {
	text, entry := t.BranchTitle(head)
	if e := t.At(entry); text == "" && (e.Kind == KindUser || e.Kind == KindAssistant) {
		text = e.Preview
	}
	return cmp.Or(text, t.RowText(entry))
}

// ThreadTitle returns the title of the session or agent whose thread begins at head:
// the recorded title, else the argument of the call that started this agent and no
// other. It returns "" if there is neither.
func (t *Tree) ThreadTitle(head Pos) string {
	if l := t.threads.StartingAt(head); l != nil && l.Title != "" {
		return l.Title
	}
	up := t.parent[head]
	if up == NoPos || !t.entries[head].HasFlag(FlagAgent) {
		return ""
	}
	for _, k := range t.childIndex.childrenAt(up) {
		if k != head && t.entries[k].HasFlag(FlagAgent) {
			return "" // the call started several agents
		}
	}
	if c, at := t.CallOf(up); at != NoPos && c.Arg != "" {
		return c.Arg
	}
	if calls := t.entries[up].Calls(); len(calls) == 1 {
		return calls[0].Arg
	}
	return ""
}

// TitleEntry returns the entry whose text BranchTitle shows.
func (t *Tree) TitleEntry(head Pos) Pos {
	first, leafy, subtrees := NoPos, t.LeafPath(), t.Subtrees()
	hides := func(p Pos) bool { return t.IsArchived(p) && !leafy.Has(p) }
	for p := head; p != NoPos; p = subtrees.MainChild(p, hides) {
		l := t.traits[p]
		if t.entries[p].Kind == KindUser || t.entries[p].Kind == KindAssistant && !l.HasAny(TraitWordless) {
			return p
		}
		if first == NoPos && !l.HasAny(TraitWordless|TraitSetting|TraitUsage) {
			first = p
		}
	}
	if first != NoPos {
		return first
	}
	return head
}
