package view

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"sessiontree/internal/session"
)

// maxOpenBranches is how many branches a URL may name as opened or closed by hand.
const maxOpenBranches = 200

// maxQueryBytes is how many bytes of a query count; more is no search but an attack.
const maxQueryBytes = 1000

// beforeFirstEntry stands in URLs for the place before the first entry.
const beforeFirstEntry = "none"

// Params is a view of a session as a URL says it. The zero value is the default
// view: the path to the leaf, in the spine layout.
type Params struct {
	Entry  string // id of the selected entry, "" = the leaf
	Leaf   string // id of the end of the viewed path, "none", or "" = follow
	Filter session.Filter
	Layout session.Layout
	Query  string
	Root   string // id of the head of the branch that is focused, "" = the whole tree
	// Open: ids of branch heads whose state the reader changed. Never changed in
	// place: with... copy it.
	Open map[string]bool
}

// ParseParams reads the view parameters of a URL; others are passed by. Errors
// wrap session.ErrInvalid.
func ParseParams(q url.Values) (Params, error) {
	p := Params{Entry: q.Get("entry"), Leaf: q.Get("leaf"), Root: q.Get("root"), Query: strings.TrimSpace(q.Get("q"))}
	if len(p.Query) > maxQueryBytes {
		return Params{}, fmt.Errorf("%w: a query may have %d bytes", session.ErrInvalid, maxQueryBytes)
	}
	var err error
	if p.Filter, err = session.ParseFilter(q.Get("filter")); err != nil {
		return Params{}, err
	}
	if p.Layout, err = session.ParseLayout(q.Get("layout")); err != nil {
		return Params{}, err
	}
	p.Open, err = parseOpenBranches(q.Get("open"))
	return p, err
}

func parseOpenBranches(s string) (map[string]bool, error) {
	if s == "" {
		return nil, nil
	}
	ids := strings.Split(s, ",")
	if len(ids) > maxOpenBranches {
		return nil, fmt.Errorf("%w: a URL may open or close %d branches", session.ErrInvalid, maxOpenBranches)
	}
	open := make(map[string]bool, len(ids))
	for _, id := range ids {
		closed := strings.HasPrefix(id, "-")
		id, err := url.QueryUnescape(strings.TrimPrefix(id, "-"))
		if err != nil {
			return nil, fmt.Errorf("%w: the list of open branches", session.ErrInvalid)
		}
		if id != "" {
			open[id] = !closed
		}
	}
	return open, nil
}

// OpenList writes Open as it stands in URLs, in a fixed order. Ids are escaped
// once more, because a comma or a leading "-" may be part of one.
func (p Params) OpenList() string {
	var b strings.Builder
	for _, id := range slices.Sorted(maps.Keys(p.Open)) {
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		if !p.Open[id] {
			b.WriteByte('-')
		}
		e := url.QueryEscape(id)
		if strings.HasPrefix(e, "-") {
			e = "%2D" + e[1:]
		}
		b.WriteString(e)
	}
	return b.String()
}

// Encode writes the parameters in their canonical order, without what is the
// default. Two equal views have equal strings.
func (p Params) Encode() string {
	var b strings.Builder
	add := func(name, value string) {
		if value == "" {
			return
		}
		if b.Len() > 0 {
			b.WriteByte('&')
		}
		b.WriteString(name)
		b.WriteByte('=')
		b.WriteString(url.QueryEscape(value))
	}
	add("entry", p.Entry)
	add("leaf", p.Leaf)
	if p.Filter != session.FilterDefault {
		add("filter", p.Filter.String())
	}
	add("q", p.Query)
	if p.Layout != session.LayoutSpine {
		add("layout", p.Layout.String())
	}
	add("root", p.Root)
	add("open", p.OpenList())
	return b.String()
}

// Values is the parameters as url.Values.
func (p Params) Values() url.Values {
	v, err := url.ParseQuery(p.Encode())
	if err != nil { // Encode escapes everything
		panic(err)
	}
	return v
}

// Href is the page at base with this view.
func (p Params) Href(base string) string {
	if q := p.Encode(); q != "" {
		return base + "?" + q
	}
	return base
}

// withEntry selects an entry and, when leaf is not "", pins the end of the path.
func (p Params) withEntry(entry, leaf string) Params {
	p.Entry, p.Leaf = entry, leaf
	return p
}

// withFilter changes the filter.
func (p Params) withFilter(f session.Filter) Params {
	p.Filter = f
	return p
}

// withLayout changes the layout.
func (p Params) withLayout(l session.Layout) Params {
	p.Layout = l
	return p
}

// withRoot focuses the branch at a head, or with "" shows the whole tree.
func (p Params) withRoot(head string) Params {
	p.Root = head
	return p
}

// withQuery changes the query.
func (p Params) withQuery(q string) Params {
	p.Query = q
	return p
}

// withOpen opens or closes the branch at a head. A full list stays as it is.
func (p Params) withOpen(head string, open bool) Params {
	if _, ok := p.Open[head]; !ok && len(p.Open) >= maxOpenBranches {
		return p
	}
	m := make(map[string]bool, len(p.Open)+1)
	maps.Copy(m, p.Open)
	m[head] = open
	p.Open = m
	return p
}

// withoutOpen forgets what the reader did to branches, so that they are as by
// default.
func (p Params) withoutOpen(ids ...string) Params {
	m := maps.Clone(p.Open)
	for _, id := range ids {
		delete(m, id)
	}
	p.Open = m
	return p
}

// FollowLeaf drops what pins the view, so that the path follows the leaf.
func (p Params) FollowLeaf() Params {
	p.Entry, p.Leaf, p.Root = "", "", ""
	return p
}
