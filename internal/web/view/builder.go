package view

import (
	"time"
	"unicode/utf8"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/session/store"
	"sessiontree/web/components"
)

// Config configures a Builder.
type Config struct {
	Home string         // shown as "~"
	Zone *time.Location // zone of times written as text; nil = the machine's
	// FormatTitle and FormatGlyph return a format's display name and its symbol in lists;
	// nil or "" = its plain name and the first letter of that.
	FormatTitle, FormatGlyph func(name string) string
}

// Builder builds view models. It holds parsers, sanitizing policies and a bounded cache of
// rendered text, but no sessions. It is safe for concurrent use.
type Builder struct {
	config Config
	home   string
	zone   *time.Location
	md     *markdownRenderer
}

// New returns a Builder.
func New(c Config) *Builder {
	b := &Builder{config: c, home: c.Home, zone: c.Zone, md: newMarkdownRenderer()}
	if b.zone == nil {
		b.zone = time.Local
	}
	return b
}

// Config returns the configuration of the Builder.
func (b *Builder) Config() Config { return b.config }

// formatTitle returns the display name of a format.
func (b *Builder) formatTitle(name string) string {
	if b.config.FormatTitle != nil {
		if t := b.config.FormatTitle(name); t != "" {
			return t
		}
	}
	return name
}

// formatGlyph returns the symbol of a format in lists.
func (b *Builder) formatGlyph(name string) string {
	if b.config.FormatGlyph != nil {
		if g := b.config.FormatGlyph(name); g != "" {
			return g
		}
	}
	_, n := utf8.DecodeRuneInString(name)
	return name[:n]
}

// Scene is a tree together with a view of it. It is valid only while the tree is locked,
// inside store.Session.Read.
type Scene struct {
	Key      string
	Rev      store.Revision
	Tree     *session.Tree
	Outline  *outline.Outline
	Params   Params
	View     outline.View
	Live     bool // see session.IsLive
	Audience Audience
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
