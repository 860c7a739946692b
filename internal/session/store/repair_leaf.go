package store

import (
	"context"
	"errors"

	"sessiontree/internal/session"
)

// maxLeafRepairs is how often the leaf is restored for an agent that keeps writing at
// the same time.
const maxLeafRepairs = 3

// errAgentContinued says that the agent's next line follows ours already, so that its
// branch ends the file.
var errAgentContinued = errors.New("the agent continued")

// findInterleavedEntry returns the newest entry that another writer appended between
// the refresh and our lines, if ours are the last: the agent would continue from our
// lines and lose its own. It returns "" if there is none.
func (p *writer) findInterleavedEntry(st appendOp) string {
	t := p.session.tree
	if st.start == st.sizeBefore || len(st.lines) == 0 || p.update.leafID() != st.lines[len(st.lines)-1].ID {
		return ""
	}
	for at := session.Pos(t.Len()) - 1; at >= 0; at-- {
		if span := t.At(at).Span; span.File == 0 && span.Off >= st.sizeBefore && span.Off < st.start {
			return t.At(at).ID
		}
	}
	return ""
}

// repairLeaf makes theirs the leaf again by a neutral line below it. The agent may
// interleave with that line too.
func (p *writer) repairLeaf(ctx context.Context, c session.Change, theirs string, w *Written) error {
	if !keepsLeaf(c.Op) {
		return newWrittenRefusal(
			"The agent wrote entry %s at the same moment. Your change is in the file after it; look at both before you continue.", theirs)
	}
	for range maxLeafRepairs {
		ours := w.Lines[len(w.Lines)-1].ID
		st, err := p.appendChange(ctx, session.Change{Op: session.OpRepair, Entry: theirs}, func() error {
			if p.update.leafID() != ours {
				return errAgentContinued
			}
			return nil
		})
		if err == errAgentContinued {
			return nil
		}
		if err != nil {
			return newWrittenRefusal("The change is in the file, but the agent's entry %s could not be made the leaf again: %v", theirs, err)
		}
		w.Lines = append(w.Lines, st.lines...)
		w.Repaired += len(st.lines)
		if theirs = p.findInterleavedEntry(st); theirs == "" {
			return nil
		}
	}
	return newWrittenRefusal("The change is in the file, but the agent keeps writing: its entry %s is not the leaf now. Repair the leaf when it pauses.", theirs)
}
