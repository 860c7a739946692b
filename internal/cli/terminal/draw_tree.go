package terminal

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
)

// DrawTree draws the rows of a view, like git log --graph.
func DrawTree(out *ColorWriter, t *session.Tree, v outline.View) {
	o := outline.Build(t, v)
	for i, r := range o.Rows.All() {
		if r.RuleAbove {
			out.WriteColored("", "\n")
		}
		if v.Layout == outline.LayoutOutline {
			out.WriteColored(Dim, o.IndentPrefix(i))
		} else {
			drawGraph(out, r, t.At(r.Title))
		}
		drawRow(out, t, r, v.Layout)
	}
	if o.Rows.Len() == 0 {
		out.WriteColored("", "No entries with filter "+v.Filter.String()+".\n")
	}
}

func drawGraph(out *ColorWriter, r *outline.Row, e *session.Entry) {
	for _, c := range r.GraphCells() {
		if c.Node && r.Kind == outline.RowEntry {
			c.Text = nodeGlyph(e)
		}
		out.WriteColored(graphColor(r, c), c.Text)
	}
}

// nodeGlyph returns the symbol for an entry. It distinguishes prompts, answers, summaries
// and everything else.
func nodeGlyph(e *session.Entry) string {
	switch {
	case e.Kind == session.KindUser || e.Kind == session.KindShell:
		return "●"
	case e.Kind == session.KindAssistant || e.Kind == session.KindMessage || e.Kind == session.KindCustomMessage:
		return "○"
	case e.Kind == session.KindCompaction || e.Kind == session.KindBranchSummary:
		return "◆"
	}
	return "·"
}

func graphColor(r *outline.Row, c outline.GraphCell) string {
	switch {
	case c.Node && r.Leaf:
		return Green
	case c.Path:
		return Blue
	}
	return Dim
}

// drawRow writes the text of a row, right of the graph.
func drawRow(out *ColorWriter, t *session.Tree, r *outline.Row, layout outline.Layout) {
	e := t.At(r.Title)
	text := CleanLine(RowText(t, r))
	if r.Kind == outline.RowBranch && !r.Open && !r.LeafOnly {
		text += " (" + Pluralize(r.Count, "entry", "entries") + ")"
	} else if layout == outline.LayoutOutline && !r.Open {
		text += " (" + Pluralize(r.Count, "row", "rows") + " folded)"
	}
	if layout == outline.LayoutSpine {
		out.WriteColored("", " ")
	}
	out.WriteColored(Dim, CleanLine(e.ID)+" ")
	label, leaf := "", ""
	if l, ok := t.Label(r.Title); ok && r.Kind != outline.RowFoldedGroup {
		label = " [" + CleanLine(l.Text) + "]"
	}
	if r.Leaf {
		leaf = " (leaf)"
	}
	out.WriteColored(rowColor(e, r), out.fitLine(text, DisplayWidth(label+leaf)))
	out.WriteColored(Yellow, label)
	out.WriteColored(Green, leaf)
	out.WriteColored("", "\n")
}

func rowColor(e *session.Entry, r *outline.Row) string {
	switch {
	case r.Hit:
		return Bold
	case r.Kind != outline.RowEntry && r.Kind != outline.RowBranch:
		return Dim
	case e.HasFlag(session.FlagError):
		return Red
	case e.Kind == session.KindUser:
		return Blue
	case e.Kind == session.KindBranchSummary || e.Kind == session.KindCompaction:
		return Cyan
	case e.Kind == session.KindAssistant:
		return ""
	}
	return Dim
}
