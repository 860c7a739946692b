package edit

import (
	"context"
	"fmt"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/hook"
	"sessiontree/internal/session/store"
)

// Branched is what became of a branch: the plan as it was carried out, the lines
// as they were written.
type Branched struct {
	Plan
	Result
}

// Branch moves the leaf to where Entry branches from. Programs that listen are
// asked, a summary is written if one is wanted, and only then is anything
// changed. On an error nothing is, unless lines are answered beside it.
func Branch(ctx context.Context, s *store.Session, hooks *hook.Runner, r Request) (Branched, error) {
	seen := r.Seen
	r.Seen = store.Seen{} // the plan is for where the agent stands
	m, err := prepare(ctx, s, r)
	if err != nil {
		return Branched{}, err
	}
	if err := m.conflict(seen); err != nil {
		return Branched{}, err
	}
	if m.plan.Noop {
		return m.idle(), nil
	}
	if r.Summary == ByProgram {
		if err := hooks.CanSummarize(); err != nil {
			return Branched{}, err
		}
	}
	if err := r.check(); err != nil {
		return Branched{}, err
	}
	return m.carryOut(ctx, hooks, r)
}

// check finds what makes no sense before anybody is asked.
func (r *Request) check() error {
	switch {
	case r.Summary == ByUser && strings.TrimSpace(r.Text) == "":
		return fmt.Errorf("%w: the summary is empty", session.ErrInvalid)
	case r.Entry == "" && r.Summary == ByNobody && r.Label != "":
		return fmt.Errorf("%w: before the first entry there is nothing to label", session.ErrInvalid)
	}
	return nil
}

// idle is what becomes of choosing the leaf: nothing.
func (m *move) idle() Branched {
	return Branched{Plan: m.plan, Result: Result{Written: store.Written{File: m.s.Path(), Leaf: m.leaf}}}
}

func (m *move) carryOut(ctx context.Context, hooks *hook.Runner, r Request) (Branched, error) {
	c := session.Change{Op: session.OpBranch, Entry: r.Entry}
	if err := m.s.Able(c); err != nil {
		return Branched{}, err
	}
	byProgram, err := m.ask(ctx, hooks, r, &c)
	if err != nil {
		return Branched{}, err
	}
	b, err := m.write(ctx, hooks, c, byProgram)
	if err == nil && r.Summary == ByProgram && c.Summary == nil {
		b.Warnings = append(b.Warnings, "No summary was written: nothing was said on the branch that is left.")
	}
	return b, err
}

// ask asks the programs that listen and fills in the summary and the label.
// byProgram: one that listens gave the summary.
func (m *move) ask(ctx context.Context, hooks *hook.Runner, r Request, c *session.Change) (byProgram bool, err error) {
	said, err := hooks.BeforeTree(ctx, subject(m.s), hook.Preparation{
		TargetID: m.plan.Target, OldLeafID: m.plan.OldLeaf, CommonAncestorID: m.plan.Ancestor,
		UserWantsSummary: r.Summary == ByProgram, CustomInstructions: r.Instructions, ReplaceInstructions: r.Replace, Label: r.Label,
		Entries: m.recorded(ctx), Conversation: m.conversation(ctx),
	}, r.Progress)
	if err != nil {
		return false, err
	}
	c.Label, c.Summary = said.Label, said.Summary
	switch {
	case r.Summary == ByUser:
		c.Summary, err = m.summary(ctx, r.Text)
	case said.Generated:
		c.Summary, err = m.summary(ctx, said.Summary.Text)
		withFiles(c.Summary)
	}
	return c.Summary != nil && c.Summary.Program, err
}

// write makes the change, provided that the agent still stands where the branch
// is left, and tells of it.
func (m *move) write(ctx context.Context, hooks *hook.Runner, c session.Change, byProgram bool) (Branched, error) {
	w, err := m.s.Apply(ctx, c, store.Seen{Leaf: m.leaf, HasLeaf: true})
	m.plan.Append = w.Lines
	b := Branched{Plan: m.plan, Result: Result{Written: w}}
	if err != nil {
		return b, err
	}
	told := hook.Move{OldLeafID: m.plan.OldLeaf, NewLeafID: &w.Leaf, FromExtension: byProgram}
	if c.Summary != nil && len(w.Lines) > 0 {
		told.SummaryEntry = w.Lines[0].Text // a label comes after what it names
	}
	// The move is made; that the one who asked has gone does not undo it.
	b.warn(hooks.AfterTree(context.WithoutCancel(ctx), subject(m.s), told))
	return b, nil
}

// Pop branches to a prompt, the last one above the leaf when r names none.
func Pop(ctx context.Context, s *store.Session, hooks *hook.Runner, r Request) (Branched, error) {
	if r.Entry == "" {
		var err error
		if r.Entry, err = Previous(s); err != nil {
			return Branched{}, err
		}
	}
	return Branch(ctx, s, hooks, r)
}

// Previous is the last prompt above the leaf.
func Previous(s *store.Session) (id string, err error) {
	s.Read(func(t *session.Tree, _ store.Rev) {
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

// Switch makes the end of a branch the leaf, a prompt too.
func Switch(ctx context.Context, s *store.Session, hooks *hook.Runner, tip string, seen store.Seen) (Branched, error) {
	m, err := prepareSwitch(ctx, s, tip)
	if err == nil {
		err = m.conflict(seen)
	}
	switch {
	case err != nil:
		return Branched{}, err
	case m.plan.Noop:
		return m.idle(), nil
	}
	c := session.Change{Op: session.OpSwitch, Entry: tip}
	if err := s.Able(c); err != nil {
		return Branched{}, err
	}
	if _, err := m.ask(ctx, hooks, Request{}, &c); err != nil {
		return Branched{}, err
	}
	c.Label, c.Summary = "", nil // a branch is left for another as it is
	return m.write(ctx, hooks, c, false)
}

// prepareSwitch finds out where a switch leads: to the target itself, whatever it
// is.
func prepareSwitch(ctx context.Context, s *store.Session, tip string) (*move, error) {
	m, err := prepare(ctx, s, Request{Entry: tip})
	switch {
	case err != nil:
		return &move{}, err
	case m.plan.Target == nil:
		return &move{}, unknown(tip)
	}
	m.plan.NewLeaf, m.plan.Prefill = m.plan.Target, nil
	return m, nil
}
