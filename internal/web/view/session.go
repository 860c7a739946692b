package view

import (
	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// PlainRows is up to how many rows a page carries all of them.
const PlainRows = 400

// windowRows is how many rows a page carries of a longer tree.
const windowRows = 200

// About is what a page says of a session beside its tree. All of it is asked for
// before the tree is locked.
type About struct {
	Page   components.Page // Title is filled in
	File   string          // path of the file
	Notes  []session.Note  // store.Session.Notes
	Gone   error           // store.Session.Gone
	Parent *components.Link
	Can    session.Capabilities
	Quiet  bool // nobody writes a line that is not finished any more
}

// Session is the page of a session, all but Path, which reads the file.
func (b *Builder) Session(s Scene, a About) components.SessionModel {
	m := b.Around(s, a)
	n := windowRows
	if total := s.Outline.Rows.Len(); total <= PlainRows {
		n, m.PlainRows = total, true
	}
	at := WindowAround(s.Outline.Rows.Len(), s.Outline.Selected, n)
	if s.Stand.FromStart(s.Params) {
		at = 0
	}
	m.Rows = b.Rows(s, at, n)
	if s.Stand.FromStart(s.Params) {
		m.Rows.Focus = 0
	}
	return m
}

// Around is what stands around tree and path and follows the session: facts,
// banners, marks of the ruler, filters.
func (b *Builder) Around(s Scene, a About) components.SessionModel {
	b = b.to(s.Stand)
	h := s.Tree.Header()
	path := s.Tree.Path(s.View.Leaf)
	m := components.SessionModel{
		Page:     a.Page,
		Key:      s.Key,
		Rev:      s.Rev.String(),
		Name:     sessionName(s.Tree),
		Given:    oneLine(h.Name),
		Project:  visible(project(h.Cwd)),
		Cwd:      visible(homePath(h.Cwd, b.home)),
		Format:   h.Format,
		Live:     s.Live,
		View:     s.state(),
		Facts:    b.facts(s, path),
		Banners:  b.banners(s, a),
		Notes:    b.notes(s, a.Notes),
		BadLines: badLines(a.Notes),
		Filters:  filterChips(s),
		Layouts:  layoutChips(s),
		LeafHref: s.Params.AtLeaf().Href(s.Base()),
		TreeHref: s.Params.withRoot("").Href(s.Base()),
		Ticks:    b.ticks(s, path),
		Parent:   a.Parent,
	}
	m.Name = orWord(m.Name, fileTitle(a.File))
	if m.Reader = s.Stand.Reader; m.Reader == nil {
		m.Can, m.File, m.Resume = canModel(s.Tree, a.Can), visible(homePath(a.File, b.home)), visible(h.Resume)
	} else { // what stands in the file is not theirs to mend
		m.Name = orWord(oneLine(m.Reader.Title), m.Name)
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
		return oneLine(cutRunes(h.Name, rowRunes))
	}
	for _, l := range t.Lines() {
		if l.Session == h.ID && l.Title != "" && !l.Branch && !t.At(l.Entries[0]).Has(session.FlagAgent) {
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
