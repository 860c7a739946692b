package view

import (
	"net/url"
	"strconv"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// maxHits is how many hits a window names; the rest is found by scrolling on.
const maxHits = 1000

// Rows is the window of at most n rows from index at.
func (b *Builder) Rows(s Scene, at, n int) components.RowsModel {
	b = b.to(s.Stand)
	o := s.Outline
	at, end := o.Window(at, n)
	m := components.RowsModel{
		Rev:      s.Rev.String(),
		At:       at,
		Total:    o.Rows.Len(),
		Selected: o.Selected,
		Focus:    o.Selected,
		From:     at,
	}
	if s.Params.Query != "" {
		m.Hits = firstHits(o.Hits)
	}
	rb := rowBuilder{b: b, s: s, words: words(s.Params.Query), current: currentRow(o)}
	rb.cwd = homePath(s.Tree.Header().Cwd, b.home) + "/"
	m.Rows = make([]components.RowModel, 0, end-at)
	for i := at; i < end; i++ {
		m.Rows = append(m.Rows, rb.row(i, o.Rows.At(i)))
	}
	if o.Rows.Len() == 0 {
		m.Empty, m.EmptyLink = emptyRows(s)
	}
	return m
}

// WindowAround answers where a window of n rows starts that holds row index i
// near its middle.
func WindowAround(total, i, n int) int {
	return max(min(i-n/2, total-n), 0)
}

func firstHits(hits []int32) []int {
	out := make([]int, min(len(hits), maxHits))
	for i := range out {
		out[i] = int(hits[i])
	}
	return out
}

// currentRow is the last row of the viewed path, whose rows stand in its order.
// A stub may be it: where it is the row of its title, or closed by hand.
func currentRow(o *session.Outline) int {
	for i := o.Rows.Len() - 1; i >= 0; i-- {
		if r := o.Rows.At(i); r.OnPath && r.Kind != session.RowFold && r.Kind != session.RowHead {
			return i
		}
	}
	return -1
}

func emptyRows(s Scene) (string, *components.Link) {
	switch {
	case s.Tree.Len() == 0:
		return "This session has no entries yet.", nil
	case s.Tree.Count() == 0 && s.Params.Filter != session.FilterAll:
		return "No messages in this session yet.", showAll(s)
	case s.Params.Query != "":
		return "No entry matches “" + visible(s.Params.Query) + "”.",
			&components.Link{Text: "Clear the search", Href: s.Params.withQuery("").Href(s.Base())}
	case s.Params.Filter == session.FilterLabeledOnly && len(s.Tree.Labels()) == 0:
		return "No labels in this session.", showAll(s)
	case s.Params.Filter == session.FilterUserOnly:
		return "No prompts in this session.", showAll(s)
	}
	return "The filter “" + filterTexts[s.Params.Filter] + "” hides " + everyEntry(s.Tree.Count()) + ".", showAll(s)
}

func everyEntry(n int) string {
	if n == 1 {
		return "the only entry"
	}
	return "all " + plural(n, "entry", "entries")
}

func showAll(s Scene) *components.Link {
	return &components.Link{Text: "Show all entries", Href: s.Params.withFilter(session.FilterAll).Href(s.Base())}
}

// rowBuilder makes the rows of one window.
type rowBuilder struct {
	b       *Builder
	s       Scene
	words   []string
	current int
	cwd     string // as rows write it, with a slash
}

func (rb *rowBuilder) row(i int, r *session.Row) components.RowModel {
	e := rb.s.Tree.At(r.Pos)
	m := components.RowModel{
		ID:       domID("r-", e.ID),
		Entry:    e.ID,
		Index:    i,
		Href:     rb.s.href(e.ID, r.OnPath),
		Expanded: -1,
		Level:    int(r.Lane) + 1,
		Set:      rb.s.Outline.Set(r),
		Nth:      int(r.Nth),
		Up:       int(r.Up),
		Selected: i == rb.s.Outline.Selected,
		OnPath:   r.OnPath,
		Current:  i == rb.current,
		Leaf:     r.Leaf,
		Hit:      r.Hit,
		Rule:     r.Rule,
	}
	switch r.Kind {
	case session.RowStub:
		rb.stub(&m, r, e)
	case session.RowCall:
		rb.call(&m, r, e)
	case session.RowFold:
		rb.folded(&m, r)
	case session.RowMark:
		m.Class, m.Node = "mark", "note"
		m.Text = spans("Branched here, waiting for the next prompt", nil)
		m.Time = rb.b.moment(e.Time)
	case session.RowHead:
		rb.head(&m, r, e)
	default:
		rb.entry(&m, r, e)
	}
	if r.Up >= 0 && rb.s.Outline.Rows.At(int(r.Up)).Kind == session.RowFold {
		m.Level++
	}
	if r.Leaf && r.Kind != session.RowStub {
		m.Node = "leaf"
	}
	if rb.s.View.Layout == session.LayoutOutline {
		rb.outline(&m, i, r)
	} else {
		m.Lanes, m.More = lanes(r)
		rb.focus(&m, r, e)
	}
	m.Href += "#" + domID("e-", m.Entry) // without script the browser goes there
	return m
}

// entry fills the row of an entry of its own.
func (rb *rowBuilder) entry(m *components.RowModel, r *session.Row, e *session.Entry) {
	w := rowWords(rb.s.Tree, r.Pos, e)
	m.Class, m.Node = w.class, w.node
	m.Tool, m.Meta, m.Status = w.tool, w.meta, w.status
	if k := toolKind(w.tool); w.class == "tool" && k != "tool" && k != "bash" {
		w.text = strings.TrimPrefix(w.text, rb.cwd)
	}
	m.Text = spans(w.text, rb.words)
	m.Added, m.Removed = int(e.Added), int(e.Removed)
	if w.class != "tool" {
		m.Time = rb.b.moment(e.Time)
	}
	rb.label(m, r.Pos)
	if rb.s.View.Layout == session.LayoutOutline { // elsewhere the row above says it
		m.Warn = lineWarning(rb.s.Tree, r.Pos, e)
	} else if !e.Begins() {
		m.Warn = orphanWarning(rb.s.Tree, r.Pos, e)
	}
}

func (rb *rowBuilder) label(m *components.RowModel, p session.Pos) {
	if l, ok := rb.s.Tree.Label(p); ok {
		m.Label, m.LabelTime = oneLine(l.Text), rb.b.moment(l.Time)
	}
}

// head fills the row above the first entry of another session, or of an agent that
// hangs nowhere.
func (rb *rowBuilder) head(m *components.RowModel, r *session.Row, e *session.Entry) {
	m.ID = domID("s-", e.ID)
	m.Class, m.Node = "head", "note"
	m.Line = lineKind(rb.s.Tree, r.Pos)
	m.Tool, m.Text = m.Line, spans(lineText(rb.s.Tree, r.Pos), rb.words)
	m.Time = rb.b.moment(e.Time)
	if m.Warn = lineWarning(rb.s.Tree, r.Pos, e); m.Warn == notAttached {
		m.Meta = "parent unknown"
	}
}

// stub fills the row that stands for a branch. It leads to its title, the entry
// whose text it shows.
func (rb *rowBuilder) stub(m *components.RowModel, r *session.Row, e *session.Entry) {
	title := rb.s.Tree.At(r.Title)
	m.ID, m.Entry = domID("b-", e.ID), title.ID
	m.Href = rb.s.href(title.ID, r.OnPath)
	m.Class, m.Node = "stub", "tog"
	m.Level = max(int(r.Lane), 1)
	if r.Alone { // nothing to open: the node of the one entry there is
		m.Node = rowWords(rb.s.Tree, r.Title, title).node
	} else {
		m.Expanded = 0
		if r.Open {
			m.Expanded = 1
		}
		toggled := rb.s.Params.withOpen(e.ID, !r.Open)
		if r.Open && !r.Preset { // closed as it would be anyway; it may be named by its title
			toggled = rb.s.Params.withoutOpen(e.ID, title.ID)
		}
		m.Toggle = toggled.Href(rb.s.Base())
	}
	m.Text = spans(entryText(rb.s.Tree, r.Title), rb.words)
	if e.Begins() {
		m.Line = lineKind(rb.s.Tree, r.Pos)
		m.Tool, m.Text = m.Line, spans(lineText(rb.s.Tree, r.Pos), rb.words)
	}
	m.Count = int(r.Count)
	m.Age = rb.b.moment(rb.s.Tree.Newest(r.Pos))
	rb.label(m, r.Title)
	m.Warn = lineWarning(rb.s.Tree, r.Pos, e)
}

// focus offers to begin the rows with a branch that stands too deep for a lane of
// its own.
func (rb *rowBuilder) focus(m *components.RowModel, r *session.Row, head *session.Entry) {
	if r.Kind == session.RowStub && r.Lane >= sharedLane {
		m.Focus = rb.s.Params.withEntry(m.Entry, "").withRoot(head.ID).Href(rb.s.Base())
	}
}

// call fills the row of a tool call that has no result.
func (rb *rowBuilder) call(m *components.RowModel, r *session.Row, e *session.Entry) {
	m.ID = domID("c-", e.ID) + "-" + strconv.Itoa(int(r.Call))
	m.Class, m.Node = "tool", "tool"
	if int(r.Call) < len(e.Calls) {
		c := e.Calls[r.Call]
		m.Tool, m.Text = visible(c.Name), spans(callText(rb.s.Tree, &c), rb.words)
	}
	if o := outcomeOf(e, int(r.Call)); o != nil {
		rb.outcome(m, r, o)
		return
	}
	if rb.s.Live {
		m.Running = true
	} else {
		m.Meta = "no result"
	}
}

// outcome says in the row of a call what came of it.
func (rb *rowBuilder) outcome(m *components.RowModel, r *session.Row, o *session.Outcome) {
	e := rb.s.Tree.At(r.Pos)
	c := e.Calls[r.Call]
	if r.Call == 0 && !e.Has(session.FlagText) && e.Stop == "toolUse" { // the answer has no row of its own
		rb.label(m, r.Pos)
	}
	if k := toolKind(c.Name); k != "tool" && k != "bash" {
		m.Text = spans(strings.TrimPrefix(callText(rb.s.Tree, &c), rb.cwd), rb.words)
	}
	if o.Failed {
		m.Status = oneLine(o.Status)
	} else {
		m.Meta = oneLine(o.Status)
	}
}

// folded fills the row of bookkeeping branches under an entry. It opens in place.
func (rb *rowBuilder) folded(m *components.RowModel, r *session.Row) {
	first := rb.s.Tree.At(r.Title)
	head := first.ID
	m.ID = domID("f-", head)
	m.Class, m.Node = "fold", "tog"
	m.Text = spans("Settings and labels", nil)
	switch {
	case first.Has(session.FlagArtifact):
		m.Text = spans(colon("Recording artifacts", oneLine(first.Status)), nil)
	case first.Has(session.FlagCommand):
		m.Text = spans("Local commands", nil)
	case first.Kind == session.KindEvent:
		m.Text = spans("Bookkeeping", nil)
	case first.Has(session.FlagBranchMark):
		m.Text = spans("Left without a prompt", nil)
	}
	m.Count = int(r.Count)
	m.Expanded = 0
	toggled := rb.s.Params.withOpen(head, true)
	if r.Open {
		m.Expanded = 1
		toggled = rb.s.Params.withoutOpen(head)
	}
	m.Toggle = toggled.Href(rb.s.Base())
	m.Href = m.Toggle
}

// orphanWarning says that the recorded parent is not in the file.
func orphanWarning(t *session.Tree, p session.Pos, e *session.Entry) string {
	if t.Parent(p) != session.NoPos || !e.Has(session.FlagHasParent) || e.Parent == e.ID {
		return ""
	}
	if t.Find(e.Parent) != session.NoPos {
		return "The chain of parents led back here and was cut"
	}
	return "Parent " + oneLine(cutRunes(e.Parent, 40)) + " is not in the file"
}

// domID makes an id for the page of an entry's id, which may hold anything.
func domID(prefix, id string) string { return prefix + url.QueryEscape(id) }
