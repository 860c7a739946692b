package tree

import (
	"cmp"
	"fmt"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/spend"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// buildFacts returns the facts of the path and of the tree.
func buildFacts(s view.Scene, trail *session.Trail, a SessionInfo) components.Facts {
	t, o := s.Tree, s.Outline
	f := PathFacts(s, trail)
	if f.TotalCost = TotalCostText(t); a.Prices != nil { // not for viewers of copies
		f.Cost, f.TotalCost, f.Spent = "", "", spentModel(s, a)
	}
	f.Visible, f.Entries, f.Branches, f.Agents, f.Labels = components.FormatCount(o.Visible), components.FormatCount(o.Entries), o.Branches, o.Agents, len(t.Labels())
	f.Calls, f.Failed = t.CallCounts()
	if s.Params.Query != "" {
		f.Hits = len(o.Found)
	}
	return f
}

// PathFacts returns the facts of the viewed path.
func PathFacts(s view.Scene, trail *session.Trail) components.Facts {
	state := trail.State
	state.Context = s.Tree.ContextState(s.View.Leaf)
	return StateFacts(state)
}

// StateFacts returns the facts of a path from its state.
func StateFacts(s session.PathState) components.Facts {
	c := s.Context
	f := components.Facts{
		PathEntries: components.FormatCount(s.Entries),
		Cost:        view.FormatDollars(s.Cost),
		Model:       view.OneLine(c.Model),
		Thinking:    view.OneLine(c.Thinking),
		Hits:        -1,
	}
	if c.Tokens > 0 {
		f.Tokens = view.FormatTokens(c.Tokens)
	}
	return f
}

// spentModel returns what the session and the viewed path cost, nil if there are no requests.
func spentModel(s view.Scene, a SessionInfo) *components.Spent {
	t, owns := s.Tree, a.Owns
	if !a.SharesRequests && len(t.SessionIDs()) == 1 {
		owns = nil
	}
	spent := spend.OfTree(t, a.Prices, owns, s.View.Leaf)
	sums := &spent.Sums
	if sums.Requests == 0 {
		return nil
	}
	dollars := func(cost float64) string { return cmp.Or(view.FormatDollars(cost), "$0.00") }
	m := &components.Spent{Path: dollars(spent.Path), Total: dollars(sums.Cost), Left: dollars(spent.Left)}
	if sums.Cost > 0 {
		m.LeftShare = fmt.Sprintf("%.0f%%", 100*spent.Left/sums.Cost)
	}
	if sums.Unpriced > 0 {
		m.Unpriced = components.Pluralize(int(sums.Unpriced), "request", "requests") + " without a price"
		if sums.Cost == 0 {
			m.Path, m.Total, m.Left, m.LeftShare = "-", "-", "-", ""
		}
	}
	m.Rows = spentRows(sums)
	return m
}

// spentRows returns the numbers of a session's requests.
func spentRows(sums *spend.Sums) []components.Fact {
	rows := []components.Fact{
		{Name: "Requests", Value: components.FormatCount(int(sums.Requests))},
		{Name: "Input", Value: view.FormatTokens(sums.Input)},
		{Name: "Output", Value: view.FormatTokens(sums.Output)},
		{Name: "Cache read", Value: view.FormatTokens(sums.CacheRead)},
		{Name: "Cache write, 5 min", Value: view.FormatTokens(sums.CacheWrite - sums.CacheWrite1h)},
		{Name: "Cache write, 1 h", Value: view.FormatTokens(sums.CacheWrite1h)},
		{Name: "Failed tool calls", Value: components.FormatCount(int(sums.ToolFailures)) + " of " + components.FormatCount(int(sums.ToolCalls))},
		{Name: "Waiting for the model", Value: view.FormatDuration(sums.ModelWait)},
		{Name: "Waiting for tools", Value: view.FormatDuration(sums.ToolWait)},
	}
	return slices.DeleteFunc(rows, func(f components.Fact) bool { return f.Value == "" || f.Value == "0" || f.Value == "0 of 0" })
}

// TotalCostText returns the cost of a session as shown in facts.
func TotalCostText(t *session.Tree) string { return view.FormatDollars(t.Cost()) }
