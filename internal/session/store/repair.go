package store

import (
	"context"
	"errors"
	"fmt"

	"sessiontree/internal/session"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/scan"
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

// EndTornLine appends the newline that the last line lacks, so that other lines can follow. It
// refuses while the line may still be written, and does nothing if the file ends with a newline.
func (s *Session) EndTornLine(ctx context.Context) error {
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	if can := s.Capabilities(); s.currentHeader().IsNewerVersion {
		return newRefusal(session.ErrConflict, "%s", can.Branch.Reason)
	}
	h, err := acquireWriteLock(ctx, s)
	if err != nil {
		return err
	}
	err = h.appendLineEnd(s)
	h.releaseWriteLock()
	if err != nil {
		return err
	}
	_, err = s.Refresh(context.WithoutCancel(ctx))
	return err
}

// appendLineEnd appends the newline that the last line of the session s lacks.
func (h *writeLock) appendLineEnd(s *Session) error {
	info, err := h.file.Stat()
	if err != nil {
		return s.at.PathError(err)
	}
	whole, err := safefile.EndsWithNewline(h.file, info.Size())
	if err != nil || whole {
		return err
	}
	if !session.IsTornByCrash(info.ModTime().UnixMilli(), s.lib.now().UnixMilli()) {
		return newRefusal(session.ErrConflict, "The last line was written a moment ago: its agent may still be writing it.")
	}
	s.lib.own.Begin(s.at.Path, s.lib.own.AgentWrote(s.at.Path, info.Size(), info.ModTime().UnixNano()))
	var after *scan.Checkpoint
	defer func() { s.lib.own.End(s.at.Path, after) }()
	if _, err := safefile.AppendOnce(h.file, []byte("\n"), info.Size()); err != nil {
		return fmt.Errorf("%s: %w", s.at.Path, err)
	}
	if now, err := h.file.Stat(); err == nil && now.Size() == info.Size()+1 {
		after = &scan.Checkpoint{Size: now.Size(), Mtime: now.ModTime().UnixNano()}
	}
	if err := h.file.Sync(); err != nil {
		return safefile.NewUnconfirmedError(s.at.Path, "the line was ended", err)
	}
	return nil
}
