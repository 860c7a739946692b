package view

import (
	"cmp"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
	"sessiontree/web/components"
)

// MaxPlainRows is the number of rows up to which a page contains all of them.
const MaxPlainRows = 400

// firstWindowRows is the number of rows in the page of a longer tree.
const firstWindowRows = 200

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
}

// SessionModel returns the page of a session without Path, which needs the file.
func SessionModel(s Scene, a SessionInfo) components.SessionModel {
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
func SessionFrame(s Scene, a SessionInfo) components.SessionModel {
	h := s.Tree.Header()
	trail := s.Tree.Trail(s.View.Leaf)
	m := components.SessionModel{
		Page:     a.Page,
		Key:      s.Key,
		Rev:      s.Rev,
		Name:     sessionName(s.Tree),
		SetName:  oneLine(h.Name),
		Project:  escapeInvisible(lastPathElement(h.Cwd)),
		Cwd:      escapeInvisible(homePath(h.Cwd, s.Config.Home)),
		Format:   h.Format,
		Live:     s.Live,
		View:     s.viewState(),
		Facts:    buildFacts(s, trail),
		Banners:  buildBanners(s, a),
		Notes:    noteModels(s, a.Notes),
		BadLines: countBadLines(a.Notes),
		Filters:  filterChips(s),
		Layouts:  layoutChips(s),
		LeafHref: s.Params.FollowLeaf().Href(s.Base()),
		TreeHref: s.Params.withRoot("").Href(s.Base()),
		Ticks:    buildTicks(s, trail),
		Parent:   a.Parent,
		Switcher: leafSwitcher(s, trail),
	}
	m.Name = cmp.Or(m.Name, fileTitle(a.File))
	if m.Snapshot = s.Audience.Snapshot; m.Snapshot == nil {
		m.Capabilities, m.File, m.Resume = canModel(s.Tree, a.Can), escapeInvisible(homePath(a.File, s.Config.Home)), escapeInvisible(h.Resume)
	} else { // viewers cannot fix problems of the file
		m.Name = cmp.Or(oneLine(m.Snapshot.Title), m.Name)
		m.Banners, m.Notes, m.BadLines = nil, nil, 0
	}
	m.Page.Title = m.Name
	if m.Project != "" {
		m.Page.Title += ", " + m.Project
	}
	return m
}

// sessionName returns the name of a session, or the title from other files, the first
// prompt, or the id.
func sessionName(t *session.Tree) string {
	h := t.Header()
	if h.Name != "" {
		return oneLine(rowtext.Cut(h.Name, maxRowRunes))
	}
	for _, l := range t.Threads() {
		if l.Session == h.ID && l.Title != "" && !l.Branch && !t.At(l.Entries[0]).HasFlag(session.FlagAgent) {
			return oneLine(rowtext.Cut(l.Title, 80))
		}
	}
	for p := range session.Pos(t.Len()) {
		if e := t.At(p); e.Kind == session.KindUser && e.Preview != "" {
			return oneLine(rowtext.Cut(e.Preview, 80))
		}
	}
	return oneLine(h.ID)
}

var filterTexts = [...]string{"Default", "No tools", "User", "Labeled", "All"}

func filterChips(s Scene) []components.Chip {
	chips := make([]components.Chip, len(filterTexts))
	for i, text := range filterTexts {
		f := session.Filter(i)
		chips[i] = components.Chip{
			Name: f.String(), Text: text, Count: -1, On: s.Params.Filter == f,
			Href: s.Params.withFilter(f).Href(s.Base()),
		}
	}
	return chips
}

func layoutChips(s Scene) []components.Chip {
	var chips []components.Chip
	for _, l := range []session.Layout{session.LayoutSpine, session.LayoutOutline} {
		chips = append(chips, components.Chip{
			Name: l.String(), Text: l.String(), Count: -1, On: s.Params.Layout == l,
			Href: s.Params.withLayout(l).Href(s.Base()),
		})
	}
	return chips
}
