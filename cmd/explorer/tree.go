package main

import (
	"cmp"

	"github.com/spf13/cobra"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// treeFlags holds the flags of tree.
type treeFlags struct {
	filter, query, layout, leaf string
	leafGiven                   bool
	fold                        []string
}

func treeCommand(p *program) *cobra.Command {
	var f treeFlags
	cmd := &cobra.Command{Use: "tree PATH", Short: "Draw the tree of a session", Args: sessionPathArgs(1, 1)}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		f.leafGiven = cmd.Flags().Changed("leaf")
		s, err := p.openSession(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		return p.printTree(s, f)
	}
	flags := cmd.Flags()
	flags.BoolVar(&p.json, "json", false, "print JSON")
	flags.StringVar(&f.filter, "filter", "default", "which entries to show: default, no-tools, user-only, labeled-only, all")
	flags.StringVar(&f.query, "query", "", "search for `WORDS`")
	flags.StringVar(&f.layout, "layout", "spine", "spine, or outline for pi's own order and indents")
	flags.StringVar(&f.leaf, "leaf", "", "end of the viewed path: an `ID`, or none for before the first entry")
	flags.StringArrayVar(&f.fold, "fold", nil, "collapse the branch at `ID` (repeatable)")
	return cmd
}

func (p *program) printTree(s *store.Session, f treeFlags) (err error) {
	notes := newNotesJSON(s)
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		var view session.View
		if view, err = f.parseView(t); err != nil {
			return
		}
		if p.json {
			err = p.printJSON(newTreeJSON(s, t, view, notes))
			return
		}
		err = p.drawTree(t, view, notes)
	})
	return err
}

func (f treeFlags) parseView(t *session.Tree) (v session.View, err error) {
	v = session.View{Entry: session.NoPos, Query: f.query, DefaultOpen: true, Open: map[string]bool{}}
	if v.Filter, err = session.ParseFilter(f.filter); err != nil {
		return v, usageError{err}
	}
	if v.Layout, err = session.ParseLayout(f.layout); err != nil {
		return v, usageError{err}
	}
	if v.Leaf, err = parseLeaf(t, f.leaf, f.leafGiven); err != nil {
		return v, err
	}
	for _, id := range f.fold {
		if _, err := findEntry(t, id); err != nil {
			return v, err
		}
		v.Open[id] = false
	}
	return v, nil
}

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
	for _, l := range t.Threads() {
		of[l.Name] = l.Session
	}
	for _, l := range t.Threads() {
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
	Gutters   []session.Gutter `json:"gutters"`
	OnPath    bool             `json:"onPath"`
	Text      string           `json:"text"`
	Label     *string          `json:"label"`
	Folded    int32            `json:"folded"`
	Leaf      bool             `json:"leaf"`
	Hit       bool             `json:"hit"`
}

func newTreeJSON(s *store.Session, t *session.Tree, v session.View, notes []noteJSON) treeJSON {
	o := t.Outline(v)
	a := treeJSON{Schema: 1, Session: newSessionJSON(s, t), Labels: map[string]string{}, Tree: newEdgesJSON(t), Rows: newRowsJSON(t, o, v.Layout), Notes: notes}
	a.Entries = make([]string, t.Len())
	for i := range a.Entries {
		a.Entries[i] = t.At(session.Pos(i)).ID
	}
	for _, l := range t.Labels() {
		a.Labels[t.At(l.Target).ID] = l.Text
	}
	for _, l := range t.Threads() {
		if a.Lines == nil {
			a.Lines = map[string]threadJSON{}
		}
		a.Lines[l.Name] = threadJSON{stringOrNull(l.Parent), idOrNull(t, l.At), l.Branch, entryIDs(t, l.Entries)}
	}
	if s.IsWholeDir() {
		a.Sessions = newJoinedSessions(t)
	}
	at := o.Selected
	for at >= 0 && (o.Rows.At(at).Kind == session.RowFoldedGroup || o.Rows.At(at).Kind == session.RowSessionHeader) { // folded entries have no row
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
func newRowsJSON(t *session.Tree, o *session.Outline, layout session.Layout) []rowJSON {
	rows := []rowJSON{}
	own := map[session.Pos]bool{}
	for _, r := range o.Rows.All() {
		if k := r.Kind; k == session.RowEntry || k == session.RowBranchMark {
			own[r.Pos] = true
		}
	}
	for _, r := range o.Rows.All() {
		extra := r.Kind != session.RowEntry && r.Kind != session.RowBranchMark
		if r.Kind == session.RowFoldedGroup || r.Kind == session.RowSessionHeader || extra && own[r.Title] {
			continue
		}
		own[r.Title] = true
		row := rowJSON{ID: t.At(r.Title).ID, Indent: int(r.Lane), Connector: r.Connector, IsLast: r.IsLast, Gutters: o.Gutters(r),
			OnPath: r.OnPath, Text: terminalRowText(t, r), Folded: hiddenRowCount(r, layout), Leaf: r.Leaf, Hit: r.Hit}
		if l, ok := t.Label(r.Title); ok {
			row.Label = &l.Text
		}
		if layout == session.LayoutOutline && t.At(r.Pos).Kind.IsUnworded() {
			row.Text = "" // as in pi
		}
		if layout == session.LayoutSpine {
			row.Connector, row.IsLast, row.Gutters = r.Kind == session.RowBranch, r.Last, spineGutters(r)
		}
		if row.Gutters == nil {
			row.Gutters = []session.Gutter{}
		}
		rows = append(rows, row)
	}
	return rows
}

// hiddenRowCount returns how many rows a row hides, or entries if it is a closed branch.
func hiddenRowCount(r *session.Row, layout session.Layout) int32 {
	if layout == session.LayoutOutline || r.Kind == session.RowBranch && !r.Open && !r.LeafOnly {
		return r.Count
	}
	return 0
}

// spineGutters returns the lanes left of a row's lane.
func spineGutters(r *session.Row) []session.Gutter {
	gutters := make([]session.Gutter, min(int(r.Lane), 63))
	for k := range gutters {
		gutters[k] = session.Gutter{Position: k, Show: r.Through>>k&1 == 1}
	}
	return gutters
}

// terminalRowText returns the text of a row.
func terminalRowText(t *session.Tree, r *session.Row) string {
	e := t.At(r.Title)
	switch {
	case r.Kind == session.RowBranchMark:
		return "Branched here, waiting for the next prompt"
	case r.Kind == session.RowFoldedGroup:
		return "[" + foldedGroupText(e, r.Count) + "]"
	case r.Kind == session.RowSessionHeader:
		return "session " + threadTitle(t, r.Pos)
	case r.Kind == session.RowBranch && t.At(r.Pos).HasFlag(session.FlagAgent):
		return "agent: " + threadTitle(t, r.Pos)
	case r.Kind == session.RowBranch && t.At(r.Pos).HasFlag(session.FlagSession):
		return "session " + threadTitle(t, r.Pos)
	case r.Kind == session.RowBranch && t.At(r.Pos).HasFlag(session.FlagRetracted):
		return "retracted: " + threadTitle(t, r.Pos)
	case r.Kind == session.RowCall:
		return "[" + e.Calls()[r.Call].Name + ": " + e.Calls()[r.Call].Arg + "] " + e.Calls()[r.Call].OutcomeText()
	}
	return t.RowText(r.Title)
}

// foldedGroupText describes a folded group.
func foldedGroupText(e *session.Entry, n int32) string {
	switch {
	case e.HasFlag(session.FlagArtifact):
		return e.Status() + ": " + pluralize(n, "line", "lines")
	case e.HasFlag(session.FlagCommand):
		return pluralize(n, "local command line", "local command lines")
	case e.HasFlag(session.FlagBranchMark):
		return "branch without a prompt: " + pluralize(n, "line", "lines")
	}
	return pluralize(n, "metadata line", "metadata lines")
}

// threadTitle returns the title of the thread that begins at head: of an agent or a session.
func threadTitle(t *session.Tree, head session.Pos) string {
	text, entry := t.BranchTitle(head)
	return cmp.Or(text, t.RowText(entry))
}
