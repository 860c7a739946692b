package edit

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// Request is a branch in place as asked for.
type Request struct {
	Entry string // "" = before the first entry
	Seen  store.Seen
	// Summary says who writes what is said of the branch left behind.
	Summary SummaryBy
	Text    string // ByUser: the summary
	// Instructions are the user's own for ByProgram, after the usual ones or with
	// Replace in their place.
	Instructions string
	Replace      bool
	Label        string
	Progress     func(string) // is told how a program goes on; may be nil
}

// SummaryBy says who writes a summary.
type SummaryBy uint8

// The ways to come by a summary.
const (
	ByNobody SummaryBy = iota // there is none
	ByUser
	ByProgram
)

// Plan is what a branch does, for people to look at. An absent id is the place
// before the first entry.
type Plan struct {
	Target, OldLeaf, Ancestor, NewLeaf *string

	Abandoned []string // ids, oldest first
	Prefill   *string  // the prompt to begin from, in full
	Noop      bool     // the target is the leaf
	Append    []session.Line
	Refused   string // why it cannot be done as things are
	Resume    string // command with which the agent goes on, "" when none
	Live      string // what to say of an agent that may be running, "" when none is
}

// Preview answers what Branch would do. With Seen.HasLeaf the agent is taken to
// stand there; the lines are those for where it does stand. The ids of the lines
// are examples, and so is a summary that a program is to write.
func Preview(ctx context.Context, s *store.Session, r Request) (Plan, error) {
	m, err := prepare(ctx, s, r)
	if err != nil {
		return Plan{}, err
	}
	if m.plan.Noop {
		return m.plan, nil
	}
	summary, err := m.example(ctx, r)
	if err != nil {
		return m.plan, err
	}
	m.plan.Append, err = s.Preview(ctx, session.Change{Op: session.OpBranch, Entry: r.Entry, Label: r.Label, Summary: summary})
	m.refusal(&err)
	return m.plan, err
}

// PreviewSwitch answers what Switch would do.
func PreviewSwitch(ctx context.Context, s *store.Session, tip string) (Plan, error) {
	m, err := prepareSwitch(ctx, s, tip)
	if err != nil || m.plan.Noop {
		return m.plan, err
	}
	m.plan.Append, err = s.Preview(ctx, session.Change{Op: session.OpSwitch, Entry: tip})
	m.refusal(&err)
	return m.plan, err
}

// refusal takes in why a move cannot be made: where it leads is told all the same.
func (m *move) refusal(err *error) {
	m.plan.Refused = m.s.Abilities().Branch.Reason
	if errors.Is(*err, session.ErrInvalid) || errors.Is(*err, session.ErrConflict) {
		m.plan.Refused, *err = (*err).Error(), nil
	}
}

func (m *move) example(ctx context.Context, r Request) (*session.Summary, error) {
	text := r.Text
	switch {
	case r.Summary == ByNobody || r.Summary == ByProgram && len(m.left) == 0:
		return nil, nil
	case r.Summary == ByProgram:
		text = "(the summary, once it is written)"
	}
	return m.summary(ctx, text)
}

// move is a move of the leaf in preparation.
type move struct {
	s    *store.Session
	at   session.Plan
	leaf string // id of the leaf as it is, "" when there is none
	plan Plan
	left []left
}

// left is an entry left behind.
type left struct {
	pos   session.Pos
	kind  session.Kind
	flags session.Flags
	role  string
	name  string
}

// prepare finds out where a branch leads.
func prepare(ctx context.Context, s *store.Session, r Request) (*move, error) {
	m := &move{s: s}
	var err error
	s.Read(func(t *session.Tree, _ store.Rev) {
		from := t.Leaf()
		var target session.Pos
		if target, err = position(t, r.Entry); err == nil && r.Seen.HasLeaf {
			from, err = position(t, r.Seen.Leaf)
		}
		if err == nil {
			m.take(t, t.Plan(target, from))
		}
	})
	if err != nil {
		return nil, err
	}
	m.plan.Live = Live(s)
	return m, m.prefill(ctx)
}

// position is where an id stands; "" is before the first entry.
func position(t *session.Tree, id string) (session.Pos, error) {
	p := t.Find(id)
	if p == session.NoPos && id != "" {
		return p, unknown(id)
	}
	return p, nil
}

// take keeps of the tree what is needed of it.
func (m *move) take(t *session.Tree, at session.Plan) {
	m.at = at
	if leaf := name(t, t.Leaf()); leaf != nil {
		m.leaf = *leaf
	}
	m.plan = Plan{Target: name(t, at.Target), OldLeaf: name(t, at.OldLeaf), Ancestor: name(t, at.Ancestor), NewLeaf: name(t, at.NewLeaf),
		Noop: at.Noop, Abandoned: make([]string, len(at.Abandoned)), Resume: t.Header().Resume}
	m.left = make([]left, len(at.Abandoned))
	for i, p := range at.Abandoned {
		e := t.At(p)
		m.plan.Abandoned[i] = e.ID
		m.left[i] = left{p, e.Kind, e.Flags, e.Role, e.Name}
	}
}

// name is the id of p, nil for the place before the first entry.
func name(t *session.Tree, p session.Pos) *string {
	if p == session.NoPos {
		return nil
	}
	id := t.At(p).ID
	return &id
}

// prefill reads the text of the prompt that is chosen again.
func (m *move) prefill(ctx context.Context) error {
	if !m.at.Prefill {
		return nil
	}
	body, err := m.s.Body(ctx, m.at.Target)
	if err != nil {
		return err
	}
	text := textOf(body)
	m.plan.Prefill = &text
	return nil
}

// textOf is the text of a message, its blocks joined without a separator, as pi
// puts it back into its editor.
func textOf(b session.Body) string {
	var text strings.Builder
	for i := range b.Blocks {
		if b.Blocks[i].Kind == session.BlockText {
			text.WriteString(b.Blocks[i].Text)
		}
	}
	return text.String()
}

// conflict reports whether the leaf is another than the one that was seen.
func (m *move) conflict(seen store.Seen) error {
	if !seen.HasLeaf || seen.Leaf == m.leaf {
		return nil
	}
	ends := "has no entries now"
	if m.leaf != "" {
		ends = "now ends at entry " + m.leaf
	}
	return &store.Refusal{Kind: session.ErrConflict, Text: fmt.Sprintf("The session has gone on since you looked: it %s.", ends)}
}
