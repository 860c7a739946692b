package view

import (
	"strings"
	"time"

	"sessiontree/internal/session/catalog"
	"sessiontree/web/components"
)

// isFoldedSession reports whether a session is folded into the group's last line: it has no
// messages, or it consists of sub-agents whose session was deleted. A live session is never
// folded.
func isFoldedSession(s *catalog.Summary, now time.Time) bool {
	return (s.Messages == 0 || s.Orphaned) && !isSummaryLive(s, now)
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

// buildFoldedRows returns the line of a group's folded sessions, and their rows.
func buildFoldedRows(c Config, list []*catalog.Summary, parents map[string]string, open bool, now time.Time) components.FoldedRows {
	f := components.FoldedRows{Open: open}
	empty, lost := 0, 0
	for _, s := range list {
		lost += boolToInt(s.Orphaned)
		empty += boolToInt(!s.Orphaned)
		f.Rows = append(f.Rows, buildSessionRow(c, s, parents, now))
	}
	var parts []string
	if empty > 0 {
		parts = append(parts, components.Pluralize(empty, "session", "sessions")+" without messages")
	}
	if lost > 0 {
		parts = append(parts, "sub-agents of "+components.Pluralize(lost, "deleted session", "deleted sessions"))
	}
	f.Text = strings.Join(parts, ", ")
	if len(f.Text) > 0 {
		f.Text = strings.ToUpper(f.Text[:1]) + f.Text[1:]
	}
	return f
}
