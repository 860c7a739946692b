package session

// BranchTitle returns the title of the branch that begins with the entry head. A thread
// of an agent or of another session has the title that LineTitle returns. Every other
// branch has the text of its first prompt or assistant message with text as its title,
// so that no row below repeats the title. If there is none, it is the text of the first
// entry that is not a setting.
func (t *Tree) BranchTitle(head Pos) (text string, entry Pos) {
	if t.entries[head].StartsThread() {
		text = t.LineTitle(head)
	}
	return text, t.TitleEntry(head)
}

// LineTitle returns the title of the session or agent whose thread begins at head:
// the recorded title, else the argument of the call that started this agent and no
// other. It returns "" if there is neither.
func (t *Tree) LineTitle(head Pos) string {
	if l := t.ThreadStartingAt(head); l != nil && l.Title != "" {
		return l.Title
	}
	up := t.parent[head]
	if up == NoPos || !t.entries[head].HasFlag(FlagAgent) || t.startsOthers(up, head) {
		return ""
	}
	if c, at := t.CallOf(up); at != NoPos && c.Arg != "" {
		return c.Arg
	}
	if calls := t.entries[up].Calls(); len(calls) == 1 {
		return calls[0].Arg
	}
	return ""
}

// startsOthers reports whether other agents than the one that begins with head are
// attached to up, so that the call there is not the title of one of them.
func (t *Tree) startsOthers(up, head Pos) bool {
	for _, k := range t.childIndex.childrenAt(up) {
		if k != head && t.entries[k].HasFlag(FlagAgent) {
			return true
		}
	}
	return false
}

// TitleEntry returns the entry whose text BranchTitle shows.
func (t *Tree) TitleEntry(head Pos) Pos {
	first, leafy := NoPos, t.LeafPath()
	hides := func(p Pos) bool { return t.IsArchived(p) && !leafy.Has(p) }
	for p := head; p != NoPos; p = t.MainChild(p, hides) {
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

// MainChild returns the child of p in which p's branch continues: the one that holds
// the leaf, else the newest that is more than bookkeeping, else the newest. It skips threads
// of agents and other sessions, metadata and entries that hides excludes.
func (t *Tree) MainChild(p Pos, hides func(Pos) bool) Pos {
	last, talk, leafy, facts := NoPos, NoPos, t.LeafPath(), t.Subtrees()
	for _, k := range t.childIndex.childrenAt(p) {
		if leafy.Has(k) {
			return k
		}
		if !hides(k) && !t.entries[k].StartsThread() && !t.traits[k].HasAny(TraitMetadata) {
			last = k
			if facts.conversational[k] {
				talk = k
			}
		}
	}
	if talk != NoPos {
		return talk
	}
	return last
}
