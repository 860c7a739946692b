package view

import (
	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// EntryNumbers numbers the entries of a tree in the order of the file. Metadata lines are not
// counted, as in session.Tree.EntryCount.
type EntryNumbers struct {
	Tree    *session.Tree
	numbers []int32 // nil until one is needed
}

// Format returns the number of the entry at p.
func (n *EntryNumbers) Format(p session.Pos) string {
	if n.Tree.EntryCount() == n.Tree.Len() {
		return components.FormatCount(int(p) + 1)
	}
	if n.numbers == nil {
		n.numbers = make([]int32, n.Tree.Len())
		last := int32(0)
		for q := range n.numbers {
			if !n.Tree.At(session.Pos(q)).HasFlag(session.FlagMetadata) {
				last++
			}
			n.numbers[q] = last
		}
	}
	return components.FormatCount(int(n.numbers[p]))
}
