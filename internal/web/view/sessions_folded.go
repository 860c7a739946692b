package view

import (
	"strings"
	"time"

	"sessiontree/internal/session/catalog"
	"sessiontree/web/components"
)

// isFolded reports whether a session has no row of its own in the list: nobody has
// said anything in it, or it is sub-agents whose session was deleted. What is being
// written keeps its row.
func isFolded(s *catalog.Summary, now time.Time) bool {
	return (s.Messages == 0 || s.Lost) && !isLive(s, now)
}

// partFolded parts sessions with a row of their own from those that are folded.
func partFolded(list []*catalog.Summary, now time.Time) (rows, folded []*catalog.Summary) {
	for _, s := range list {
		if isFolded(s, now) {
			folded = append(folded, s)
		} else {
			rows = append(rows, s)
		}
	}
	return rows, folded
}

// countListed counts the sessions with a row of their own.
func countListed(all []catalog.Summary, now time.Time) (n int) {
	for i := range all {
		if !isFolded(&all[i], now) {
			n++
		}
	}
	return n
}

// foldedRows makes the line of the folded sessions of a group, and their rows.
func (b *Builder) foldedRows(list []*catalog.Summary, parents map[string]string, open bool, now time.Time) components.FoldedRows {
	f := components.FoldedRows{Open: open}
	empty, lost := 0, 0
	for _, s := range list {
		lost += oneIf(s.Lost)
		empty += oneIf(!s.Lost)
		f.Rows = append(f.Rows, b.sessionRow(s, parents, now))
	}
	var parts []string
	if empty > 0 {
		parts = append(parts, plural(empty, "session", "sessions")+" without messages")
	}
	if lost > 0 {
		parts = append(parts, "sub-agents of "+plural(lost, "deleted session", "deleted sessions"))
	}
	f.Text = strings.Join(parts, ", ")
	if len(f.Text) > 0 {
		f.Text = strings.ToUpper(f.Text[:1]) + f.Text[1:]
	}
	return f
}
