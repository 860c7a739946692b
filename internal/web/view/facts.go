package view

import (
	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// buildFacts counts what stands above the path and below the tree.
func (b *Builder) buildFacts(s Scene, path []session.Pos) components.Facts {
	t, o := s.Tree, s.Outline
	f := b.PathFacts(s, path)
	f.TotalCost = TotalCostText(t)
	f.Visible, f.Entries, f.Branches, f.Agents, f.Labels = formatCount(o.Visible), formatCount(o.Entries), o.Branches, o.Agents, len(t.Labels())
	if s.Params.Query != "" {
		f.Hits = len(o.Found)
	}
	return f
}

// PathFacts is what facts tell of the viewed path.
func (b *Builder) PathFacts(s Scene, path []session.Pos) components.Facts {
	return b.StateFacts(session.PathState{Context: s.Tree.ContextState(s.View.Leaf), Entries: len(path), Cost: pathCost(s.Tree, path)})
}

// StateFacts are the facts of a path by its state.
func (b *Builder) StateFacts(s session.PathState) components.Facts {
	c := s.Context
	f := components.Facts{
		PathEntries: formatCount(s.Entries),
		Cost:        formatDollars(s.Cost),
		Model:       oneLine(c.Model),
		Thinking:    oneLine(c.Thinking),
		Hits:        -1,
	}
	if c.Tokens > 0 {
		f.Tokens = formatTokens(c.Tokens)
	}
	return f
}

// TotalCostText is what a session cost, as facts write it.
func TotalCostText(t *session.Tree) string { return formatDollars(sessionCost(t)) }

func pathCost(t *session.Tree, path []session.Pos) float64 {
	sum := 0.0
	for _, p := range path {
		sum += t.At(p).Cost()
	}
	return sum
}

func sessionCost(t *session.Tree) float64 {
	sum := 0.0
	for p := range t.Len() {
		sum += t.At(session.Pos(p)).Cost()
	}
	return sum
}
