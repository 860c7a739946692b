package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"sessiontree/internal/session"
)

// Colours of a terminal, by what they say.
const (
	plain  = "\x1b[0m"
	bold   = "\x1b[1m"
	dim    = "\x1b[2m"
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	blue   = "\x1b[34m"
	cyan   = "\x1b[36m"
)

// pen writes to a terminal, in colour where that is wanted. Colours are the only control
// characters that it writes.
type pen struct {
	*bufio.Writer
	colour bool
	width  int // columns, 0 when lines have no end
	column int // where the next text comes to stand
}

func newPen(w io.Writer) *pen {
	width := 0
	f, terminal := terminalOf(w)
	if terminal {
		width = widthOf(f)
	}
	colour := terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	if s, ok := w.(*screen); ok {
		w = s.to // put does what the screen would, and the colours stay
	}
	return &pen{Writer: bufio.NewWriter(w), colour: colour, width: width}
}

// put writes text in a colour, "" for the terminal's own.
func (p *pen) put(colour, text string) {
	text = string(withoutControls([]byte(text)))
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		p.column = columns(text[i+1:])
	} else {
		p.column += columns(text)
	}
	if p.colour && colour != "" && text != "" {
		text = colour + text + plain
	}
	_, _ = p.WriteString(text) // Flush answers the error
}

// draw writes the tree for reading, like git log --graph.
func (p *program) draw(t *session.Tree, v session.View, notes []noteJSON) error {
	out := newPen(p.out)
	o := t.Outline(v)
	for i, r := range o.Rows.All() {
		if r.Rule {
			out.put("", "\n")
		}
		if v.Layout == session.LayoutOutline {
			out.put(dim, o.Prefix(i))
		} else {
			drawGraph(out, r, t.At(r.Title))
		}
		drawRow(out, t, r, v.Layout)
	}
	if o.Rows.Len() == 0 {
		out.put("", "No entries with filter "+v.Filter.String()+".\n")
	}
	for _, n := range notes {
		out.put(yellow, fmt.Sprintf("note %s: line %d: %s\n", n.Code, n.Line, clean(n.Text)))
	}
	return out.Flush()
}

func drawGraph(out *pen, r *session.Row, e *session.Entry) {
	for _, c := range r.Graph() {
		if c.Node && r.Kind == session.RowEntry {
			c.Text = node(e)
		}
		out.put(laneColour(r, c), c.Text)
	}
}

// node tells prompts from answers, and both from what tools and settings say.
func node(e *session.Entry) string {
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

func laneColour(r *session.Row, c session.GraphCell) string {
	switch {
	case c.Node && r.Leaf:
		return green
	case c.Path:
		return blue
	}
	return dim
}

// drawRow writes what stands right of the graph.
func drawRow(out *pen, t *session.Tree, r *session.Row, layout session.Layout) {
	e := t.At(r.Title)
	text := clean(rowText(t, r))
	if r.Kind == session.RowStub && !r.Open && !r.Alone {
		text += " (" + count(r.Count, "entry", "entries") + ")"
	} else if layout == session.LayoutOutline && !r.Open {
		text += " (" + count(r.Count, "row", "rows") + " folded)"
	}
	if layout == session.LayoutSpine {
		out.put("", " ")
	}
	out.put(dim, clean(e.ID)+" ")
	label, leaf := "", ""
	if l, ok := t.Label(r.Title); ok && r.Kind != session.RowFold {
		label = " [" + clean(l.Text) + "]"
	}
	if r.Leaf {
		leaf = " (leaf)"
	}
	out.put(textColour(e, r), out.fit(text, columns(label+leaf)))
	out.put(yellow, label)
	out.put(green, leaf)
	out.put("", "\n")
}

// fit shortens a text to what is left of the line, with room for what follows.
func (p *pen) fit(text string, after int) string {
	const least = 12 // or nothing could be read
	if p.width == 0 {
		return text
	}
	return cutColumns(text, max(least, p.width-p.column-after))
}

func count(n int32, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", more)
}

func textColour(e *session.Entry, r *session.Row) string {
	switch {
	case r.Hit:
		return bold
	case r.Kind != session.RowEntry && r.Kind != session.RowStub:
		return dim
	case e.Has(session.FlagError):
		return red
	case e.Kind == session.KindUser:
		return blue
	case e.Kind == session.KindBranchSummary || e.Kind == session.KindCompaction:
		return cyan
	case e.Kind == session.KindAssistant:
		return ""
	}
	return dim
}

// clean returns a text as a part of one line: control characters become visible.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r' || r == '\u2028' || r == '\u2029':
			return ' '
		case steers(r):
			return '\ufffd'
		}
		return r
	}, s)
}
