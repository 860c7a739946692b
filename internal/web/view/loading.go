package view

import (
	"strconv"

	"sessiontree/internal/session/catalog"
	"sessiontree/web/components"
)

// Loading is what a page tells of a session while it is being read: what the list
// of sessions knows of it.
func (b *Builder) Loading(s *catalog.Summary, page components.Page) components.LoadingModel {
	m := components.LoadingModel{
		Session: components.SessionModel{
			Page:    page,
			Key:     s.Key,
			Name:    title(s),
			Project: visible(project(s.Cwd)),
			Cwd:     visible(homePath(s.Cwd, b.home)),
			File:    visible(homePath(s.Path, b.home)),
		},
		Text: ReadText(0, s.Size),
	}
	m.Session.Title = m.Session.Name
	if m.Session.Project != "" {
		m.Session.Title += ", " + m.Session.Project
	}
	return m
}

// ReadText tells how much of a file is read: "Reading 12.4 of 48 MB".
func ReadText(read, size int64) string {
	if read <= 0 {
		return "Reading " + megabytes(size) + " MB"
	}
	return "Reading " + megabytes(min(read, size)) + " of " + megabytes(size) + " MB"
}

// megabytes has one digit behind the point where that matters.
func megabytes(n int64) string {
	mb := float64(n) / 1e6
	if mb < 100 {
		return strconv.FormatFloat(mb, 'f', 1, 64)
	}
	return comma(int(mb + .5))
}
