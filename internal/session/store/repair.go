package store

import (
	"context"
	"errors"

	"sessiontree/internal/session"
)

// repairs is how often the leaf is given back to an agent that goes on writing in
// the same moments as we do.
const repairs = 3

// errGoesOn says that the agent's next line follows ours already, and so its own
// branch is the one that ends the file.
var errGoesOn = errors.New("the agent goes on")

// between answers the newest entry that another writer put between what a stroke
// went on from and its lines, when the lines are last: the agent would go on from
// them and lose its own. "" when there is none.
func (p *pen) between(st stroke) string {
	t := p.s.tree
	if st.start == st.before || len(st.lines) == 0 || p.s.leafID() != st.lines[len(st.lines)-1].ID {
		return ""
	}
	for at := session.Pos(t.Len()) - 1; at >= 0; at-- {
		if span := t.At(at).Span; span.File == 0 && span.Off >= st.before && span.Off < st.start {
			return t.At(at).ID
		}
	}
	return ""
}

// repair makes theirs the leaf again by a neutral line below it, which may meet
// the agent in its turn.
func (p *pen) repair(ctx context.Context, c session.Change, theirs string, w *Written) error {
	if !neutral(c.Op) {
		return tooLate(
			"The agent wrote entry %s in the same moment. What you asked for is in the file behind it; look at both before you go on.", theirs)
	}
	for range repairs {
		ours := w.Lines[len(w.Lines)-1].ID
		st, err := p.append(ctx, session.Change{Op: session.OpRepair, Entry: theirs}, func() error {
			if p.s.leafID() != ours {
				return errGoesOn
			}
			return nil
		})
		if err == errGoesOn {
			return nil
		}
		if err != nil {
			return tooLate("The change is in the file, but the agent's entry %s could not be made the leaf again: %v", theirs, err)
		}
		w.Lines = append(w.Lines, st.lines...)
		w.Repaired += len(st.lines)
		if theirs = p.between(st); theirs == "" {
			return nil
		}
	}
	return tooLate("The change is in the file, but the agent writes all the time: its entry %s is not the leaf now. Repair the leaf when it rests.", theirs)
}
