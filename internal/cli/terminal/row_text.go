package terminal

import (
	"cmp"

	"sessiontree/internal/session"
)

// RowText returns the text of a row.
func RowText(t *session.Tree, r *session.Row) string {
	e := t.At(r.Title)
	switch {
	case r.Kind == session.RowBranchMark:
		return "Branched here, waiting for the next prompt"
	case r.Kind == session.RowFoldedGroup:
		return "[" + foldedGroupText(e, r.Count) + "]"
	case r.Kind == session.RowSessionHeader:
		return "session " + threadTitle(t, r.Pos)
	case r.Kind == session.RowBranch && t.At(r.Pos).HasFlag(session.FlagAgent):
		return "agent: " + threadTitle(t, r.Pos)
	case r.Kind == session.RowBranch && t.At(r.Pos).HasFlag(session.FlagSession):
		return "session " + threadTitle(t, r.Pos)
	case r.Kind == session.RowBranch && t.At(r.Pos).HasFlag(session.FlagRetracted):
		return "retracted: " + threadTitle(t, r.Pos)
	case r.Kind == session.RowCall:
		return "[" + e.Calls()[r.Call].Name + ": " + e.Calls()[r.Call].Arg + "] " + e.Calls()[r.Call].OutcomeText()
	}
	return t.RowText(r.Title)
}

// foldedGroupText describes a folded group.
func foldedGroupText(e *session.Entry, n int32) string {
	switch {
	case e.HasFlag(session.FlagArtifact):
		return e.Status() + ": " + Pluralize(n, "line", "lines")
	case e.HasFlag(session.FlagCommand):
		return Pluralize(n, "local command line", "local command lines")
	case e.HasFlag(session.FlagBranchMark):
		return "branch without a prompt: " + Pluralize(n, "line", "lines")
	}
	return Pluralize(n, "metadata line", "metadata lines")
}

// threadTitle returns the title of the thread that begins at head: of an agent or a session.
func threadTitle(t *session.Tree, head session.Pos) string {
	text, entry := t.BranchTitle(head)
	return cmp.Or(text, t.RowText(entry))
}
