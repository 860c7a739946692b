// Package sessionmap computes a picture of a whole session: its branches over time or steps,
// with what happened on them. All places are in px.
package sessionmap

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/branchlist"
	"sessiontree/internal/session/spend"
)

// Options say what a map shows.
type Options struct {
	Axis  Axis
	Width float64     // of the picture
	Room  float64     // at the end of the axis, for the titles of the last branches
	Tip   session.Pos // end of the viewed path, NoPos for none
	// LabelWidth returns how wide the title of a branch is.
	LabelWidth func(b *branchlist.Branch) float64
}

// Map is a picture of a session.
type Map struct {
	Width    float64
	Lanes    int // number of lanes below the path to the leaf
	Branches []Branch
	Pauses   []Pause
	Ticks    []Tick
	Bars     []Bar   // tool calls on the path to the leaf
	Context  []Point // tokens in the context of the answers on the path to the leaf
	// Listed are all branches of the session, to which Branch.Index refers.
	Listed []branchlist.Branch
	// BranchOf is the index in Listed of the branch of each entry.
	BranchOf []int32
	// Places are the places of all entries along the axis, by position.
	Places []float64
}

// Branch is a line of a map. The first is the path to the leaf.
type Branch struct {
	Index   int // in Map.Listed; of several, the first
	Up      int // index of the line it leaves, -1 for the first
	Lane    int // below the path to the leaf, which is 0
	X0, X1  float64
	ViewedX float64 // end of the part on the viewed path; 0: there is none
	Merged  int     // number of branches that are drawn as this one; 0: it is a single one
	Marks   []Mark
}

// MarkKind is the kind of a Mark.
type MarkKind uint8

// The kinds of marks.
const (
	Prompt MarkKind = iota
	Failure
	Compaction
	Label
)

// Mark is a place on a line. Of several at nearly the same place, one is drawn.
type Mark struct {
	Kind MarkKind
	X    float64
	Pos  session.Pos
}

// Bar is a number of tool calls within BarWidth.
type Bar struct {
	X             float64
	Calls, Failed int
}

// Point is a number of tokens at a place.
type Point struct {
	X      float64
	Tokens int64
}

// Sizes in px.
const (
	Margin      = 24
	BarWidth    = 5
	CurveWidth  = 24 // from a fork to where a branch runs along the axis
	minDistance = 5  // of two marks of a kind on a line
)

// Build returns the map of a tree. The caller holds the lock of the tree.
func Build(t *session.Tree, costs *spend.Sheet, o Options) *Map {
	b := &builder{tree: t, costs: costs, options: o, onPath: t.LeafPath()}
	listed, branchOf := branchlist.AssignEntries(t, costs)
	b.branchOf = branchOf
	b.result = &Map{Width: o.Width, Listed: listed, BranchOf: branchOf}
	b.placeEntries()
	b.addBranches()
	b.addMarks()
	b.addViewedPath()
	b.result.Places = b.places
	return b.result
}

// builder builds a map.
type builder struct {
	tree     *session.Tree
	costs    *spend.Sheet
	options  Options
	onPath   session.Marks
	branchOf []int32   // index in Listed, by position
	places   []float64 // by position
	lineOf   []int     // index in Branches, by index in Listed
	result   *Map
}

// placeEntries sets the places of all entries, the ticks and the pauses.
func (b *builder) placeEntries() {
	t, order := b.tree, b.tree.Preorder(b.tree.Leaf())
	b.places = make([]float64, t.Len())
	x0, x1 := float64(Margin), b.options.Width-b.options.Room
	if b.options.Axis == Time {
		scale := newTimeScale(listTimes(t), x0, x1)
		b.result.Pauses, b.result.Ticks = scale.pauses, scale.ticks()
		for _, p := range order {
			b.places[p] = x0
			if e := t.At(p); e.Time != session.NoTime {
				b.places[p] = max(scale.place(e.Time), x0)
			} else if up := t.Parent(p); up != session.NoPos {
				b.places[p] = b.places[up]
			}
		}
		return
	}
	steps, most := make([]int, t.Len()), 1
	for _, p := range order {
		if up := t.Parent(p); up != session.NoPos {
			steps[p] = steps[up] + int(t.Traits(p).CountWeight())
		}
		most = max(most, steps[p])
	}
	place := func(step int) float64 { return x0 + (x1-x0)*float64(step)/float64(most) }
	for _, p := range order {
		b.places[p] = place(steps[p])
	}
	b.result.Ticks = stepTicks(most, place)
}

// addViewedPath sets how far the lines are on the viewed path.
func (b *builder) addViewedPath() {
	for p := b.options.Tip; p != session.NoPos; p = b.tree.Parent(p) {
		if line := b.lineOf[b.branchOf[p]]; line >= 0 && b.result.Branches[line].Merged == 0 {
			l := &b.result.Branches[line]
			l.ViewedX = max(l.ViewedX, b.places[p])
		}
	}
}
