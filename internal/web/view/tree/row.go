package tree

import (
	"cmp"
	"strconv"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/session/toolkind"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// rowBuilder builds the rows of one window.
type rowBuilder struct {
	s       view.Scene
	words   []string
	current int
	cwd     string // as shown in rows, with a trailing slash
}

func (rb *rowBuilder) buildRow(i int, r *outline.Row) components.RowModel {
	e := rb.s.Tree.At(r.Pos)
	m := components.RowModel{
		ID:       view.DomID("r-", e.ID),
		Entry:    e.ID,
		Index:    i,
		Href:     rb.s.EntryHref(e.ID, r.OnPath),
		Expanded: -1,
		Level:    RowLevel(rb.s.Outline, r),
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
	case outline.RowBranch:
		rb.fillBranchRow(&m, r, e)
	case outline.RowCall:
		rb.fillCallRow(&m, r, e)
	case outline.RowFoldedGroup:
		rb.fillFoldedGroupRow(&m, r)
	case outline.RowBranchMark:
		m.Class, m.Node = "mark", "note"
		m.Text = view.MarkSpans("Branched here, waiting for the next prompt", nil)
		m.Time = rb.s.Config.MillisModel(e.Time)
	case outline.RowSessionHeader:
		rb.fillSessionHeaderRow(&m, r, e)
	default:
		rb.fillEntryRow(&m, r, e)
	}
	if r.Leaf && r.Kind != outline.RowBranch {
		m.Node = "leaf"
	}
	if rb.s.View.Layout == outline.LayoutOutline {
		rb.fillOutlineRow(&m, i, r)
	} else {
		m.Lanes, m.More = laneCells(r)
		rb.fillFocusLink(&m, r, e)
	}
	rb.fillHits(&m, i, r)
	m.Href += "#" + view.DomID("e-", m.Entry) // jumps to the entry without script
	return m
}

// RowLevel returns the depth of a row for assistive technology, from 1.
func RowLevel(o *outline.Outline, r *outline.Row) int {
	level := int(r.Lane) + 1
	if r.Kind == outline.RowBranch {
		level = max(int(r.Lane), 1)
	}
	if r.ParentRow >= 0 && o.Rows.At(int(r.ParentRow)).Kind == outline.RowFoldedGroup {
		level++
	}
	return level
}

// fillEntryRow fills in the row of an entry.
func (rb *rowBuilder) fillEntryRow(m *components.RowModel, r *outline.Row, e *session.Entry) {
	w := view.BuildRowText(rb.s.Tree, r.Pos, e)
	m.Class, m.Node = w.Class, w.Node
	m.Tool, m.Meta, m.Status = w.Tool, w.Meta, w.Status
	if k := toolkind.Of(w.Tool); w.Class == "tool" && k != "tool" && k != "bash" {
		w.Text = strings.TrimPrefix(w.Text, rb.cwd)
	}
	m.Text = view.MarkSpans(w.Text, rb.words)
	m.Added, m.Removed = int(e.Added()), int(e.Removed())
	if w.Class != "tool" {
		m.Time = rb.s.Config.MillisModel(e.Time)
	}
	rb.fillRowLabel(m, r.Pos)
	if rb.s.View.Layout == outline.LayoutOutline { // in other layouts the row above shows it
		m.Warn = view.ThreadWarning(rb.s.Tree, r.Pos, e)
	} else if !e.StartsThread() {
		m.Warn = view.OrphanWarning(rb.s.Tree, r.Pos, e)
	}
}

func (rb *rowBuilder) fillRowLabel(m *components.RowModel, p session.Pos) {
	if l, ok := rb.s.Tree.Label(p); ok {
		m.Label, m.LabelTime = view.OneLine(l.Text), rb.s.Config.MillisModel(l.Time)
	}
}

// fillSessionHeaderRow fills in the row above the first entry of another session, or of an
// agent without a parent.
func (rb *rowBuilder) fillSessionHeaderRow(m *components.RowModel, r *outline.Row, e *session.Entry) {
	m.ID = view.DomID("s-", e.ID)
	m.Class, m.Node = "head", "note"
	m.Thread = view.ThreadKind(rb.s.Tree, r.Pos)
	m.Tool, m.Text = m.Thread, view.MarkSpans(view.BranchTitle(rb.s.Tree, r.Pos), rb.words)
	m.Time = rb.s.Config.MillisModel(e.Time)
	if m.Warn = view.ThreadWarning(rb.s.Tree, r.Pos, e); m.Warn == view.UnattachedText {
		m.Meta = "parent unknown"
	}
}

// fillBranchRow fills in the row of a branch. It links to the entry whose text is the
// branch's title.
func (rb *rowBuilder) fillBranchRow(m *components.RowModel, r *outline.Row, e *session.Entry) {
	title := rb.s.Tree.At(r.Title)
	m.ID, m.Entry = view.DomID("b-", e.ID), title.ID
	m.Href = rb.s.EntryHref(title.ID, r.OnPath)
	m.Class, m.Node = "branch", "toggle"
	if r.LeafOnly { // nothing to open: shows the node of its only entry
		m.Node = view.BuildRowText(rb.s.Tree, r.Title, title).Node
	} else {
		m.Expanded = 0
		if r.Open {
			m.Expanded = 1
		}
		toggled := rb.s.Params.WithOpen(e.ID, !r.Open)
		if r.Open && !r.DefaultOpen { // closed by default; the URL may name it by its title
			toggled = rb.s.Params.WithoutOpen(e.ID, title.ID)
		}
		m.Toggle = toggled.Href(rb.s.Base())
	}
	m.Text = view.MarkSpans(view.BranchTitle(rb.s.Tree, r.Pos), rb.words)
	if e.StartsThread() {
		m.Thread = view.ThreadKind(rb.s.Tree, r.Pos)
		m.Tool = m.Thread
	}
	m.Count = int(r.Count)
	m.Age = rb.s.Config.MillisModel(rb.s.Tree.Subtrees().NewestTime(r.Pos))
	rb.fillRowLabel(m, r.Title)
	m.Warn = view.ThreadWarning(rb.s.Tree, r.Pos, e)
}

// fillFocusLink adds the link that focuses a branch too deep for a lane of its own.
func (rb *rowBuilder) fillFocusLink(m *components.RowModel, r *outline.Row, head *session.Entry) {
	if r.Kind == outline.RowBranch && r.Lane >= firstSharedLane {
		m.Focus = rb.s.Params.WithEntry(m.Entry, "").WithRoot(head.ID).Href(rb.s.Base())
	}
}

// fillCallRow fills in the row of a tool call without a result entry.
func (rb *rowBuilder) fillCallRow(m *components.RowModel, r *outline.Row, e *session.Entry) {
	m.ID = view.DomID("c-", e.ID) + "-" + strconv.Itoa(int(r.Call))
	m.Class, m.Node = "tool", "tool"
	if int(r.Call) < len(e.Calls()) {
		c := e.Calls()[r.Call]
		m.Tool, m.Text = view.ToolName(c.Name), view.MarkSpans(view.CallText(rb.s.Tree, &c), rb.words)
	}
	if o := view.CallOutcome(e, int(r.Call)); o != nil {
		rb.fillCallOutcome(m, r, o)
		return
	}
	switch isOpen := rb.s.Live || rb.s.RunsTool && r.Pos == rb.s.Tree.Leaf(); {
	case isOpen && int(r.Call) < len(e.Calls()) && toolkind.AsksUser(e.Calls()[r.Call].Name):
		m.Meta = "waits for you"
	case isOpen:
		m.Running = true
	default:
		m.Meta = "no result"
	}
}

// fillCallOutcome fills in the outcome of a call.
func (rb *rowBuilder) fillCallOutcome(m *components.RowModel, r *outline.Row, o *session.Outcome) {
	e := rb.s.Tree.At(r.Pos)
	c := e.Calls()[r.Call]
	if r.Call == 0 && !e.HasFlag(session.FlagText) && e.StopReason() == "toolUse" { // the answer has no row of its own
		rb.fillRowLabel(m, r.Pos)
	}
	if k := toolkind.Of(c.Name); k != "tool" && k != "bash" {
		m.Text = view.MarkSpans(strings.TrimPrefix(view.CallText(rb.s.Tree, &c), rb.cwd), rb.words)
	}
	if o.Failed {
		m.Status = view.OneLine(o.Status)
	} else {
		m.Meta = view.OneLine(o.Status)
	}
}

// fillFoldedGroupRow fills in the row of a folded group of bookkeeping branches.
func (rb *rowBuilder) fillFoldedGroupRow(m *components.RowModel, r *outline.Row) {
	first := rb.s.Tree.At(r.Title)
	head := first.ID
	m.ID = view.DomID("f-", head)
	m.Class, m.Node = "fold", "toggle"
	m.Text = view.MarkSpans("Metadata lines", nil)
	switch {
	case first.HasFlag(session.FlagArtifact):
		m.Text = view.MarkSpans(view.UpperFirst(cmp.Or(view.OneLine(first.Status()), "duplicate records")), nil)
	case first.HasFlag(session.FlagCommand):
		m.Text = view.MarkSpans("Local commands", nil)
	case first.HasFlag(session.FlagBranchMark):
		m.Text = view.MarkSpans("Branch without a prompt", nil)
	}
	m.Count = int(r.Count)
	m.Expanded = 0
	toggled := rb.s.Params.WithOpen(head, true)
	if r.Open {
		m.Expanded = 1
		toggled = rb.s.Params.WithoutOpen(head)
	}
	m.Toggle = toggled.Href(rb.s.Base())
	m.Href = m.Toggle
}
