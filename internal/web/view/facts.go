package view

import (
	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// facts counts what stands above the path and below the tree.
func (b *Builder) facts(s Scene, path []session.Pos) components.Facts {
	t, o := s.Tree, s.Outline
	c := t.Context(s.View.Leaf)
	f := components.Facts{
		PathEntries: comma(len(path)),
		Cost:        dollars(costOf(t, path)),
		TotalCost:   dollars(totalCost(t)),
		Model:       oneLine(c.Model),
		Thinking:    oneLine(c.Thinking),
		Visible:     comma(o.Visible),
		Entries:     comma(o.Entries),
		Branches:    o.Branches,
		Labels:      len(t.Labels()),
		Hits:        -1,
	}
	if c.Tokens > 0 {
		f.Tokens = tokens(c.Tokens)
	}
	if s.Params.Query != "" {
		f.Hits = len(o.Found)
	}
	return f
}

func costOf(t *session.Tree, path []session.Pos) float64 {
	sum := 0.0
	for _, p := range path {
		sum += t.At(p).Cost
	}
	return sum
}

func totalCost(t *session.Tree) float64 {
	sum := 0.0
	for p := range t.Len() {
		sum += t.At(session.Pos(p)).Cost
	}
	return sum
}
