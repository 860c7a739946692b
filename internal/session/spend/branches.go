package spend

import "sessiontree/internal/session"

// Branches tells on which branch the entries of a tree are.
type Branches struct {
	heads   []session.Pos // by position, NoPos on the current path
	inAgent session.Marks // in a sub-agent that was started on the current path
}

// Head returns the first entry of the branch of p, or NoPos if p is on the current path, or
// in a sub-agent that was started there. A branch includes those that leave it.
func (b *Branches) Head(p session.Pos) session.Pos { return b.heads[p] }

// FindBranches finds the branches of a tree that were left: what is neither on the path to
// leaf nor in a sub-agent that was started there.
func FindBranches(t *session.Tree, leaf session.Pos) *Branches {
	b := &Branches{inAgent: make(session.Marks, 0, t.Len())}
	b.extend(t, leaf, t.MarkPath(leaf))
	return b
}

// unknownHead is the head of an entry before it is found.
const unknownHead session.Pos = -2

// extend adds the entries that t has more. It reports false if they begin a branch although
// b had entries before.
func (b *Branches) extend(t *session.Tree, leaf session.Pos, onPath session.Marks) (grown bool) {
	from, grown := session.Pos(len(b.heads)), true
	for range t.Len() - len(b.heads) {
		b.heads, b.inAgent = append(b.heads, unknownHead), append(b.inAgent, false)
	}
	var climbed []session.Pos
	for first := from; first < session.Pos(t.Len()); first++ {
		for p := first; p != session.NoPos && b.heads[p] == unknownHead; p = t.Parent(p) {
			climbed = append(climbed, p)
		}
		for len(climbed) > 0 {
			p := climbed[len(climbed)-1]
			climbed = climbed[:len(climbed)-1]
			b.heads[p] = b.headOf(t, p, leaf, onPath)
			grown = grown && (from == 0 || b.heads[p] != p)
		}
	}
	return grown
}

// headOf returns the head of p, whose parent's is known.
func (b *Branches) headOf(t *session.Tree, p, leaf session.Pos, onPath session.Marks) session.Pos {
	up := t.Parent(p)
	switch {
	case onPath.Has(p):
		return session.NoPos
	case up != session.NoPos && b.heads[up] != session.NoPos:
		return b.heads[up]
	case up != session.NoPos && b.inAgent[up] || t.At(p).HasFlag(session.FlagAgent):
		b.inAgent[p] = true
		return session.NoPos
	case leaf == session.NoPos || !t.Subtrees().IsConversation(p):
		return session.NoPos
	}
	return p
}
