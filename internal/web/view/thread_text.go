package view

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
)

// ThreadKind returns whether p belongs to an agent, a session or a retracted branch.
func ThreadKind(t *session.Tree, p session.Pos) string {
	switch e := t.At(p); {
	case e.HasFlag(session.FlagAgent):
		return "agent"
	case e.HasFlag(session.FlagRetracted):
		return KindRetracted
	}
	return "session"
}

// ThreadTitle returns the title of the thread that begins at p.
func ThreadTitle(t *session.Tree, p session.Pos) string {
	if title := t.ThreadTitle(p); title != "" {
		return OneLine(rowtext.Cut(title, MaxRowRunes))
	}
	return BranchTitle(t, p)
}

// UnattachedText describes an agent whose start is not recorded.
const UnattachedText = "Parent unknown: no entry in these files started this agent"

// KindRetracted is the kind of a thread that the agent removed from its file.
const KindRetracted = "retracted"

// RetractedText explains why a retracted branch is shown.
const RetractedText = "The agent retracted this and its file no longer contains it; the explorer keeps it"

// ThreadWarning returns a warning about the place of an entry in the tree, or "".
func ThreadWarning(t *session.Tree, p session.Pos, e *session.Entry) string {
	if e.HasFlag(session.FlagAgent) && t.Parent(p) == session.NoPos {
		return UnattachedText
	}
	if e.HasFlag(session.FlagRetracted) {
		return RetractedText
	}
	return OrphanWarning(t, p, e)
}

// OrphanWarning returns a warning if the recorded parent is not in the file.
func OrphanWarning(t *session.Tree, p session.Pos, e *session.Entry) string {
	if t.Parent(p) != session.NoPos || !e.HasFlag(session.FlagHasParent) || e.Parent == e.ID {
		return ""
	}
	if t.FindID(e.Parent) != session.NoPos {
		return "The chain of parents was a cycle and was cut here"
	}
	return "Parent " + OneLine(rowtext.Cut(e.Parent, 40)) + " is not in the file"
}

// FindAgent returns the first entry of the sub-agent that the entry at p belongs to, or NoPos.
func FindAgent(t *session.Tree, p session.Pos) session.Pos {
	for ; p != session.NoPos; p = t.Parent(p) {
		if e := t.At(p); e.HasFlag(session.FlagAgent) {
			return p
		} else if e.StartsThread() {
			break
		}
	}
	return session.NoPos
}
