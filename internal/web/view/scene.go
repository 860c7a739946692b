package view

import (
	"net/url"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/session/spend"
	"sessiontree/web/components"
)

// Scene is a tree together with a view of it. It is valid only while the tree is locked.
type Scene struct {
	Config   Config // how values are written for the audience
	Key      string
	Rev      string // revision of the session
	Tree     *session.Tree
	Outline  *outline.Outline
	Params   Params
	View     outline.View
	Live     bool // see session.IsLive
	RunsTool bool // the last tool without a result may still run: see session.MayRunTool
	Audience Audience
	Words    []string        // of the query, to highlight; nil = those of Params.Query
	Owned    spend.Ownership // which requests belong to the session
}

// Costs returns what the entries of the tree cost.
func (s Scene) Costs() *spend.Sheet { return spend.ReadSheet(s.Tree, s.Config.PriceTable(), s.Owned) }

// QueryWords returns the words to highlight, in lower case.
func (s Scene) QueryWords() []string {
	if s.Words != nil {
		return s.Words
	}
	return SplitQuery(s.Params.Query)
}

// NewScene returns the scene of a tree for parameters, without an outline. It returns
// ErrNoEntry if they name an unknown entry.
func NewScene(c Config, a Audience, t *session.Tree, p Params) (Scene, error) {
	v, err := ResolveView(t, p)
	return Scene{Config: c.ForAudience(a), Tree: t, Params: PinPath(t, p, v), View: v, Audience: a}, err
}

// Base returns the URL of the session's page.
func (s Scene) Base() string { return s.Audience.sessionBase(s.Key) }

// AtLeaf reports whether the viewed path is the path to the leaf.
func (s Scene) AtLeaf() bool { return s.View.Leaf == s.Tree.Leaf() }

// EntryHref returns the URL that views an entry. Entries on the viewed path keep the end of
// the path, unless it is the leaf. Paths of other entries continue along the newest leaf
// below them.
func (s Scene) EntryHref(id string, onPath bool) string {
	leaf := ""
	if onPath && s.View.Leaf != session.NoPos && !s.AtLeaf() {
		leaf = s.Tree.At(s.View.Leaf).ID
	}
	return s.Params.WithEntry(id, leaf).Href(s.Base())
}

// LargeSession is the size of the files from which opening a session takes time that people notice.
// Smaller ones are read before a browser could show that they are read.
const LargeSession = 5 << 20

// SessionURL returns the address of the page of a session.
func SessionURL(key string) string { return "/sessions/" + key }

// ViewState returns the view in the form that the browser needs to build URLs.
func (s Scene) ViewState() components.ViewState {
	v := components.ViewState{
		Base:   s.Base(),
		Entry:  s.Params.Entry,
		Filter: s.Params.Filter.String(),
		Query:  s.Params.Query,
		Layout: s.Params.Layout.String(),
		Root:   s.View.Root,
		Open:   s.Params.OpenList(),
		AtLeaf: s.AtLeaf(),
		Leaf:   BeforeFirstEntry,
	}
	if s.View.Leaf != session.NoPos {
		v.Leaf = s.Tree.At(s.View.Leaf).ID
	}
	if l := s.Tree.Leaf(); l != session.NoPos {
		v.SessionLeaf = s.Tree.At(l).ID
	}
	return v
}

// BranchHref returns the URL that views a branch from its head to its newest leaf. It does
// not name the session's leaf, so that the path follows it.
func (s Scene) BranchHref(head session.Pos) string {
	leaf := s.Tree.Subtrees().NewestLeaf(head)
	name := s.Tree.At(leaf).ID
	if leaf == s.Tree.Leaf() {
		name = ""
	}
	return s.Params.WithEntry(s.Tree.At(head).ID, name).Href(s.Base())
}

// DomID returns the DOM id for an entry's id, which may contain anything.
func DomID(prefix, id string) string { return prefix + url.QueryEscape(id) }
