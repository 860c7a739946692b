package view

import (
	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// MaxPlainRows is up to how many rows a page carries all of them.
const MaxPlainRows = 400

// firstWindowRows is how many rows a page carries of a longer tree.
const firstWindowRows = 200

// SessionInfo is what a page says of a session beside its tree. All of it is asked for
// before the tree is locked.
type SessionInfo struct {
	Page      components.Page // Title is filled in
	File      string          // path of the file
	Notes     []session.Note  // store.Session.Notes
	ReadError error           // store.Session.Gone
	Parent    *components.Link
	Can       session.Capabilities
	Quiet     bool // nobody writes a line that is not finished any more
}

// SessionModel is the page of a session, all but Path, which reads the file.
func (b *Builder) SessionModel(s Scene, a SessionInfo) components.SessionModel {
	m := b.SessionFrame(s, a)
	n := firstWindowRows
	if total := s.Outline.Rows.Len(); total <= MaxPlainRows {
		n, m.PlainRows = total, true
	}
	at := WindowAround(s.Outline.Rows.Len(), s.Outline.Selected, n)
	if s.Audience.ReadsFromStart(s.Params) {
		at = 0
	}
	m.Rows = b.RowsModel(s, at, n)
	if s.Audience.ReadsFromStart(s.Params) {
		m.Rows.Focus = 0
	}
	return m
}

// SessionFrame is what stands around tree and path and follows the session: facts,
// banners, marks of the ruler, filters.
func (b *Builder) SessionFrame(s Scene, a SessionInfo) components.SessionModel {
	b = b.forAudience(s.Audience)
	h := s.Tree.Header()
	path := s.Tree.Path(s.View.Leaf)
	m := components.SessionModel{
		Page:     a.Page,
		Key:      s.Key,
		Rev:      s.Rev.String(),
		Name:     sessionName(s.Tree),
		SetName:  oneLine(h.Name),
		Project:  escapeInvisible(lastPathElement(h.Cwd)),
		Cwd:      escapeInvisible(homePath(h.Cwd, b.home)),
		Format:   h.Format,
		Live:     s.Live,
		View:     s.viewState(),
		Facts:    b.buildFacts(s, path),
		Banners:  b.buildBanners(s, a),
		Notes:    b.noteModels(s, a.Notes),
		BadLines: countBadLines(a.Notes),
		Filters:  filterChips(s),
		Layouts:  layoutChips(s),
		LeafHref: s.Params.FollowLeaf().Href(s.Base()),
		TreeHref: s.Params.withRoot("").Href(s.Base()),
		Ticks:    b.buildTicks(s, path),
		Parent:   a.Parent,
	}
	m.Name = orDefault(m.Name, fileTitle(a.File))
	if m.Snapshot = s.Audience.Snapshot; m.Snapshot == nil {
		m.Capabilities, m.File, m.Resume = canModel(s.Tree, a.Can), escapeInvisible(homePath(a.File, b.home)), escapeInvisible(h.Resume)
	} else { // what stands in the file is not theirs to mend
		m.Name = orDefault(oneLine(m.Snapshot.Title), m.Name)
		m.Banners, m.Notes, m.BadLines = nil, nil, 0
	}
	m.Page.Title = m.Name
	if m.Project != "" {
		m.Page.Title += ", " + m.Project
	}
	return m
}

// sessionName is the name, else what other files say of the session, else the first
// prompt, else the id.
func sessionName(t *session.Tree) string {
	h := t.Header()
	if h.Name != "" {
		return oneLine(cutRunes(h.Name, maxRowRunes))
	}
	for _, l := range t.Threads() {
		if l.Session == h.ID && l.Title != "" && !l.Branch && !t.At(l.Entries[0]).HasFlag(session.FlagAgent) {
			return oneLine(cutRunes(l.Title, 80))
		}
	}
	for p := range session.Pos(t.Len()) {
		if e := t.At(p); e.Kind == session.KindUser && e.Preview != "" {
			return oneLine(cutRunes(e.Preview, 80))
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
