package tree

import (
	"cmp"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// MaxPlainRows is the number of rows up to which a page contains all of them.
const MaxPlainRows = 400

// firstWindowRows is the number of rows in the page of a longer tree: what a screen shows, and more. The
// script fetches the others after the first paint.
const firstWindowRows = 100

// SessionInfo is what a page shows of a session besides its tree. It is collected before
// the tree is locked.
type SessionInfo struct {
	Page      components.Page // SessionFrame sets the Title
	File      string          // path of the file
	Notes     []session.Note  // about the file
	ReadError error           // why the file cannot be read any more, or nil
	Parent    *components.Link
	Can       session.Capabilities
	Quiet     bool // the writer of an unfinished line has stopped
	// Deleted is set if the file was deleted and its copy is shown, CanRestore if it can be
	// restored.
	Deleted, CanRestore bool
	OnHub               bool // its file is on another computer
}

// SessionModel returns the page of a session without Path, which needs the file.
func SessionModel(s view.Scene, a SessionInfo) components.SessionModel {
	m := SessionFrame(s, a)
	n := firstWindowRows
	if total := s.Outline.Rows.Len(); total <= MaxPlainRows {
		n, m.PlainRows = total, true
	}
	at := WindowAround(s.Outline.Rows.Len(), s.Outline.Selected, n)
	if s.Audience.ReadsFromStart(s.Params) {
		at = 0
	}
	m.Rows = RowsModel(s, at, n)
	if s.Audience.ReadsFromStart(s.Params) {
		m.Rows.Focus = 0
	}
	return m
}

// SessionFrame returns the parts of a page around tree and path that follow the session:
// facts, banners, ruler and filters.
func SessionFrame(s view.Scene, a SessionInfo) components.SessionModel {
	h := s.Tree.Header()
	trail := s.Tree.Trail(s.View.Leaf)
	m := components.SessionModel{
		Page:     a.Page,
		Key:      s.Key,
		Rev:      s.Rev,
		Name:     view.SessionName(s.Tree),
		SetName:  view.OneLine(h.Name),
		Project:  view.EscapeInvisible(view.LastPathElement(h.Cwd)),
		Cwd:      view.EscapeInvisible(view.HomePath(h.Cwd, s.Config.Home)),
		Format:   h.Format,
		Live:     s.Live,
		View:     s.ViewState(),
		Facts:    buildFacts(s, trail),
		Banners:  buildBanners(s, a),
		Notes:    noteModels(s, a.Notes),
		BadLines: countBadLines(a.Notes),
		Filters:  filterChips(s),
		Layouts:  layoutChips(s),
		LeafHref: s.Params.FollowLeaf().Href(s.Base()),
		TreeHref: s.Params.WithRoot("").Href(s.Base()),
		Ticks:    buildTicks(s, trail),
		Parent:   a.Parent,
		Switcher: view.LeafSwitcher(s, trail),
	}
	m.Name = cmp.Or(m.Name, view.FileTitle(a.File))
	if !s.AtLeaf() { // the search goes up the whole path
		if at := view.FindAgent(s.Tree, s.View.Leaf); at != session.NoPos {
			m.Agent = view.ThreadTitle(s.Tree, at)
		}
	}
	if m.Snapshot = s.Audience.Snapshot; m.Snapshot == nil {
		m.Capabilities, m.File, m.Resume = canModel(s.Tree, a.Can), view.EscapeInvisible(view.HomePath(a.File, s.Config.Home)), view.EscapeInvisible(h.Resume)
		if m.OnHub = a.OnHub; m.OnHub {
			m.Resume = ""
		}
	} else { // viewers cannot fix problems of the file
		m.Name = cmp.Or(view.OneLine(m.Snapshot.Title), m.Name)
		m.Banners, m.Notes, m.BadLines = nil, nil, 0
	}
	m.Page.Title = m.Name
	if m.Project != "" {
		m.Page.Title += ", " + m.Project
	}
	return m
}

var filterTexts = [...]string{"Default", "No tools", "User", "Labeled", "Failed", "All"}

func filterChips(s view.Scene) []components.Chip {
	chips := make([]components.Chip, len(filterTexts))
	for i, text := range filterTexts {
		f := outline.Filter(i)
		chips[i] = components.Chip{
			Name: f.String(), Text: text, Count: -1, On: s.Params.Filter == f,
			Href: s.Params.WithFilter(f).Href(s.Base()),
		}
	}
	return chips
}

func layoutChips(s view.Scene) []components.Chip {
	var chips []components.Chip
	for _, l := range []outline.Layout{outline.LayoutSpine, outline.LayoutOutline} {
		chips = append(chips, components.Chip{
			Name: l.String(), Text: l.String(), Count: -1, On: s.Params.Layout == l,
			Href: s.Params.WithLayout(l).Href(s.Base()),
		})
	}
	return chips
}

// canModel returns which changes a session allows, for the script.
func canModel(t *session.Tree, can session.Capabilities) components.CapabilitiesModel {
	return components.CapabilitiesModel{
		Label: can.Label.Reason, Name: can.Name.Reason, Branch: can.Branch.Reason,
		Copy: can.Copy.Reason, Fork: can.Fork.Reason, Migrate: can.Migrate.Reason,
		OldVersion: t.Header().Migrated,
	}
}
