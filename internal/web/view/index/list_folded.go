package index

import (
	"time"

	"sessiontree/internal/session/bools"
	"sessiontree/internal/session/catalog"
	"sessiontree/web/components"
)

// isFoldedSession reports whether a session is folded into the group's last line: it has no
// messages (empty), or it consists of sub-agents whose session was deleted (agent-only). A live session is never
// folded.
func isFoldedSession(s *catalog.Summary, now time.Time) bool {
	return (s.Messages == 0 || s.Orphaned) && !s.IsLive(now)
}

// splitFolded separates folded sessions from those with a row of their own.
func splitFolded(list []*catalog.Summary, now time.Time) (rows, folded []*catalog.Summary) {
	for _, s := range list {
		if isFoldedSession(s, now) {
			folded = append(folded, s)
		} else {
			rows = append(rows, s)
		}
	}
	return rows, folded
}

// countUnfolded returns the number of sessions with a row of their own.
func countUnfolded(all []catalog.Summary, now time.Time) (n int) {
	for i := range all {
		if !isFoldedSession(&all[i], now) {
			n++
		}
	}
	return n
}

// maxFoldedRows is how many rows a folded line contains. Others are found by filtering.
const maxFoldedRows = 50

// buildFoldedRows returns the line of a group's folded sessions, and their rows.
func (b *rowBuilder) buildFoldedRows(list []*catalog.Summary, open bool) components.FoldedRows {
	f := components.FoldedRows{Open: open}
	empty, agents := 0, 0
	for i, s := range list {
		agents += bools.ToInt(s.Orphaned)
		empty += bools.ToInt(!s.Orphaned)
		if i < maxFoldedRows {
			f.Rows = append(f.Rows, b.buildRow(s))
		}
	}
	f.Hidden = len(list) - len(f.Rows)
	switch {
	case agents == 0:
		f.Text = components.Pluralize(empty, "empty session", "empty sessions")
	case empty == 0:
		f.Text = components.Pluralize(agents, "agent-only session", "agent-only sessions")
	default:
		f.Text = components.FormatCount(empty) + " empty and " + components.Pluralize(agents, "agent-only session", "agent-only sessions")
	}
	return f
}
