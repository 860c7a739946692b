package view

import (
	"strconv"

	"sessiontree/internal/session/catalog"
	"sessiontree/web/components"
)

// LoadingModel is what a page tells of a session while it is being read: what the list
// of sessions knows of it.
func (b *Builder) LoadingModel(s *catalog.Summary, page components.Page) components.LoadingModel {
	m := components.LoadingModel{
		Session: components.SessionModel{
			Page:    page,
			Key:     s.Key,
			Name:    summaryTitle(s),
			Project: escapeInvisible(lastPathElement(s.Cwd)),
			Cwd:     escapeInvisible(homePath(s.Cwd, b.home)),
			File:    escapeInvisible(homePath(s.Path, b.home)),
		},
		Text: ReadProgressText(0, s.Size),
	}
	m.Session.Title = m.Session.Name
	if m.Session.Project != "" {
		m.Session.Title += ", " + m.Session.Project
	}
	return m
}

// ReadProgressText tells how much of a file is read: "Reading 12.4 of 48 MB".
func ReadProgressText(read, size int64) string {
	if read <= 0 {
		return "Reading " + formatMegabytes(size) + " MB"
	}
	return "Reading " + formatMegabytes(min(read, size)) + " of " + formatMegabytes(size) + " MB"
}

// formatMegabytes has one digit behind the point where that matters.
func formatMegabytes(n int64) string {
	mb := float64(n) / 1e6
	if mb < 100 {
		return strconv.FormatFloat(mb, 'f', 1, 64)
	}
	return formatCount(int(mb + .5))
}
