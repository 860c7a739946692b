package path

import (
	"net/url"
	"slices"
	"strconv"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// The number of entries of a page of the path requested without a number, and of the
// largest page. A larger one delays the response to a click, because the browser lays all of it out.
const (
	pageEntries    = 30
	maxPageEntries = 200
)

// maxResultDistance limits how far a page is extended to keep calls and their results
// together.
const maxResultDistance = 64

// Query selects a page of the path. At most one of the first three fields is set;
// without any it is the page around the viewed entry. "none" is the place before the first
// entry in After, and after the last one in Before.
type Query struct {
	Around, Before, After string
	N                     int // entries, 0 = 50
}

// FirstPage selects the first n entries of the path, 0 = 50.
func FirstPage(n int) Query { return Query{After: view.BeforeFirstEntry, N: n} }

// Page is a part of the path, copied out of the tree so that it does not change with
// the tree.
type Page struct {
	config   view.Config
	base     string // address of the session
	audience view.Audience
	rev      string
	params   view.Params // names the leaf, unless the path follows it
	viewedID string      // id of the viewed entry
	atLeaf   bool
	live     bool
	runsTool bool
	path     pathInfo
	// shown is the number of entries of the page. They are followed in entries by results of
	// their calls that come later on the path.
	shown   int
	entries []pathEntry
	back    components.Link // of a page with one entry: to the session
	// MissingBlobs holds the blobs of images that do not exist, so that no browser requests
	// them. The caller sets it with the bodies.
	MissingBlobs map[string]bool
}

// pathInfo describes the rest of the path.
type pathInfo struct {
	endsAgent    bool  // the path ends in a sub-agent, before the session's leaf
	returned     int64 // when its result was recorded, or session.NoTime
	total, from  int
	prev, next   string // ids of the entries before and after the page
	first, last  string // ids of the first and last entry
	atEnd        bool
	entries      int // in the tree
	metadata     int // lines that only the agent's program reads
	header       session.Header
	lastFileEdit session.Pos // last result on the path that changed a file
	lastMessage  int         // index on the path of the last prompt or answer
}

// pathEntry is an entry of the path with what the tree knows about it.
type pathEntry struct {
	session.Entry
	pos            session.Pos
	index          int // on the path
	label          string
	warning        string
	edit           *contextEdit
	switcher       *components.BranchSwitcher
	call           session.ToolCall // of a result: its call
	targetText     string           // text of the target entry
	targetHref     string           // href of the target, "" if it is not in the file
	tokensAfter    int64            // compaction: tokens in the context after it
	coveredEntries int              // compaction, branch summary: number of entries it replaces
	ownThread      *threadLink      // the thread of an agent or session that begins with it
	startedThreads []threadLink     // threads that begin at it, except the one that the path continues in
	cost           entryCost
}

// contextEdit is a context edit whose target is on the path.
type contextEdit struct {
	by   string
	omit bool
}

// CopyPage copies the selected page out of a locked tree.
func CopyPage(s view.Scene, q Query) (*Page, error) {
	trail := s.Tree.Trail(s.View.Leaf)
	path := trail.Path
	from, to, err := pageRange(s, path, q)
	if err != nil {
		return nil, err
	}
	p := newPathPage(s, path, from, to)
	p.path.lastFileEdit = trail.Changed
	edits := lastContextEdits(s.Tree, trail.Edits)
	for i := from; i < to; i++ {
		p.entries = append(p.entries, copyPathEntry(s, path, i, edits))
	}
	p.copyLateResults(s, path, to, edits)
	p.copyCosts(s)
	return p, nil
}

// newPathPage returns a page of path[from:to] without its entries and the last edit.
func newPathPage(s view.Scene, path []session.Pos, from, to int) *Page {
	p := &Page{
		config: s.Config, base: s.Base(), audience: s.Audience, rev: s.Rev, params: s.Params, atLeaf: s.AtLeaf(), live: s.Live, runsTool: s.RunsTool,
		path: newPathInfo(s, path, from, to), shown: to - from,
	}
	if s.View.Entry != session.NoPos {
		p.viewedID = s.Tree.At(s.View.Entry).ID
	}
	return p
}

func newPathInfo(s view.Scene, path []session.Pos, from, to int) pathInfo {
	e := pathInfo{
		total: len(path), from: from, atEnd: to == len(path),
		header: s.Tree.Header(), lastFileEdit: session.NoPos, lastMessage: lastMessageIndex(s.Tree, path),
		entries: s.Tree.EntryCount(), metadata: s.Tree.Len() - s.Tree.EntryCount(),
	}
	if e.atEnd && len(path) > 0 && !s.AtLeaf() { // the search goes up the whole path
		e.endsAgent, e.returned = agentEnd(s.Tree, path[len(path)-1])
	}
	if from > 0 {
		e.prev = s.Tree.At(path[from-1]).ID
	}
	if from < to {
		e.first, e.last = s.Tree.At(path[from]).ID, s.Tree.At(path[to-1]).ID
	}
	if to < len(path) {
		e.next = s.Tree.At(path[to]).ID
	}
	return e
}

// lastFileEdit returns the last result on the path that changed a file.
func lastFileEdit(t *session.Tree, path []session.Pos) session.Pos {
	for i := len(path) - 1; i >= 0; i-- {
		if t.At(path[i]).ChangesFile() {
			return path[i]
		}
	}
	return session.NoPos
}

// lastContextEdits maps the targets of the context edits among the entries of a path to the
// last edit, if that changes them.
func lastContextEdits(t *session.Tree, path []session.Pos) map[string]*contextEdit {
	var edits map[string]*contextEdit
	for _, p := range path {
		if e := t.At(p); e.Kind == session.KindContextEdit {
			if edits == nil {
				edits = map[string]*contextEdit{}
			}
			edits[e.Target()] = &contextEdit{by: e.ID, omit: e.OmitsTarget()}
			if at := t.FindID(e.Target()); at == session.NoPos || !e.EditsContext(t.At(at)) {
				delete(edits, e.Target())
			}
		}
	}
	return edits
}

// copyLateResults copies the results of the page's calls that come after it on the path.
func (p *Page) copyLateResults(s view.Scene, path []session.Pos, to int, edits map[string]*contextEdit) {
	near := path[to:min(to+maxResultDistance, len(path))]
	if len(near) == 0 {
		return
	}
	for i := range p.shown {
		for _, c := range p.entries[i].Calls() {
			if k := slices.Index(near, s.Tree.FindToolResult(c.ID)); k >= 0 {
				p.entries = append(p.entries, copyPathEntry(s, path, to+k, edits))
			}
		}
	}
}

// Positions returns the positions of all entries of the page, whose bodies its model needs.
func (p *Page) Positions() []session.Pos {
	ps := make([]session.Pos, len(p.entries))
	for i := range p.entries {
		ps[i] = p.entries[i].pos
	}
	return ps
}

// entryURL returns the address of an entry.
func (p *Page) entryURL(id string) string {
	return p.base + "/entries/" + url.PathEscape(id)
}

// pathHref returns the URL that views an entry of the path.
func (p *Page) pathHref(id string) string {
	return p.params.WithEntry(id, p.params.Leaf).Href(p.base)
}

// rawURL returns the address of the raw line of an entry, or "" in an HTML export.
func (p *Page) rawURL(id string) string {
	if p.audience.Standalone {
		return ""
	}
	return p.entryURL(id) + "?raw=1"
}

// textURL returns the address of the text of an entry, or "" in an HTML export. call is the
// id of a call whose output it is, "" for the entry's own text.
func (p *Page) textURL(id, call string) string {
	if p.audience.Standalone {
		return ""
	}
	q := url.Values{"raw": {"text"}}
	if call != "" {
		q.Set("call", call)
	}
	return p.entryURL(id) + "?" + q.Encode()
}

// partURL returns the address of a part of an entry in this view: its n-th piece, or all of
// it if n < 0. It is "" in an HTML export.
func (p *Page) partURL(id, part string, n int) string {
	if p.audience.Standalone {
		return ""
	}
	query := "part=" + part
	if n >= 0 {
		query += "&n=" + strconv.Itoa(n)
	}
	if view := p.params.Encode(); view != "" {
		query = view + "&" + query
	}
	return p.entryURL(id) + "?" + query
}
