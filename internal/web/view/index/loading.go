package index

import (
	"strconv"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// LoadingModel returns what the catalog knows about a session, for the page shown while the
// session is read.
func LoadingModel(c view.Config, s *catalog.Summary, page components.Page) components.LoadingModel {
	m := components.LoadingModel{
		Session: components.SessionModel{
			Page:    page,
			Key:     s.Key,
			View:    components.ViewState{Base: view.SessionURL(s.Key)},
			Name:    summaryTitle(s, view.MaxTitleRunes),
			Project: view.EscapeInvisible(view.LastPathElement(s.Cwd)),
			Cwd:     view.EscapeInvisible(view.HomePath(s.Cwd, c.Home)),
			File:    view.EscapeInvisible(view.HomePath(s.Path, c.Home)),
		},
		Text: ReadProgressText(0, s.Size),
	}
	m.Session.Title = m.Session.Name
	if m.Session.Project != "" {
		m.Session.Title += ", " + m.Session.Project
	}
	return m
}

// ReadProgressText returns the progress of reading a file: "Reading 12.4 of 48 MB".
func ReadProgressText(read, size int64) string {
	if read <= 0 {
		return "Reading " + formatMegabytes(size) + " MB"
	}
	return "Reading " + formatMegabytes(min(read, size)) + " of " + formatMegabytes(size) + " MB"
}

// formatMegabytes formats a size in megabytes, with a decimal below 100.
func formatMegabytes(n int64) string {
	mb := float64(n) / 1e6
	if mb < 100 {
		return strconv.FormatFloat(mb, 'f', 1, 64)
	}
	return components.FormatCount(int(mb + .5))
}
