package edit

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// Request is a requested branch in place.
type Request struct {
	Entry        string // "" = before the first entry
	Precondition store.Precondition
	// Summary says who writes the summary of the abandoned branch.
	Summary SummaryBy
	Text    string // SummaryByUser: the summary
	// Instructions are the user's instructions for SummaryByProgram. They follow the
	// default ones, or replace them if ReplaceInstructions is set.
	Instructions        string
	ReplaceInstructions bool
	Label               string
	Progress            func(string) // receives progress messages of a program; may be nil
}

// SummaryBy is who writes a summary.
type SummaryBy uint8

// The values of SummaryBy.
const (
	NoSummary SummaryBy = iota // no summary
	SummaryByUser
	SummaryByProgram
)

// MovePlan is what a branch would do, for people. A nil id is the place before the
// first entry.
type MovePlan struct {
	Target, OldLeaf, Ancestor, NewLeaf *string

	Abandoned     []string // ids, oldest first
	Prefill       *string  // full text of the prompt to start from
	IsNoop        bool     // the target is the leaf
	Append        []session.Line
	RefusedReason string // why the move is not possible now, or ""
	Resume        string // command that continues the session in its agent, or ""
	LiveWarning   string // warning that the agent may be running, or ""
}

// PreviewBranch returns what Branch would do. If Precondition.HasLeaf is set, the plan
// starts at that leaf, but the lines are those for the current one. Ids of lines are
// examples, and so is a summary by a program.
func PreviewBranch(ctx context.Context, s *store.Session, r Request) (MovePlan, error) {
	m, err := prepareBranch(ctx, s, r)
	if err != nil {
		return MovePlan{}, err
	}
	if m.plan.IsNoop {
		return m.plan, nil
	}
	summary, err := m.exampleSummary(ctx, r)
	if err != nil {
		return m.plan, err
	}
	m.plan.Append, err = s.PreviewChange(ctx, session.Change{Op: session.OpBranch, Entry: r.Entry, Label: r.Label, Summary: summary})
	m.setRefusal(&err)
	return m.plan, err
}

// PreviewSwitch returns what SwitchBranch would do.
func PreviewSwitch(ctx context.Context, s *store.Session, tip string) (MovePlan, error) {
	m, err := prepareSwitch(ctx, s, tip)
	if err != nil || m.plan.IsNoop {
		return m.plan, err
	}
	m.plan.Append, err = s.PreviewChange(ctx, session.Change{Op: session.OpSwitch, Entry: tip})
	m.setRefusal(&err)
	return m.plan, err
}

// setRefusal stores the reason why a move is not possible in the plan, which remains
// valid otherwise.
func (m *leafMove) setRefusal(err *error) {
	m.plan.RefusedReason = m.s.Capabilities().Branch.Reason
	if errors.Is(*err, session.ErrInvalid) || errors.Is(*err, session.ErrConflict) {
		m.plan.RefusedReason, *err = (*err).Error(), nil
	}
}

func (m *leafMove) exampleSummary(ctx context.Context, r Request) (*session.Summary, error) {
	text := r.Text
	switch {
	case r.Summary == NoSummary || r.Summary == SummaryByProgram && len(m.abandoned) == 0:
		return nil, nil
	case r.Summary == SummaryByProgram:
		text = "(the summary, once it is written)"
	}
	return m.newSummary(ctx, text)
}

// leafMove is a prepared move of the leaf.
type leafMove struct {
	s          *store.Session
	branchPlan session.BranchPlan
	leaf       string // id of the current leaf, or ""
	plan       MovePlan
	abandoned  []abandonedEntry
}

// abandonedEntry is an entry of the abandoned branch.
type abandonedEntry struct {
	pos   session.Pos
	kind  session.Kind
	flags session.Flags
	role  string
	name  string
}

// prepareBranch computes where a branch leads.
func prepareBranch(ctx context.Context, s *store.Session, r Request) (*leafMove, error) {
	m := &leafMove{s: s}
	var err error
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		from := t.Leaf()
		var target session.Pos
		if target, err = findTarget(t, r.Entry); err == nil && r.Precondition.HasLeaf {
			from, err = findTarget(t, r.Precondition.Leaf)
		}
		if err == nil {
			m.copyFromTree(t, session.PlanBranch(t, target, from))
		}
	})
	if err != nil {
		return nil, err
	}
	m.plan.LiveWarning = LiveWarning(s)
	return m, m.readPrefill(ctx)
}

// findTarget returns the position of an id, NoPos for "".
func findTarget(t *session.Tree, id string) (session.Pos, error) {
	p := t.FindID(id)
	if p == session.NoPos && id != "" {
		return p, unknownEntryError(id)
	}
	return p, nil
}

// copyFromTree copies what the move needs from the tree.
func (m *leafMove) copyFromTree(t *session.Tree, at session.BranchPlan) {
	m.branchPlan = at
	if leaf := idAt(t, t.Leaf()); leaf != nil {
		m.leaf = *leaf
	}
	m.plan = MovePlan{Target: idAt(t, at.Target), OldLeaf: idAt(t, at.OldLeaf), Ancestor: idAt(t, at.Ancestor), NewLeaf: idAt(t, at.NewLeaf),
		IsNoop: at.IsNoop, Abandoned: make([]string, len(at.Abandoned)), Resume: t.Header().Resume}
	m.abandoned = make([]abandonedEntry, len(at.Abandoned))
	for i, p := range at.Abandoned {
		e := t.At(p)
		m.plan.Abandoned[i] = e.ID
		m.abandoned[i] = abandonedEntry{p, e.Kind, e.Flags, e.Role, e.Name}
	}
}

// idAt returns the id of p, nil for the place before the first entry.
func idAt(t *session.Tree, p session.Pos) *string {
	if p == session.NoPos {
		return nil
	}
	id := t.At(p).ID
	return &id
}

// readPrefill reads the text of the chosen prompt.
func (m *leafMove) readPrefill(ctx context.Context) error {
	if !m.branchPlan.Prefill {
		return nil
	}
	body, err := m.s.ReadBody(ctx, m.branchPlan.Target)
	if err != nil {
		return err
	}
	text := joinTextBlocks(body)
	m.plan.Prefill = &text
	return nil
}

// joinTextBlocks returns the text blocks of a message joined without a separator, as pi
// puts them back into its editor.
func joinTextBlocks(b session.Body) string {
	var text strings.Builder
	for i := range b.Blocks {
		if b.Blocks[i].Kind == session.BlockText {
			text.WriteString(b.Blocks[i].Text)
		}
	}
	return text.String()
}

// checkLeaf returns an error if the leaf differs from the expected one.
func (m *leafMove) checkLeaf(seen store.Precondition) error {
	if !seen.HasLeaf || seen.Leaf == m.leaf {
		return nil
	}
	ends := "has no entries now"
	if m.leaf != "" {
		ends = "now ends at entry " + m.leaf
	}
	return &store.Refusal{Kind: session.ErrConflict, Text: fmt.Sprintf("The session has changed since you opened it: it %s.", ends)}
}
