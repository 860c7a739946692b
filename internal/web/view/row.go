package view

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
	"sessiontree/web/components"
)

// rowBuilder builds the rows of one window.
type rowBuilder struct {
	s       Scene
	words   []string
	current int
	cwd     string // as shown in rows, with a trailing slash
}

func (rb *rowBuilder) buildRow(i int, r *session.Row) components.RowModel {
	e := rb.s.Tree.At(r.Pos)
	m := components.RowModel{
		ID:       domID("r-", e.ID),
		Entry:    e.ID,
		Index:    i,
		Href:     rb.s.entryHref(e.ID, r.OnPath),
		Expanded: -1,
		Level:    int(r.Lane) + 1,
		Set:      rb.s.Outline.RunSize(r),
		Nth:      int(r.PosInRun),
		Up:       int(r.ParentRow),
		Selected: i == rb.s.Outline.Selected,
		OnPath:   r.OnPath,
		Current:  i == rb.current,
		Leaf:     r.Leaf,
		Hit:      r.Hit,
		Rule:     r.RuleAbove,
	}
	switch r.Kind {
	case session.RowBranch:
		rb.fillBranchRow(&m, r, e)
	case session.RowCall:
		rb.fillCallRow(&m, r, e)
	case session.RowFoldedGroup:
		rb.fillFoldedGroupRow(&m, r)
	case session.RowBranchMark:
		m.Class, m.Node = "mark", "note"
		m.Text = markSpans("Branched here, waiting for the next prompt", nil)
		m.Time = rb.s.Config.millisModel(e.Time)
	case session.RowSessionHeader:
		rb.fillSessionHeaderRow(&m, r, e)
	default:
		rb.fillEntryRow(&m, r, e)
	}
	if r.ParentRow >= 0 && rb.s.Outline.Rows.At(int(r.ParentRow)).Kind == session.RowFoldedGroup {
		m.Level++
	}
	if r.Leaf && r.Kind != session.RowBranch {
		m.Node = "leaf"
	}
	if rb.s.View.Layout == session.LayoutOutline {
		rb.fillOutlineRow(&m, i, r)
	} else {
		m.Lanes, m.More = laneCells(r)
		rb.fillFocusLink(&m, r, e)
	}
	m.Href += "#" + domID("e-", m.Entry) // jumps to the entry without script
	return m
}

// fillEntryRow fills in the row of an entry.
func (rb *rowBuilder) fillEntryRow(m *components.RowModel, r *session.Row, e *session.Entry) {
	w := buildRowText(rb.s.Tree, r.Pos, e)
	m.Class, m.Node = w.class, w.node
	m.Tool, m.Meta, m.Status = w.tool, w.meta, w.status
	if k := toolKind(w.tool); w.class == "tool" && k != "tool" && k != "bash" {
		w.text = strings.TrimPrefix(w.text, rb.cwd)
	}
	m.Text = markSpans(w.text, rb.words)
	m.Added, m.Removed = int(e.Added()), int(e.Removed())
	if w.class != "tool" {
		m.Time = rb.s.Config.millisModel(e.Time)
	}
	rb.fillRowLabel(m, r.Pos)
	if rb.s.View.Layout == session.LayoutOutline { // in other layouts the row above shows it
		m.Warn = threadWarning(rb.s.Tree, r.Pos, e)
	} else if !e.StartsThread() {
		m.Warn = orphanWarning(rb.s.Tree, r.Pos, e)
	}
}

func (rb *rowBuilder) fillRowLabel(m *components.RowModel, p session.Pos) {
	if l, ok := rb.s.Tree.Label(p); ok {
		m.Label, m.LabelTime = oneLine(l.Text), rb.s.Config.millisModel(l.Time)
	}
}

// fillSessionHeaderRow fills in the row above the first entry of another session, or of an
// agent without a parent.
func (rb *rowBuilder) fillSessionHeaderRow(m *components.RowModel, r *session.Row, e *session.Entry) {
	m.ID = domID("s-", e.ID)
	m.Class, m.Node = "head", "note"
	m.Thread = threadKind(rb.s.Tree, r.Pos)
	m.Tool, m.Text = m.Thread, markSpans(branchTitle(rb.s.Tree, r.Pos), rb.words)
	m.Time = rb.s.Config.millisModel(e.Time)
	if m.Warn = threadWarning(rb.s.Tree, r.Pos, e); m.Warn == unattachedText {
		m.Meta = "parent unknown"
	}
}

// fillBranchRow fills in the row of a branch. It links to the entry whose text is the
// branch's title.
func (rb *rowBuilder) fillBranchRow(m *components.RowModel, r *session.Row, e *session.Entry) {
	title := rb.s.Tree.At(r.Title)
	m.ID, m.Entry = domID("b-", e.ID), title.ID
	m.Href = rb.s.entryHref(title.ID, r.OnPath)
	m.Class, m.Node = "stub", "tog"
	m.Level = max(int(r.Lane), 1)
	if r.LeafOnly { // nothing to open: shows the node of its only entry
		m.Node = buildRowText(rb.s.Tree, r.Title, title).node
	} else {
		m.Expanded = 0
		if r.Open {
			m.Expanded = 1
		}
		toggled := rb.s.Params.withOpen(e.ID, !r.Open)
		if r.Open && !r.DefaultOpen { // closed by default; the URL may name it by its title
			toggled = rb.s.Params.withoutOpen(e.ID, title.ID)
		}
		m.Toggle = toggled.Href(rb.s.Base())
	}
	m.Text = markSpans(branchTitle(rb.s.Tree, r.Pos), rb.words)
	if e.StartsThread() {
		m.Thread = threadKind(rb.s.Tree, r.Pos)
		m.Tool = m.Thread
	}
	m.Count = int(r.Count)
	m.Age = rb.s.Config.millisModel(rb.s.Tree.NewestTime(r.Pos))
	rb.fillRowLabel(m, r.Title)
	m.Warn = threadWarning(rb.s.Tree, r.Pos, e)
}

// fillFocusLink adds the link that focuses a branch too deep for a lane of its own.
func (rb *rowBuilder) fillFocusLink(m *components.RowModel, r *session.Row, head *session.Entry) {
	if r.Kind == session.RowBranch && r.Lane >= firstSharedLane {
		m.Focus = rb.s.Params.withEntry(m.Entry, "").withRoot(head.ID).Href(rb.s.Base())
	}
}

// fillCallRow fills in the row of a tool call without a result entry.
func (rb *rowBuilder) fillCallRow(m *components.RowModel, r *session.Row, e *session.Entry) {
	m.ID = domID("c-", e.ID) + "-" + strconv.Itoa(int(r.Call))
	m.Class, m.Node = "tool", "tool"
	if int(r.Call) < len(e.Calls()) {
		c := e.Calls()[r.Call]
		m.Tool, m.Text = escapeInvisible(c.Name), markSpans(callText(rb.s.Tree, &c), rb.words)
	}
	if o := callOutcome(e, int(r.Call)); o != nil {
		rb.fillCallOutcome(m, r, o)
		return
	}
	if rb.s.Live {
		m.Running = true
	} else {
		m.Meta = "no result"
	}
}

// fillCallOutcome fills in the outcome of a call.
func (rb *rowBuilder) fillCallOutcome(m *components.RowModel, r *session.Row, o *session.Outcome) {
	e := rb.s.Tree.At(r.Pos)
	c := e.Calls()[r.Call]
	if r.Call == 0 && !e.HasFlag(session.FlagText) && e.StopReason() == "toolUse" { // the answer has no row of its own
		rb.fillRowLabel(m, r.Pos)
	}
	if k := toolKind(c.Name); k != "tool" && k != "bash" {
		m.Text = markSpans(strings.TrimPrefix(callText(rb.s.Tree, &c), rb.cwd), rb.words)
	}
	if o.Failed {
		m.Status = oneLine(o.Status)
	} else {
		m.Meta = oneLine(o.Status)
	}
}

// fillFoldedGroupRow fills in the row of a folded group of bookkeeping branches.
func (rb *rowBuilder) fillFoldedGroupRow(m *components.RowModel, r *session.Row) {
	first := rb.s.Tree.At(r.Title)
	head := first.ID
	m.ID = domID("f-", head)
	m.Class, m.Node = "fold", "tog"
	m.Text = markSpans("Metadata lines", nil)
	switch {
	case first.HasFlag(session.FlagArtifact):
		m.Text = markSpans(upperFirst(cmp.Or(oneLine(first.Status()), "duplicate records")), nil)
	case first.HasFlag(session.FlagCommand):
		m.Text = markSpans("Local commands", nil)
	case first.HasFlag(session.FlagBranchMark):
		m.Text = markSpans("Branch without a prompt", nil)
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

// orphanWarning returns a warning if the recorded parent is not in the file.
func orphanWarning(t *session.Tree, p session.Pos, e *session.Entry) string {
	if t.Parent(p) != session.NoPos || !e.HasFlag(session.FlagHasParent) || e.Parent == e.ID {
		return ""
	}
	if t.FindID(e.Parent) != session.NoPos {
		return "The chain of parents was a cycle and was cut here"
	}
	return "Parent " + oneLine(rowtext.Cut(e.Parent, 40)) + " is not in the file"
}

// domID returns the DOM id for an entry's id, which may contain anything.
func domID(prefix, id string) string { return prefix + url.QueryEscape(id) }
