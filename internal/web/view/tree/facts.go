package tree

import (
	"fmt"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/spend"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// buildFacts returns the facts of the path and of the tree.
func buildFacts(s view.Scene, trail *session.Trail) components.Facts {
	t, o := s.Tree, s.Outline
	f := PathFacts(s, trail)
	f.Spent = SpentModel(s)
	f.Visible, f.Entries, f.Branches, f.Agents, f.Labels = components.FormatCount(o.Visible), components.FormatCount(o.Entries), o.Branches, o.Agents, len(t.Labels())
	f.Hidden = max(o.Entries-o.Visible, 0)
	f.Calls, f.Failed = t.CallCounts()
	if s.Params.Query != "" {
		f.Hits = len(o.Found)
	}
	return f
}

// PathFacts returns the facts of the viewed path, without what it cost.
func PathFacts(s view.Scene, trail *session.Trail) components.Facts {
	state := trail.State
	state.Context = s.Tree.ContextState(s.View.Leaf)
	f := StateFacts(state)
	if s.Audience.Snapshot == nil {
		f.Context = s.Params.WithEntry("", s.Params.Leaf).Href(s.Base() + "/context")
		if window := s.Config.PriceTable().Window(state.Context.Model); window > 0 {
			f.ContextUse = int(min(1000*state.Context.Tokens/window, 1000))
		}
	}
	return f
}

// StateFacts returns the facts of a path from its state, without what it cost.
func StateFacts(s session.PathState) components.Facts {
	c := s.Context
	f := components.Facts{
		PathEntries: components.FormatCount(s.Entries),
		Model:       view.OneLine(c.Model),
		Thinking:    view.OneLine(c.Thinking),
		Hits:        -1,
	}
	if c.Tokens > 0 {
		f.Tokens = view.FormatTokens(c.Tokens)
	}
	return f
}

// SpentModel returns what the session and the viewed path cost, nil if there are no requests.
func SpentModel(s view.Scene) *components.Spent {
	costs := s.Costs()
	spent := costs.Total()
	sums := &spent.Sums
	if sums.Requests == 0 {
		return nil
	}
	if s.View.Leaf != s.Tree.Leaf() {
		spent.Path = costs.PathCost(s.View.Leaf)
	}
	m := &components.Spent{
		Path: PathCostText(spent.Path, sums), Total: PathCostText(sums.Cost, sums), Left: PathCostText(spent.Left, sums),
		Prices: "Costs that the agent recorded, else API prices of " + s.Config.PriceTable().Date.Format("2 January 2006") + "; a subscription may cost less.",
	}
	if s.Audience.Snapshot == nil {
		m.All = "/spend"
	}
	if sums.Cost > 0 {
		m.LeftShare = fmt.Sprintf("%.0f%%", 100*spent.Left/sums.Cost)
	}
	if sums.Unpriced > 0 {
		m.Unpriced = components.Pluralize(int(sums.Unpriced), "request", "requests") + " without a price"
	}
	m.Rows = spentRows(sums, costs.AllOthers())
	return m
}

// PathCostText writes what a part of a session cost, "-" if no request of the session has a
// price.
func PathCostText(cost float64, session *spend.Sums) string {
	return view.FormatKnownDollars(cost, session.Unpriced > 0 && session.Cost == 0)
}

// spentRows returns the numbers of a session's requests. Others are requests without a line.
func spentRows(sums, others *spend.Sums) []components.Fact {
	rows := []components.Fact{
		{Name: "Requests", Value: components.FormatCount(int(sums.Requests))},
		{Name: "Input", Value: view.FormatTokens(sums.Input)},
		{Name: "Output", Value: view.FormatTokens(sums.Output)},
		{Name: "Thinking", Value: view.FormatTokens(sums.Thinking)},
		{Name: "Cache read", Value: view.FormatTokens(sums.CacheRead)},
		{Name: "Cache write, 5 min", Value: view.FormatTokens(sums.CacheWrite - sums.CacheWrite1h)},
		{Name: "Cache write, 1 h", Value: view.FormatTokens(sums.CacheWrite1h)},
		{Name: "Other requests", Value: view.FormatDollars(others.Cost)},
		{Name: "Failed tool calls", Value: components.FormatCount(int(sums.ToolFailures)) + " of " + components.FormatCount(int(sums.ToolCalls))},
		{Name: "Waiting for the model", Value: view.FormatDuration(sums.ModelWait)},
		{Name: "Waiting for tools", Value: view.FormatDuration(sums.ToolWait)},
	}
	return slices.DeleteFunc(rows, func(f components.Fact) bool { return f.Value == "" || f.Value == "0" || f.Value == "0 of 0" })
}
