package view

import (
	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// buildFacts returns the facts of the path and of the tree.
func buildFacts(s Scene, trail *session.Trail) components.Facts {
	t, o := s.Tree, s.Outline
	f := PathFacts(s, trail)
	f.TotalCost = TotalCostText(t)
	f.Visible, f.Entries, f.Branches, f.Agents, f.Labels = components.FormatCount(o.Visible), components.FormatCount(o.Entries), o.Branches, o.Agents, len(t.Labels())
	if s.Params.Query != "" {
		f.Hits = len(o.Found)
	}
	return f
}

// PathFacts returns the facts of the viewed path.
func PathFacts(s Scene, trail *session.Trail) components.Facts {
	state := trail.State
	state.Context = s.Tree.ContextState(s.View.Leaf)
	return StateFacts(state)
}

// StateFacts returns the facts of a path from its state.
func StateFacts(s session.PathState) components.Facts {
	c := s.Context
	f := components.Facts{
		PathEntries: components.FormatCount(s.Entries),
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

// TotalCostText returns the cost of a session as shown in facts.
func TotalCostText(t *session.Tree) string { return formatDollars(t.Cost()) }
