package store

import (
	"cmp"
	"slices"

	"sessiontree/internal/session"
)

// Precondition is the state that a change is requested for. Zero fields are not
// checked.
type Precondition struct {
	Leaf     string // the leaf, for changes that move it or copy to it
	HasLeaf  bool
	Label    string // of the entry to label
	HasLabel bool
	// Rev is the revision of the session, for changes that move the leaf or copy to it.
	// It is ignored if HasLeaf is set.
	Rev Revision
}

// checkPrecondition compares the precondition with the current state.
func (u update) checkPrecondition(c session.Change, seen Precondition) error {
	switch c.Op {
	case session.OpLabel:
		return u.checkExpectedLabel(c, seen)
	case session.OpRepair: // it must not take the leaf from an agent that continued
		if p := u.s.tree.NewerActivity(); p == session.NoPos || u.s.tree.At(p).ID != c.Entry {
			return newRefusal(session.ErrConflict, "The session has changed since you opened it: entry %s is not its newest activity on another branch.", c.Entry)
		}
	case session.OpBranch, session.OpSwitch, session.OpCopy:
		leaf := u.leafID()
		switch {
		case seen.HasLeaf && leaf != seen.Leaf:
			return newRefusal(session.ErrConflict, "The session has changed since you opened it: it now ends at entry %s.", cmp.Or(leaf, "none"))
		case !seen.HasLeaf && seen.Rev != (Revision{}) && seen.Rev != u.s.Revision():
			return newRefusal(session.ErrConflict, "The session has changed since you opened it.")
		}
	}
	return nil
}

func (u update) checkExpectedLabel(c session.Change, seen Precondition) error {
	if !seen.HasLabel {
		return nil
	}
	p := u.s.tree.FindID(c.Entry)
	if p == session.NoPos {
		return nil // the encoder reports it
	}
	l, ok := u.s.tree.Label(p)
	switch {
	case l.Text == seen.Label || !ok && seen.Label == "":
		return nil
	case !ok:
		return newRefusal(session.ErrConflict, "The label was removed since you opened the session.")
	}
	return newRefusal(session.ErrConflict, "The label was changed to %q since you opened the session.", l.Text)
}

// keepsLeaf reports whether a change leaves the agent where it is.
func keepsLeaf(op session.Op) bool {
	return slices.Contains([]session.Op{session.OpLabel, session.OpName, session.OpRepair}, op)
}

// leafID returns the id of the leaf, "" if there is none.
func (u update) leafID() string {
	if p := u.s.tree.Leaf(); p != session.NoPos {
		return u.s.tree.At(p).ID
	}
	return ""
}
