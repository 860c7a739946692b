package comparison

import (
	"errors"
	"fmt"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/compare"
	"sessiontree/internal/session/filediff"
	"sessiontree/internal/web/view"
)

// Limits of what one page lists.
const (
	maxSteps    = 100 // pairs of prompts
	maxFailures = 50  // of a side
)

// Plan is a comparison whose entries are not read yet. It stays valid until the session is
// reloaded.
type Plan struct {
	params   Params
	result   *compare.Comparison
	steps    []compare.Step
	failures [][]filediff.Call // of each side, without the earlier ones
	earlier  []int             // failures of each side that are not listed
}

// NewPlan compares the branches that parameters name.
func NewPlan(s view.Scene, p Params) (*Plan, error) {
	ends, err := findEnds(s.Tree, p.Entries)
	if err != nil {
		return nil, err
	}
	pl := &Plan{params: p, result: compare.Paths(s.Tree, s.Costs(), ends...)}
	if len(ends) == 2 {
		pl.steps = compare.AlignTurns(&pl.result.Sides[0], &pl.result.Sides[1])
	}
	for i := range pl.result.Sides {
		failed := slices.DeleteFunc(pl.result.Sides[i].Calls(), func(c filediff.Call) bool { return !c.Failed })
		earlier := max(len(failed)-maxFailures, 0)
		pl.failures, pl.earlier = append(pl.failures, failed[earlier:]), append(pl.earlier, earlier)
	}
	return pl, nil
}

// ErrOneBranch is returned for a session that has nothing to compare.
var ErrOneBranch = errors.New("this session has only one branch")

// findEnds returns the ends of the branches that entries belong to.
func findEnds(t *session.Tree, ids []string) (ends []session.Pos, err error) {
	var entries []session.Pos
	for _, id := range ids {
		p := t.FindID(id)
		if p == session.NoPos {
			return nil, fmt.Errorf("%w: one of the branches is not in this session", session.ErrNotFound)
		}
		entries = append(entries, p)
	}
	if ends = compare.FindEnds(t, entries); len(ends) < 2 {
		return nil, ErrOneBranch
	}
	return ends, nil
}

// listedSteps returns the steps of the page.
func (pl *Plan) listedSteps() []compare.Step {
	from := min(pl.params.From, len(pl.steps))
	return pl.steps[from:min(from+maxSteps, len(pl.steps))]
}

// EditCalls returns the calls whose edits the model needs.
func (pl *Plan) EditCalls(t *session.Tree) []filediff.Call { return pl.result.EditCalls(t) }

// Positions returns the entries whose bodies the model needs, in their order.
func (pl *Plan) Positions() (all []session.Pos) {
	for _, step := range pl.listedSteps() {
		for _, turn := range []*compare.Turn{step.A, step.B} {
			if turn == nil {
				continue
			}
			for _, p := range []session.Pos{turn.Prompt, turn.Answer} {
				if p != session.NoPos {
					all = append(all, p)
				}
			}
		}
	}
	for _, calls := range pl.failures {
		for _, c := range calls {
			all = append(all, c.At, c.Result)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
