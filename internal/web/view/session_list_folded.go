package view

import (
	"strings"
	"time"

	"sessiontree/internal/session/catalog"
	"sessiontree/web/components"
)

// isFoldedSession reports whether a session has no row of its own in the list: nobody has
// said anything in it, or it is sub-agents whose session was deleted. What is being
// written keeps its row.
func isFoldedSession(s *catalog.Summary, now time.Time) bool {
	return (s.Messages == 0 || s.Orphaned) && !isSummaryLive(s, now)
}

// splitFolded parts sessions with a row of their own from those that are folded.
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

// countUnfolded counts the sessions with a row of their own.
func countUnfolded(all []catalog.Summary, now time.Time) (n int) {
	for i := range all {
		if !isFoldedSession(&all[i], now) {
			n++
		}
	}
	return n
}

// buildFoldedRows makes the line of the folded sessions of a group, and their rows.
func (b *Builder) buildFoldedRows(list []*catalog.Summary, parents map[string]string, open bool, now time.Time) components.FoldedRows {
	f := components.FoldedRows{Open: open}
	empty, lost := 0, 0
	for _, s := range list {
		lost += boolToInt(s.Orphaned)
		empty += boolToInt(!s.Orphaned)
		f.Rows = append(f.Rows, b.buildSessionRow(s, parents, now))
	}
	var parts []string
	if empty > 0 {
		parts = append(parts, pluralize(empty, "session", "sessions")+" without messages")
	}
	if lost > 0 {
		parts = append(parts, "sub-agents of "+pluralize(lost, "deleted session", "deleted sessions"))
	}
	f.Text = strings.Join(parts, ", ")
	if len(f.Text) > 0 {
		f.Text = strings.ToUpper(f.Text[:1]) + f.Text[1:]
	}
	return f
}
