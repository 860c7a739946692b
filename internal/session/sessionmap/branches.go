package sessionmap

import (
	"cmp"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/lanes"
)

// Further branches than maxLines are merged, those of one line that leave it within
// mergeWidth.
const (
	maxLines   = 400
	mergeWidth = 80
	mergedText = 90 // px of the text of merged branches
	lineGap    = 10 // px between two lines in a lane
)

// addBranches adds the lines of the branches and packs them.
func (b *builder) addBranches() {
	m := b.result
	ends := b.branchEnds()
	drawn := b.chooseDrawn(ends)
	b.lineOf = make([]int, len(m.Listed))
	merged := map[[2]int]int{} // line of merged branches by the line they leave and the place
	for i := range m.Listed {
		listed := &m.Listed[i]
		up, x0 := -1, 0.0
		if i > 0 {
			x0 = b.forkPlace(i)
		}
		if listed.Up >= 0 {
			up = b.lineOf[listed.Up]
		}
		if up >= 0 && m.Branches[up].Merged > 0 { // it leaves a branch that is not drawn by itself
			b.lineOf[i] = up
			b.extendMerged(up, ends[i])
			continue
		}
		if drawn[i] {
			b.lineOf[i] = len(m.Branches)
			m.Branches = append(m.Branches, Branch{Index: i, Up: up, X0: x0, X1: ends[i]})
			continue
		}
		place := [2]int{up, int(x0 / mergeWidth)}
		line, ok := merged[place]
		if !ok {
			line = len(m.Branches)
			merged[place] = line
			m.Branches = append(m.Branches, Branch{Index: i, Up: up, X0: x0, X1: ends[i]})
		}
		b.lineOf[i] = line
		b.extendMerged(line, ends[i])
	}
	b.packLines()
}

// extendMerged adds a branch that ends at a place to a line of merged ones.
func (b *builder) extendMerged(line int, end float64) {
	l := &b.result.Branches[line]
	l.Merged++
	l.X1 = max(l.X1, end)
}

// branchEnds returns where the branches end.
func (b *builder) branchEnds() []float64 {
	ends := make([]float64, len(b.result.Listed))
	for p, branch := range b.branchOf {
		if !b.tree.At(session.Pos(p)).HasFlag(session.FlagMetadata) {
			ends[branch] = max(ends[branch], b.places[p])
		}
	}
	for i := range ends {
		if i > 0 {
			ends[i] = max(ends[i], b.forkPlace(i)+CurveWidth+2*minDistance)
		}
	}
	return ends
}

// forkPlace returns where a branch leaves the one above it. A root begins at its own place.
func (b *builder) forkPlace(i int) float64 {
	head := b.result.Listed[i].Head
	if up := b.tree.Parent(head); up != session.NoPos {
		return b.places[up]
	}
	return b.places[head]
}

// chooseDrawn returns which branches are drawn by themselves: the path to the leaf and the
// longest of the others.
func (b *builder) chooseDrawn(ends []float64) []bool {
	listed := b.result.Listed
	order := make([]int, len(listed))
	for i := range order {
		order[i] = i
	}
	length := func(i int) float64 {
		if i == 0 {
			return b.options.Width
		}
		return ends[i] - b.forkPlace(i)
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(length(y), length(x)) })
	drawn := make([]bool, len(listed))
	for _, i := range order[:min(len(order), maxLines)] {
		drawn[i] = true
	}
	return drawn
}

// packLines sets the lanes of the lines. A branch without a line above it leaves the first.
func (b *builder) packLines() {
	m := b.result
	if len(m.Branches) == 0 {
		return
	}
	all := make([]lanes.Branch, len(m.Branches)-1)
	for i := range all {
		l := &m.Branches[i+1]
		l.Up = max(l.Up, 0)
		width := float64(mergedText)
		if l.Merged == 0 {
			width = b.options.LabelWidth(&m.Listed[l.Index])
		}
		all[i] = lanes.Branch{Up: int32(l.Up) - 1, X0: int32(l.X0), X1: int32(max(l.X1, l.X0+CurveWidth+width)) + lineGap}
	}
	lanes.Pack(all)
	for i, packed := range all {
		m.Branches[i+1].Lane = int(packed.Lane)
		m.Lanes = max(m.Lanes, int(packed.Lane))
	}
}
