package view

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
)

// maxOpenBranches limits how many branches a URL may open or close.
const maxOpenBranches = 200

// MaxQueryBytes limits the length of a query.
const MaxQueryBytes = 1000

// BeforeFirstEntry names the place before the first entry in URLs.
const BeforeFirstEntry = "none"

// Params is a view of a session as encoded in a URL. The zero value is the default view:
// the path to the leaf, in the spine layout.
type Params struct {
	Entry  string // id of the selected entry, "" = the leaf
	Leaf   string // id of the end of the viewed path, "none", or "" = follow the leaf
	Filter outline.Filter
	Layout outline.Layout
	Query  string
	Root   string // id of the head of the focused branch, "" = the whole tree
	// Open maps heads of branches to their state, where it differs from the default. It is
	// never modified in place; the with... methods copy it.
	Open map[string]bool
}

// ParseParams parses the view parameters of a URL and ignores others. Errors wrap
// session.ErrInvalid.
func ParseParams(q url.Values) (Params, error) {
	p := Params{Entry: q.Get("entry"), Leaf: q.Get("leaf"), Root: q.Get("root"), Query: strings.TrimSpace(q.Get("q"))}
	if len(p.Query) > MaxQueryBytes {
		return Params{}, fmt.Errorf("%w: a query may have %d bytes", session.ErrInvalid, MaxQueryBytes)
	}
	var err error
	if p.Filter, err = outline.ParseFilter(q.Get("filter")); err != nil {
		return Params{}, err
	}
	if p.Layout, err = outline.ParseLayout(q.Get("layout")); err != nil {
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

// OpenList encodes Open for URLs, in a fixed order. Ids are escaped once more because they
// may contain a comma or begin with "-".
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

// Encode encodes the parameters in canonical order, omitting defaults. Equal views have
// equal strings.
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
	if p.Filter != outline.FilterDefault {
		add("filter", p.Filter.String())
	}
	add("q", p.Query)
	if p.Layout != outline.LayoutSpine {
		add("layout", p.Layout.String())
	}
	add("root", p.Root)
	add("open", p.OpenList())
	return b.String()
}

// Values returns the parameters as url.Values.
func (p Params) Values() url.Values {
	v, err := url.ParseQuery(p.Encode())
	if err != nil { // Encode escapes everything
		panic(err)
	}
	return v
}

// Href returns the URL of this view of the page at base.
func (p Params) Href(base string) string {
	if q := p.Encode(); q != "" {
		return base + "?" + q
	}
	return base
}

// WithEntry selects an entry and, if leaf is not "", pins the end of the path.
func (p Params) WithEntry(entry, leaf string) Params {
	p.Entry, p.Leaf = entry, leaf
	return p
}

// WithFilter sets the filter.
func (p Params) WithFilter(f outline.Filter) Params {
	p.Filter = f
	return p
}

// WithLayout sets the layout.
func (p Params) WithLayout(l outline.Layout) Params {
	p.Layout = l
	return p
}

// WithRoot focuses the branch with the given head; "" shows the whole tree.
func (p Params) WithRoot(head string) Params {
	p.Root = head
	return p
}

// WithQuery sets the query.
func (p Params) WithQuery(q string) Params {
	p.Query = q
	return p
}

// WithOpen opens or closes the branch with the given head. It does nothing if the list is
// full.
func (p Params) WithOpen(head string, open bool) Params {
	if _, ok := p.Open[head]; !ok && len(p.Open) >= maxOpenBranches {
		return p
	}
	m := make(map[string]bool, len(p.Open)+1)
	maps.Copy(m, p.Open)
	m[head] = open
	p.Open = m
	return p
}

// WithoutOpen resets branches to their default state.
func (p Params) WithoutOpen(ids ...string) Params {
	m := maps.Clone(p.Open)
	for _, id := range ids {
		delete(m, id)
	}
	p.Open = m
	return p
}

// FollowLeaf clears the selection, so that the path follows the leaf.
func (p Params) FollowLeaf() Params {
	p.Entry, p.Leaf, p.Root = "", "", ""
	return p
}

// SplitQuery splits a query into lower-case words, as the search does.
func SplitQuery(query string) []string { return strings.Fields(strings.ToLower(query)) }

// ParseCount parses a parameter that is a count. It returns missing if there is none.
func ParseCount(q url.Values, name string, missing int) (int, error) {
	v := q.Get(name)
	if v == "" {
		return missing, nil
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%w: %s=%q is no count", session.ErrInvalid, name, v)
	}
	return n, nil
}
