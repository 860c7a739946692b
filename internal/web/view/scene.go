package view

import (
	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// Scene is a tree together with a view of it. It is valid only while the tree is locked.
type Scene struct {
	Config   Config // how values are written for the audience
	Key      string
	Rev      string // revision of the session
	Tree     *session.Tree
	Outline  *session.Outline
	Params   Params
	View     session.View
	Live     bool // see session.IsLive
	Audience Audience
}

// NewScene returns the scene of a tree for parameters, without an outline. It returns
// ErrNoEntry if they name an unknown entry.
func NewScene(c Config, a Audience, t *session.Tree, p Params) (Scene, error) {
	v, err := ResolveView(t, p)
	return Scene{Config: c.forAudience(a), Tree: t, Params: PinPath(t, p, v), View: v, Audience: a}, err
}

// Base returns the URL of the session's page.
func (s Scene) Base() string { return s.Audience.sessionBase(s.Key) }

// AtLeaf reports whether the viewed path is the path to the leaf.
func (s Scene) AtLeaf() bool { return s.View.Leaf == s.Tree.Leaf() }

// entryHref returns the URL that views an entry. Entries on the viewed path keep the end of
// the path, unless it is the leaf. Paths of other entries continue along the newest leaf
// below them.
func (s Scene) entryHref(id string, onPath bool) string {
	leaf := ""
	if onPath && s.View.Leaf != session.NoPos && !s.AtLeaf() {
		leaf = s.Tree.At(s.View.Leaf).ID
	}
	return s.Params.withEntry(id, leaf).Href(s.Base())
}

func sessionURL(key string) string { return "/sessions/" + key }

// viewState returns the view in the form that the browser needs to build URLs.
func (s Scene) viewState() components.ViewState {
	v := components.ViewState{
		Base:   s.Base(),
		Entry:  s.Params.Entry,
		Filter: s.Params.Filter.String(),
		Query:  s.Params.Query,
		Layout: s.Params.Layout.String(),
		Root:   s.View.Root,
		Open:   s.Params.OpenList(),
		AtLeaf: s.AtLeaf(),
		Leaf:   beforeFirstEntry,
	}
	if s.View.Leaf != session.NoPos {
		v.Leaf = s.Tree.At(s.View.Leaf).ID
	}
	if l := s.Tree.Leaf(); l != session.NoPos {
		v.SessionLeaf = s.Tree.At(l).ID
	}
	return v
}
