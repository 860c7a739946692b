package edit

import (
	"context"
	"fmt"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/hook"
	"sessiontree/internal/session/store"
)

// BranchResult is the result of a branch: the plan that was carried out, and the
// written lines.
type BranchResult struct {
	MovePlan
	Result
}

// Branch moves the leaf to where Entry branches from. Before it changes anything, it
// runs the hooks and has a summary written if one is requested. On an error nothing was
// changed, unless the result has lines.
func Branch(ctx context.Context, s *store.Session, hooks *hook.Runner, r Request) (BranchResult, error) {
	seen := r.Precondition
	r.Precondition = store.Precondition{} // the plan must be for the current leaf
	m, err := prepareBranch(ctx, s, r)
	if err != nil {
		return BranchResult{}, err
	}
	if err := m.checkLeaf(seen); err != nil {
		return BranchResult{}, err
	}
	if m.plan.IsNoop {
		return m.noopResult(), nil
	}
	if r.Summary == SummaryByProgram {
		if err := hooks.CanSummarize(); err != nil {
			return BranchResult{}, err
		}
	}
	if err := r.checkRequest(); err != nil {
		return BranchResult{}, err
	}
	return m.askAndMove(ctx, hooks, r)
}

// checkRequest returns an error for a request that makes no sense, before hooks run.
func (r *Request) checkRequest() error {
	switch {
	case r.Summary == SummaryByUser && strings.TrimSpace(r.Text) == "":
		return fmt.Errorf("%w: the summary is empty", session.ErrInvalid)
	case r.Entry == "" && r.Summary == NoSummary && r.Label != "":
		return fmt.Errorf("%w: before the first entry there is nothing to label", session.ErrInvalid)
	}
	return nil
}

// noopResult returns the result of choosing the leaf.
func (m *leafMove) noopResult() BranchResult {
	return BranchResult{MovePlan: m.plan, Result: Result{Written: store.Written{File: m.s.Path(), Leaf: m.leaf}}}
}

func (m *leafMove) askAndMove(ctx context.Context, hooks *hook.Runner, r Request) (BranchResult, error) {
	c := session.Change{Op: session.OpBranch, Entry: r.Entry}
	if err := m.s.CheckChange(c); err != nil {
		return BranchResult{}, err
	}
	byProgram, err := m.askHooks(ctx, hooks, r, &c)
	if err != nil {
		return BranchResult{}, err
	}
	b, err := m.writeMove(ctx, hooks, c, byProgram)
	if err == nil && r.Summary == SummaryByProgram && c.Summary == nil {
		b.Warnings = append(b.Warnings, "No summary was written: the abandoned branch has no messages.")
	}
	return b, err
}

// askHooks runs the hooks and fills in the summary and the label. byProgram is set if a
// hook gave the summary.
func (m *leafMove) askHooks(ctx context.Context, hooks *hook.Runner, r Request, c *session.Change) (byProgram bool, err error) {
	said, err := hooks.BeforeTree(ctx, hookSubject(m.s), hook.Preparation{
		TargetID: m.plan.Target, OldLeafID: m.plan.OldLeaf, CommonAncestorID: m.plan.Ancestor,
		UserWantsSummary: r.Summary == SummaryByProgram, CustomInstructions: r.Instructions, ReplaceInstructions: r.ReplaceInstructions, Label: r.Label,
		Entries: m.abandonedLines(ctx), Conversation: m.conversationWriter(ctx),
	}, r.Progress)
	if err != nil {
		return false, err
	}
	c.Label, c.Summary = said.Label, said.Summary
	switch {
	case r.Summary == SummaryByUser:
		c.Summary, err = m.newSummary(ctx, r.Text)
	case said.Generated:
		c.Summary, err = m.newSummary(ctx, said.Summary.Text)
		appendFileLists(c.Summary)
	}
	return c.Summary != nil && c.Summary.Program, err
}

// writeMove makes the change, provided that the leaf is still the planned one, and
// notifies the hooks.
func (m *leafMove) writeMove(ctx context.Context, hooks *hook.Runner, c session.Change, byProgram bool) (BranchResult, error) {
	w, err := m.s.ApplyChange(ctx, c, store.Precondition{Leaf: m.leaf, HasLeaf: true})
	m.plan.Append = w.Lines
	b := BranchResult{MovePlan: m.plan, Result: Result{Written: w}}
	if err != nil {
		return b, err
	}
	notice := hook.Move{OldLeafID: m.plan.OldLeaf, NewLeafID: &w.Leaf, FromExtension: byProgram}
	if c.Summary != nil && len(w.Lines) > 0 {
		notice.SummaryEntry = w.Lines[0].Text // a label follows the entry that it names
	}
	// The client may be gone, but the leaf was moved.
	b.addWarning(hooks.AfterTree(context.WithoutCancel(ctx), hookSubject(m.s), notice))
	return b, nil
}

// PopToPrompt branches to a prompt. If r has none, it is the last one above the leaf.
func PopToPrompt(ctx context.Context, s *store.Session, hooks *hook.Runner, r Request) (BranchResult, error) {
	if r.Entry == "" {
		var err error
		if r.Entry, err = PreviousPrompt(s); err != nil {
			return BranchResult{}, err
		}
	}
	return Branch(ctx, s, hooks, r)
}

// PreviousPrompt returns the last prompt above the leaf.
func PreviousPrompt(s *store.Session) (id string, err error) {
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		for p := t.Leaf(); p != session.NoPos; p = t.Parent(p) {
			if p != t.Leaf() && t.At(p).Kind == session.KindUser {
				id = t.At(p).ID
				return
			}
		}
		err = fmt.Errorf("%w: there is no prompt above the leaf", session.ErrInvalid)
	})
	return id, err
}

// SwitchBranch makes the end of a branch the leaf, even if it is a prompt.
func SwitchBranch(ctx context.Context, s *store.Session, hooks *hook.Runner, tip string, seen store.Precondition) (BranchResult, error) {
	m, err := prepareSwitch(ctx, s, tip)
	if err == nil {
		err = m.checkLeaf(seen)
	}
	switch {
	case err != nil:
		return BranchResult{}, err
	case m.plan.IsNoop:
		return m.noopResult(), nil
	}
	c := session.Change{Op: session.OpSwitch, Entry: tip}
	if err := s.CheckChange(c); err != nil {
		return BranchResult{}, err
	}
	if _, err := m.askHooks(ctx, hooks, Request{}, &c); err != nil {
		return BranchResult{}, err
	}
	c.Label, c.Summary = "", nil // the abandoned branch gets no summary or label
	return m.writeMove(ctx, hooks, c, false)
}

// prepareSwitch prepares a switch, which leads to the target itself, whatever its kind.
func prepareSwitch(ctx context.Context, s *store.Session, tip string) (*leafMove, error) {
	m, err := prepareBranch(ctx, s, Request{Entry: tip})
	switch {
	case err != nil:
		return &leafMove{}, err
	case m.plan.Target == nil:
		return &leafMove{}, unknownEntryError(tip)
	}
	m.plan.NewLeaf, m.plan.Prefill = m.plan.Target, nil
	return m, nil
}
