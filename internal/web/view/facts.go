package view

import (
	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// facts counts what stands above the path and below the tree.
func (b *Builder) facts(s Scene, path []session.Pos) components.Facts {
	t, o := s.Tree, s.Outline
	f := b.PathFacts(s, path)
	f.TotalCost = TotalCost(t)
	f.Visible, f.Entries, f.Branches, f.Agents, f.Labels = comma(o.Visible), comma(o.Entries), o.Branches, o.Agents, len(t.Labels())
	if s.Params.Query != "" {
		f.Hits = len(o.Found)
	}
	return f
}

// PathFacts is what facts tell of the viewed path.
func (b *Builder) PathFacts(s Scene, path []session.Pos) components.Facts {
	return b.StateFacts(session.PathState{Context: s.Tree.ContextState(s.View.Leaf), Entries: len(path), Cost: costOf(s.Tree, path)})
}

// StateFacts are the facts of a path by its state.
func (b *Builder) StateFacts(s session.PathState) components.Facts {
	c := s.Context
	f := components.Facts{
		PathEntries: comma(s.Entries),
		Cost:        dollars(s.Cost),
		Model:       oneLine(c.Model),
		Thinking:    oneLine(c.Thinking),
		Hits:        -1,
	}
	if c.Tokens > 0 {
		f.Tokens = tokens(c.Tokens)
	}
	return f
}

// TotalCost is what a session cost, as facts write it.
func TotalCost(t *session.Tree) string { return dollars(totalCost(t)) }

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
