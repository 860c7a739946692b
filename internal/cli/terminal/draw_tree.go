package terminal

import "sessiontree/internal/session"

// DrawTree draws the rows of a view, like git log --graph.
func DrawTree(out *ColorWriter, t *session.Tree, v session.View) {
	o := t.Outline(v)
	for i, r := range o.Rows.All() {
		if r.RuleAbove {
			out.WriteColored("", "\n")
		}
		if v.Layout == session.LayoutOutline {
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

func drawGraph(out *ColorWriter, r *session.Row, e *session.Entry) {
	for _, c := range r.GraphCells() {
		if c.Node && r.Kind == session.RowEntry {
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

func graphColor(r *session.Row, c session.GraphCell) string {
	switch {
	case c.Node && r.Leaf:
		return Green
	case c.Path:
		return Blue
	}
	return Dim
}

// drawRow writes the text of a row, right of the graph.
func drawRow(out *ColorWriter, t *session.Tree, r *session.Row, layout session.Layout) {
	e := t.At(r.Title)
	text := CleanLine(RowText(t, r))
	if r.Kind == session.RowBranch && !r.Open && !r.LeafOnly {
		text += " (" + Pluralize(r.Count, "entry", "entries") + ")"
	} else if layout == session.LayoutOutline && !r.Open {
		text += " (" + Pluralize(r.Count, "row", "rows") + " folded)"
	}
	if layout == session.LayoutSpine {
		out.WriteColored("", " ")
	}
	out.WriteColored(Dim, CleanLine(e.ID)+" ")
	label, leaf := "", ""
	if l, ok := t.Label(r.Title); ok && r.Kind != session.RowFoldedGroup {
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

func rowColor(e *session.Entry, r *session.Row) string {
	switch {
	case r.Hit:
		return Bold
	case r.Kind != session.RowEntry && r.Kind != session.RowBranch:
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
