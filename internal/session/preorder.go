package session

// Preorder returns the entries depth first, siblings in order except that the one with
// leaf in its subtree is first.
func (t *Tree) Preorder(leaf Pos) []Pos {
	active := t.MarkPath(leaf)
	order := make([]Pos, 0, len(t.entries))
	stack := pushActiveFirst(nil, t.roots, active)
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		order = append(order, p)
		stack = pushActiveFirst(stack, t.childIndex.childrenAt(p), active)
	}
	return order
}

// pushActiveFirst pushes ps on a stack so that the active one is popped first.
func pushActiveFirst(stack, ps []Pos, active []bool) []Pos {
	first := NoPos
	for i := len(ps) - 1; i >= 0; i-- {
		if active[ps[i]] {
			first = ps[i]
		} else {
			stack = append(stack, ps[i])
		}
	}
	if first != NoPos {
		stack = append(stack, first)
	}
	return stack
}
