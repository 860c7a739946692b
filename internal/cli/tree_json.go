package cli

import (
	"sessiontree/internal/cli/terminal"
	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/session/store"
)

// treeJSON is the output of tree --json.
type treeJSON struct {
	Schema   int                   `json:"schema"`
	Session  sessionJSON           `json:"session"`
	Entries  []string              `json:"entries"`
	Labels   map[string]string     `json:"labels"`
	Tree     edgesJSON             `json:"tree"`
	Rows     []rowJSON             `json:"rows"`
	Selected *string               `json:"selected"`
	Lines    map[string]threadJSON `json:"lines,omitempty"`
	Sessions []joinedSessionJSON   `json:"sessions,omitempty"`
	Notes    []noteJSON            `json:"notes"`
}

// joinedSessionJSON is one of several sessions that are shown as one tree.
type joinedSessionJSON struct {
	ID     string  `json:"id"`
	Leaf   *string `json:"leaf"`
	Title  string  `json:"title"`
	Parent *string `json:"parent"` // id of the session that it continues
}

// newJoinedSessions lists the sessions of a tree in the order in which they were read.
func newJoinedSessions(t *session.Tree) (all []joinedSessionJSON) {
	of := map[string]string{} // session ids by thread name
	for _, l := range t.Threads().All() {
		of[l.Name] = l.Session
	}
	for _, l := range t.Threads().All() {
		if l.Name != l.Session { // a branch or an agent
			continue
		}
		one := joinedSessionJSON{ID: l.Session, Leaf: idOrNull(t, l.Leaf), Title: l.Title}
		if up := of[l.Parent]; up != l.Session {
			one.Parent = stringOrNull(up)
		}
		all = append(all, one)
	}
	return all
}

// threadJSON is one thread of a session's graph.
type threadJSON struct {
	Parent     *string  `json:"parent"`
	Attachment *string  `json:"attachment"`
	Branch     bool     `json:"branch"`
	IDs        []string `json:"ids"`
}

type edgesJSON struct {
	Roots    []string            `json:"roots"`
	Children map[string][]string `json:"children"`
}

type rowJSON struct {
	ID        string           `json:"id"`
	Indent    int              `json:"indent"`
	Connector bool             `json:"connector"`
	IsLast    bool             `json:"isLast"`
	Gutters   []outline.Gutter `json:"gutters"`
	OnPath    bool             `json:"onPath"`
	Text      string           `json:"text"`
	Label     *string          `json:"label"`
	Folded    int32            `json:"folded"`
	Leaf      bool             `json:"leaf"`
	Hit       bool             `json:"hit"`
}

func newTreeJSON(s *store.Session, t *session.Tree, v outline.View, notes []noteJSON) treeJSON {
	o := outline.Build(t, v)
	a := treeJSON{Schema: 1, Session: newSessionJSON(s, t), Labels: map[string]string{}, Tree: newEdgesJSON(t), Rows: newRowsJSON(t, o, v.Layout), Notes: notes}
	a.Entries = make([]string, t.Len())
	for i := range a.Entries {
		a.Entries[i] = t.At(session.Pos(i)).ID
	}
	for _, l := range t.Labels() {
		a.Labels[t.At(l.Target).ID] = l.Text
	}
	for _, l := range t.Threads().All() {
		if a.Lines == nil {
			a.Lines = map[string]threadJSON{}
		}
		a.Lines[l.Name] = threadJSON{stringOrNull(l.Parent), idOrNull(t, l.At), l.Branch, entryIDs(t, l.Entries)}
	}
	if s.IsWholeDir() {
		a.Sessions = newJoinedSessions(t)
	}
	at := o.Selected
	for at >= 0 && (o.Rows.At(at).Kind == outline.RowFoldedGroup || o.Rows.At(at).Kind == outline.RowSessionHeader) { // folded entries have no row
		at--
	}
	if at >= 0 {
		a.Selected = idOrNull(t, o.Rows.At(at).Title)
	}
	return a
}

func newEdgesJSON(t *session.Tree) edgesJSON {
	e := edgesJSON{Roots: entryIDs(t, t.Roots()), Children: map[string][]string{}}
	for i := range t.Len() {
		p := session.Pos(i)
		if kids := t.Children(p); len(kids) > 0 {
			e.Children[t.At(p).ID] = entryIDs(t, kids)
		}
	}
	return e
}

// newRowsJSON lists the rows, one per entry. It omits rows that the spine layout adds for
// display only: branch rows followed by their prompt, tool calls without a result, folded
// metadata.
func newRowsJSON(t *session.Tree, o *outline.Outline, layout outline.Layout) []rowJSON {
	rows := []rowJSON{}
	own := map[session.Pos]bool{}
	for _, r := range o.Rows.All() {
		if k := r.Kind; k == outline.RowEntry || k == outline.RowBranchMark {
			own[r.Pos] = true
		}
	}
	for _, r := range o.Rows.All() {
		extra := r.Kind != outline.RowEntry && r.Kind != outline.RowBranchMark
		if r.Kind == outline.RowFoldedGroup || r.Kind == outline.RowSessionHeader || extra && own[r.Title] {
			continue
		}
		own[r.Title] = true
		row := rowJSON{ID: t.At(r.Title).ID, Indent: int(r.Lane), Connector: r.Connector, IsLast: r.IsLast, Gutters: o.Gutters(r),
			OnPath: r.OnPath, Text: terminal.RowText(t, r), Folded: hiddenRowCount(r, layout), Leaf: r.Leaf, Hit: r.Hit}
		if l, ok := t.Label(r.Title); ok {
			row.Label = &l.Text
		}
		if layout == outline.LayoutOutline && t.At(r.Pos).Kind.IsUnworded() {
			row.Text = "" // as in pi
		}
		if layout == outline.LayoutSpine {
			row.Connector, row.IsLast, row.Gutters = r.Kind == outline.RowBranch, r.Last, spineGutters(r)
		}
		if row.Gutters == nil {
			row.Gutters = []outline.Gutter{}
		}
		rows = append(rows, row)
	}
	return rows
}

// hiddenRowCount returns how many rows a row hides, or entries if it is a closed branch.
func hiddenRowCount(r *outline.Row, layout outline.Layout) int32 {
	if layout == outline.LayoutOutline || r.Kind == outline.RowBranch && !r.Open && !r.LeafOnly {
		return r.Count
	}
	return 0
}

// spineGutters returns the lanes left of a row's lane.
func spineGutters(r *outline.Row) []outline.Gutter {
	gutters := make([]outline.Gutter, min(int(r.Lane), 63))
	for k := range gutters {
		gutters[k] = outline.Gutter{Position: k, Show: r.Through>>k&1 == 1}
	}
	return gutters
}
